# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of C and C++ functions in Python: load a source, call its functions, differentiate them."""
from .errors import CompileError, CompileWarning, DeclarationError, Error, NativeError, ToolchainError
from .explanation import explain
from .library import load
from .toolchain import compile_flags
from .transforms import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp

__all__ = ["CompileError", "CompileWarning", "DeclarationError", "Error", "NativeError", "ToolchainError",
           "compile_flags", "explain", "grad", "hessian", "hvp", "jacobian", "jvp", "load", "value_and_grad", "vjp"]
__version__ = "0.1.0"


def load_ipython_extension(shell):
    """For `%load_ext isozyme` in a notebook."""
    from .notebook import IsozymeMagics
    shell.register_magics(IsozymeMagics)
