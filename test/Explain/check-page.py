#!/usr/bin/env python3
"""Checks a page that -isozyme-explain has written.

Usage: check-page.py PAGE             structure, references, contrast of colours
       check-page.py --picture PNG    a screenshot that shows something
"""
import re
import struct
import sys
import zlib
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "link", "img", "hr"}
complaints = []


class Page(HTMLParser):
    """Tags that are not closed, references to the outside, links that lead nowhere."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.details = [], [], [], []
        self.style, self.script, self.counts = "", "", {}

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        for name in ("src", "href", "action", "srcset", "data"):
            value = attributes.get(name)
            if value is None:
                continue
            if not value.startswith("#"):
                complaints.append(f"<{tag} {name}={value!r}> leads out of the page")
            else:
                self.links.append(value[1:])
        if "data-for" in attributes:
            self.details.append(attributes["data-for"])
        for name in attributes:
            if name.startswith("on"):
                complaints.append(f"<{tag}> has a script in {name}")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            complaints.append(f"</{tag}> closes {self.open[-1:] or 'nothing'}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open[-1:] == ["style"]:
            self.style += data
        if self.open[-1:] == ["script"]:
            self.script += data


def luminance(color):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def check_colors(style):
    """Every colour of text, on everything that it stands on, in the light and in the dark."""
    schemes = re.findall(r":root \{(.*?)\}", style, re.S)
    if len(schemes) != 2:
        complaints.append("there is not one light and one dark scheme")
    pairs = [(text, back) for text in ("text", "dim", "link", "active", "key", "num", "str", "call", "loop")
             for back in ("back", "over", "panel")]
    pairs += [("kepttext", "keptback"), ("text", "keptback"), ("text", "errorback"), ("error", "errorback"),
              ("dim", "errorback"), ("active", "errorback")]
    for scheme in schemes:
        colors = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", scheme))
        for text, back in pairs:
            if contrast(colors[text], colors[back]) < 4.5:
                complaints.append(f"--{text} on --{back} has a contrast of "
                                  f"{contrast(colors[text], colors[back]):.2f}")


def check_page(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        complaints.append(f"not closed: {page.open}")
    if not text.startswith("<!DOCTYPE html>"):
        complaints.append("no document type")
    for number in {i for i in page.ids if page.ids.count(i) > 1}:
        complaints.append(f"two elements are #{number}")
    for target in page.links + page.details:
        if target not in page.ids:
            complaints.append(f"#{target} is not there")
    for place in (page.style, page.script):
        if re.search(r"https?:|//\w|@import|url\(|fetch\(|XMLHttpRequest|import\(", place):
            complaints.append("style or script refers to something outside")
    check_colors(page.style)
    print(f"page: {page.counts.get('template', 0)} lines with details, "
          f"{page.counts.get('mark', 0)} marked values, {page.counts.get('tr', 0)} table rows")


def check_picture(path):
    """Counts the different pixels of an RGB or RGBA picture without interlacing."""
    data = open(path, "rb").read()
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    at, packed = 8, b""
    while at < len(data):
        length, = struct.unpack(">I", data[at:at + 4])
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    size = {2: 3, 6: 4}[kind] * depth // 8
    rows = zlib.decompress(packed)
    # Filtered bytes tell enough: a picture of one colour has hardly any different ones.
    different = {rows[i:i + size] for i in range(0, len(rows), size)}
    if len(different) < 200:
        complaints.append(f"{path}: only {len(different)} different pixels")
    print(f"picture: {width} x {height}")


if sys.argv[1] == "--picture":
    check_picture(sys.argv[2])
else:
    check_page(sys.argv[1])
print("\n".join(complaints))
sys.exit(bool(complaints))
