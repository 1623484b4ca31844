# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tools/bench consists of: options, tools (how each builds), worker (a program that measures), measure,
report (tables, JSON), plot."""
