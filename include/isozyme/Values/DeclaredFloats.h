//===- DeclaredFloats.h - What the source declares as a float ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_VALUES_DECLAREDFLOATS_H
#define ISOZYME_VALUES_DECLAREDFLOATS_H

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace isozyme {

/// Names what \p F, which is as the front end has made it and has no alias metadata, accesses as
/// an element, a member or a variable of a type of floats, or as a descriptor of flang's.
/// Simplified code moves it as integers.
void markDeclaredFloats(llvm::Function &F);

/// Is the alias metadata of \p I the source's, and not that of markDeclaredFloats?
bool hasSourceTag(const llvm::Instruction &I);

} // namespace isozyme

#endif
