"""A build in which one source file is another: only what depends on that file is compiled and linked.

The file system that the compiler sees has the other text in the file's place, so that the sources and the
build stay as they are.
"""

import json
import os
import re
import shlex
import shutil
import subprocess


class FaultyBuild:
    """`folder` gets the faulty programs, beside copies of the others, and a configuration of the tests."""

    def __init__(self, source, build, folder, targets):
        self.source, self.build, self.folder = source, build, folder
        self.must(["ninja", "-C", str(build)] + targets)
        listed = self.must(["ninja", "-C", str(build), "-t", "commands"] + targets)
        self.commands = [Command(text, str(build)) for text in listed.splitlines()]

    def must(self, command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout}")
        return done.stdout

    def compiled_with(self, file):
        """The files whose compilation reads this source file: itself, or one that includes several."""
        entries = json.loads((self.build / "compile_commands.json").read_text())
        names = {entry["file"] for entry in entries}
        return {name for name in names if name == str(file) or "/Unity/" in name and os.path.exists(name)
                and re.search(f'^#include "{re.escape(str(file))}"$', open(name).read(), re.M)}

    def make(self, file, text):
        """Compiles and links with that text in place of the file; returns what went wrong, or nothing."""
        self.copy_build()
        overlay = self.lay_over(file, text)
        sources, changed = self.compiled_with(file), {}
        for command in self.commands:
            compiles = not sources.isdisjoint(command.paths)
            if not compiles and changed.keys().isdisjoint(command.paths):
                continue
            output = self.folder / os.path.relpath(command.output, self.build)
            output.parent.mkdir(parents=True, exist_ok=True)
            words = command.with_paths({**changed, command.output: str(output)}, overlay if compiles else [])
            done = subprocess.run(words, cwd=command.place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  errors="replace", text=True)
            if done.returncode:
                return done.stdout
            changed[command.output] = str(output)
        return "" if changed else f"no command of {self.build} compiles {file}"

    def copy_build(self):
        """The folder is as the build, without a fault."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for part in ("bin", "lib"):
            (self.folder / part).mkdir(parents=True)
            for each in filter(os.path.isfile, (self.build / part).iterdir()):
                shutil.copy(each, self.folder / part)
        (self.folder / "include").symlink_to(self.build / "include")
        self.configure_tests()

    def configure_tests(self):
        """The configuration of the build's tests, with this folder in place of the build's."""
        place = self.folder / "test"
        place.mkdir()
        text = (self.build / "test/lit.site.cfg.py").read_text()
        for part in ("isozyme_build", "plugin"):
            text = re.sub(f'^(config.{part} = "){re.escape(str(self.build))}', rf"\g<1>{self.folder}", text, flags=re.M)
        (place / "lit.site.cfg.py").write_text(text)

    def lay_over(self, file, text):
        """Arguments of the compiler: the file has this text."""
        other = self.folder / "source" / file.name
        other.parent.mkdir()
        other.write_text(text)
        table = self.folder / "overlay.json"
        table.write_text(json.dumps({"version": 0, "use-external-names": False, "roots": [
            {"name": str(file), "type": "file", "external-contents": str(other)}]}))
        return ["-ivfsoverlay", str(table)]


class Command:
    """A command of the build, with the absolute paths of the words in it."""

    def __init__(self, text, build):
        # CMake writes `: && COMMAND && :` and `cd FOLDER && COMMAND`.
        parts = [part for part in text.split(" && ") if part.strip() not in ("", ":")]
        self.place = build
        if parts[0].startswith("cd "):
            self.place = shlex.split(parts.pop(0))[1]
        self.words = shlex.split(parts[0])
        self.paths = [os.path.normpath(os.path.join(self.place, word)) for word in self.words]
        self.output = self.paths[self.words.index("-o") + 1] if "-o" in self.words else None

    def with_paths(self, changed, added):
        """The words with other paths and more arguments, to be run in the command's place."""
        words = [changed.get(path, word) for path, word in zip(self.paths, self.words)]
        return words[:1] + added + words[1:]
