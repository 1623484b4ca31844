# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles into a cache: what was compiled before from the same text, headers, compiler and flags is there.

An entry is a folder named after the text, the flags and the programs. In it, `headers.json` says which
headers the compiler read and what they held, and which library came out. Both are renamed into place, so
that another process sees all of a file or none; a lock spares work that is being done already.
"""
import contextlib
import fcntl
import hashlib
import json
import logging
import os
import re
import signal
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

from . import toolchain
from .errors import CompileError, CompileWarning

LOG = logging.getLogger("isozyme")
FORMAT = 1  # Counts up when entries change their meaning.
SOURCE, MADE, RULE = "<source>", "<made>", "<rule>"  # Words of a command that stand for files.
WORK = "<work>/"  # The beginning of a word that stands for a file of a command in between.


def folder():
    named = os.environ.get("ISOZYME_CACHE")
    if named:
        return Path(os.path.abspath(named))  # The compiler looks for sources from elsewhere.
    return Path(os.path.abspath(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")) / "isozyme"


def digest(*parts):
    state = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        state.update(f"{len(data)}:".encode())
        state.update(data)
    return state.hexdigest()[:32]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def state_of(path):
    """(size, time of change): the same as long as the file is. Then its content need not be read."""
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]


def is_unchanged(path, known):
    try:
        return state_of(path) == known["state"] or digest(read(path)) == known["content"]
    except OSError:
        return False


def look_up(entry):
    """(library, warnings) if the headers are what they were, else None."""
    try:
        known = json.loads(read(entry / "headers.json"))
    except (OSError, ValueError):
        return None
    library = entry / known["library"]
    if library.exists() and all(is_unchanged(path, state) for path, state in known["headers"].items()):
        return library, known["warnings"]
    return None


def headers_in(text):
    """The files that a rule for make, as -MD writes it, depends on."""
    words = re.findall(r"(?:\\.|[^\s\\])+", text.replace("\\\n", " ").split(":", 1)[1])
    return [re.sub(r"\\(.)", r"\1", w).replace("$$", "$") for w in words]


def replace(path, text):
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    os.replace(temporary, path)


@contextlib.contextmanager
def locked(entry):
    """One process at a time. Where files can not be locked two may do the same work, which does no harm."""
    with open(entry / "lock", "w") as file:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run(command):
    """(status, what it printed). A compiler does not outlive an interrupted call."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate()
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return process.returncode, output


def cached(text, language, what, commands, suffix, compiler=toolchain.clang, read_too=()):
    """The path of what commands make of a text, and what they printed; made only if it is not there.

    commands   lists of words, with SOURCE for the file with the text, MADE for the result, and RULE for the rule of -MD.
               Without MADE, the result is what the last command prints.
    read_too   files that the commands read, and that no rule names
    """
    programs = [toolchain.identity(p) for p in (compiler(), toolchain.command(), *toolchain.plugins())]
    entry = folder() / digest(FORMAT, text, language, *("\0".join(c) for c in commands), *programs)
    found = look_up(entry)
    if not found:
        entry.mkdir(parents=True, exist_ok=True)
        with locked(entry):
            found = look_up(entry) or make(entry, text, language, what, commands, suffix, read_too)
    return found


def run_all(commands):
    """What the commands printed, one behind the other; an error of one ends it."""
    said = []
    for command in commands:
        status, output = run(command)
        if status:
            raise CompileError(output, command)
        said.append(output)
    return said


def make(entry, text, language, what, commands, suffix, read_too):
    started = time.monotonic()
    LOG.info("compiling %s", what)
    with tempfile.TemporaryDirectory(dir=entry) as work:
        places = {SOURCE: Path(work) / f"wrapper.{'cpp' if language == 'c++' else 'c'}", MADE: Path(work) / f"made.{suffix}",
                  RULE: Path(work) / "rule.d"}
        places[SOURCE].write_text(text)
        place = lambda word: str(places.get(word, word.replace(WORK, f"{work}/")))
        commands = [[place(word) for word in command] for command in commands]
        for _ in range(3):  # Again, if a header was written to meanwhile: which text was read is not known then.
            before = time.time_ns()
            said = run_all(commands)
            rule = headers_in(places[RULE].read_text()) if places[RULE].exists() else []
            headers = [h for h in (*read_too, *rule) if os.path.realpath(h) != os.path.realpath(places[SOURCE])]
            known = {h: {"state": state_of(h), "content": digest(read(h))} for h in headers}
            if all(k["state"][1] < before for k in known.values()):
                break
        if not places[MADE].exists():
            places[MADE].write_text(said.pop())
        output = "".join(said)
        name = f"{digest(*(k['content'] for k in known.values()))}.{suffix}"
        os.replace(places[MADE], entry / name)
        replace(entry / "headers.json", json.dumps({"library": name, "headers": known, "warnings": output}))
    LOG.info("compiled %s in %.1f s", what, time.monotonic() - started)
    return entry / name, output


def compile_library(text, language, flags, what):
    """The path of a shared library made from this text by Isozyme."""
    command = [str(toolchain.command()), "c++" if language == "c++" else "cc", "-O2", "-fPIC", "-shared",
               "-fvisibility=hidden", "-MD", "-MF", RULE, "-MT", "library", *flags, SOURCE, "-o", MADE, "-lm"]
    return warned(*cached(text, language, what, [command], "so"))


def warned(library, said):
    """The library; what the compiler said becomes a warning of Python's at the call of load."""
    if said:
        warnings.warn(said, CompileWarning, stacklevel=4)
    return library
