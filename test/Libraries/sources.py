# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Source packages of Debian, downloaded and unpacked without administrator's rights and without touching the system."""
import subprocess
import sys
import tarfile
from pathlib import Path

LISTS = """Types: deb-src
URIs: {mirror}
Suites: {suite}
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""


class Sources:
    """A folder with an own list of packages; apt compares what it downloads with the signed list."""

    def __init__(self, folder, mirror, suite):
        self.folder = Path(folder).resolve()
        self.state = self.folder / "apt"
        self.lists = LISTS.format(mirror=mirror, suite=suite)
        self.options = [o for name, value in {
            "Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": self.state / "sources",
            "Dir::State::lists": self.state / "lists", "Dir::Cache": self.state / "cache",
            "Debug::NoLocking": "1"}.items() for o in ("-o", f"{name}={value}")]

    def apt(self, *arguments, cwd=None):
        done = subprocess.run(["apt-get", "-q", *self.options, *arguments], cwd=cwd, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"library-check: apt-get {' '.join(arguments)} failed:\n{done.stderr or done.stdout}")

    def of(self, package):
        """The folder of a package's unpacked source."""
        place = self.folder / "sources" / package
        ready = place / "unpacked"
        if not ready.exists():
            self.download(package, place)
            unpacked = place / "tree"
            for archive in sorted(place.glob("*.orig.tar.*")):
                if archive.suffix != ".asc":
                    with tarfile.open(archive) as tar:
                        tar.extractall(unpacked, filter="data")
            ready.touch()
        inner = [p for p in (place / "tree").iterdir() if p.is_dir()]
        return inner[0] if len(inner) == 1 else place / "tree"

    def download(self, package, place):
        if not (self.state / "lists").exists():
            for name in ("sources", "lists/partial", "cache/archives/partial"):
                (self.state / name).mkdir(parents=True, exist_ok=True)
            (self.state / "sources/check.sources").write_text(self.lists)
            self.apt("update")
        place.mkdir(parents=True, exist_ok=True)
        self.apt("source", "--tar-only", "--download-only", package, cwd=place)
