# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can go wrong, as exceptions. Wrong arguments are TypeError and ValueError, as in NumPy."""


class Error(Exception):
    """The base of what this package raises itself."""


class DeclarationError(Error):
    """A declaration that is not understood, or does not say enough."""


class ToolchainError(Error):
    """clang 22, or a part of Isozyme, is missing."""


class CompileError(Error):
    """The compiler or Isozyme refused the source. The text is what they printed."""

    def __init__(self, output, command):
        self.output = output
        self.command = command
        super().__init__(f"{output.rstrip()}\nThe command was: {' '.join(command)}")


class CompileWarning(UserWarning):
    """What the compiler or Isozyme said although they went on."""


class NativeError(Error):
    """The function threw a C++ exception, whose text this is."""
