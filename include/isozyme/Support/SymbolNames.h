//===- SymbolNames.h - Symbols as the source has them ------------*- C++ -*===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_SUPPORT_SYMBOLNAMES_H
#define ISOZYME_SUPPORT_SYMBOLNAMES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace isozyme {

/// The procedure or variable that flang calls \p Symbol: "heat (module heatmod)" for
/// _QMheatmodPheat, "step (in heat, module heatmod)" for what heat contains. Empty: it is
/// no such symbol.
std::string fortranName(llvm::StringRef Symbol);

/// A symbol of C++ or Fortran as the source has it, without what makes it long.
std::string nameInSource(llvm::StringRef Symbol);

/// Without what a copy of the function has behind its name. (The demangler refers to it.)
std::string mangledName(const llvm::Function &F);
/// The types of the parameters of a function of C++, as the source spells them; none of another.
llvm::SmallVector<std::string, 8> parameterTypes(const llvm::Function &F);

/// Has flang made \p F, or is it in a file of flang's?
bool isFortran(const llvm::Function &F);

} // namespace isozyme

#endif
