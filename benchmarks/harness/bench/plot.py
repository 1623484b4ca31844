# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture of the ratios: a line for each program, a mark for each tool, on a logarithmic scale."""
import math
from xml.sax.saxutils import escape

LEFT, TOP, LINE, WIDTH = 190, 56, 18, 640
COLOURS = ("#0b5cad", "#222222", "#c8501e", "#2e8b57", "#8a2be2", "#b8860b", "#a0144f", "#607080", "#00868b")


def marks(low, high):
    """1, 2, 5, 10 ... between both."""
    value = 10 ** math.floor(math.log10(low))
    while value <= high * 1.001:
        for factor in (1, 2, 5):
            if low * 0.999 <= value * factor <= high * 1.001:
                yield value * factor
        value *= 10


def picture(report, titles):
    values = [v for name in report.names for v in report.ratios(name)]
    if not values:
        return ""
    low, high = min(values + [0.9]) * 0.9, max(values + [10]) * 1.1
    height = TOP + LINE * len(report.rows) + 30

    def at(value):
        return LEFT + WIDTH * math.log(value / low) / math.log(high / low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{height}" '
           'font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>',
           f'<text x="{LEFT}" y="16">Gradient in times of the function</text>']
    for mark in marks(low, high):
        out.append(f'<path d="M{at(mark):.1f} {TOP - 8}V{height - 24}" stroke="#dddddd"/>')
        out.append(f'<text x="{at(mark):.1f}" y="{height - 8}" text-anchor="middle">{mark:g}</text>')
    for i, name in enumerate(report.names):
        x = LEFT + i * WIDTH / max(1, len(report.names))
        out.append(f'<circle cx="{x + 5:.1f}" cy="32" r="5" fill="{COLOURS[i % len(COLOURS)]}"/>')
        out.append(f'<text x="{x + 14:.1f}" y="36">{escape(titles.get(name, name))}</text>')
    for line, row in enumerate(report.rows):
        y = TOP + line * LINE + LINE / 2
        out.append(f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{escape(report.label(row))}</text>')
        for i, name in reversed(list(enumerate(report.names))):
            ratio = row.columns.get(name, {}).get("ratio")
            if ratio:
                out.append(f'<circle cx="{at(ratio):.1f}" cy="{y:.1f}" r="5" fill="{COLOURS[i % len(COLOURS)]}" '
                           'fill-opacity="0.85"/>')
    return "\n".join(out + ["</svg>"]) + "\n"
