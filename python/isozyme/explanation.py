# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page that shows line by line how a loaded function is differentiated."""
import html
import tempfile
from pathlib import Path

from . import cache, toolchain
from .errors import CompileError

HEIGHT = 480  # Pixels in a notebook; the page scrolls inside.


class Page:
    """A page of HTML. A notebook shows it; `save` writes it to a file, and `text` is its source."""

    def __init__(self, text, title):
        self.text, self.title = text, title

    def __repr__(self):
        return f"<isozyme page: {self.title}>"

    def save(self, path):
        Path(path).write_text(self.text)

    def _repr_html_(self):
        # A frame keeps the page's style and its script away from the notebook's.
        return (f'<iframe title="{html.escape(self.title)}" srcdoc="{html.escape(self.text)}" width="100%" '
                f'height="{HEIGHT}" style="border: 1px solid #ccc"></iframe>')


def explain(function, mode="reverse"):
    """What `isozyme explain` says of a loaded function, for mode "reverse" or "forward", as a Page."""
    if mode not in ("reverse", "forward"):
        raise ValueError(f"the mode '{mode}' is not understood; it is 'reverse' or 'forward'")
    path, flags = function.origin
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        command = [str(toolchain.command()), "explain", f"{path}:{function.signature.name}", f"--mode={mode}", "--html",
                   str(page), "--", *flags]
        status, output = cache.run(command)
        if status or not page.exists():
            raise CompileError(output, command)
        return Page(page.read_text(), f"{mode} of {function.signature.name}")
