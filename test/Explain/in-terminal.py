#!/usr/bin/env python3
"""Runs a command in a terminal of the given width, and prints what it shows there, with <ESC> for escape.

Usage: in-terminal.py COLUMNS COMMAND...
"""
import fcntl
import os
import pty
import struct
import sys
import termios

process, terminal = pty.fork()
if process == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
shown = b""
try:
    while part := os.read(terminal, 65536):
        shown += part
except OSError:  # So Linux says that nobody is left at the other end.
    pass
sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n").replace(b"\x1b", b"<ESC>"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
