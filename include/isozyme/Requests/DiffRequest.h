//===- DiffRequest.h - What is asked for, as a value -------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A DiffRequest says which derivative of which function is wanted. It is
// canonical (equal requests compare equal), so it is also the key under which
// derivative functions are remembered. It fixes the signature of the derivative:
//
//   Forward   params  for each parameter: primal, then Width tangents if Dup
//             returns { [primal if ReturnPrimal], [tangent if Return == Dup] }
//   Reverse   params  for each parameter: primal, then Width shadows if Dup/DupNoNeed;
//                     at the end the seed if Return == Active
//             returns { [primal if ReturnPrimal], gradient of each Active argument }
//   Augment   params  as Reverse, without seed
//             returns { [primal if not void], [shadow if Return == Dup], [tape] }
//   FromTape  params  as Reverse, with seed, then [tape]
//             returns { gradient of each Active argument }
//
// A result is always a literal struct, even of one member, and void when empty.
// A tangent, shadow, seed or gradient that is one value per lane is T for Width
// 1 and [Width x T] otherwise, except that parameters are passed lane by lane.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_REQUESTS_DIFFREQUEST_H
#define ISOZYME_REQUESTS_DIFFREQUEST_H

#include "llvm/ADT/SmallVector.h"
#include <string>

namespace llvm {
class Function;
class FunctionType;
class Type;
class raw_ostream;
} // namespace llvm

namespace isozyme {

enum class DiffMode : uint8_t { Forward, Reverse, Augment, FromTape };

/// How an argument takes part. Active is "enzyme_out": by value, its gradient is
/// returned (reverse modes only). Dup: a shadow follows. DupNoNeed: a shadow
/// follows, and the caller does not want the primal contents.
enum class ArgActivity : uint8_t { Const, Active, Dup, DupNoNeed };

/// How the result takes part: Const, Active (reverse: a seed is given) or Dup
/// (forward: a tangent is returned; reverse: a pointer result has a shadow).
enum class ReturnActivity : uint8_t { Const, Active, Dup };

struct DiffRequest {
  llvm::Function *Fn = nullptr;
  DiffMode Mode = DiffMode::Reverse;
  llvm::SmallVector<ArgActivity, 8> Args;
  ReturnActivity Return = ReturnActivity::Const;
  bool ReturnPrimal = false;
  unsigned Width = 1;
  /// Augment and FromTape: per argument, may the memory it points to be written
  /// between the two halves? (true: what is read from it must be kept)
  llvm::SmallVector<bool, 8> MayOverwrite;

  bool operator==(const DiffRequest &) const = default;
  bool hasShadow(unsigned Arg) const {
    return Args[Arg] == ArgActivity::Dup || Args[Arg] == ArgActivity::DupNoNeed;
  }
  bool isReverse() const { return Mode != DiffMode::Forward; }
  bool isSplit() const { return Mode == DiffMode::Augment || Mode == DiffMode::FromTape; }
  /// The other half of a split pair, or the same request in another mode.
  DiffRequest inMode(DiffMode M) const {
    DiffRequest R = *this;
    R.Mode = M;
    return R;
  }

  /// `reverse(@f: dup ptr, const i64) -> active, width 1`
  void print(llvm::raw_ostream &OS) const;
  std::string str() const;
};

/// T for width 1, [Width x T] otherwise.
llvm::Type *laneType(llvm::Type *T, unsigned Width);
/// The signature of the derivative function; \p Tape is null or the tape's type.
llvm::FunctionType *derivativeType(const DiffRequest &R, llvm::Type *Tape = nullptr);
/// May a value of this type carry a derivative by itself (floats and aggregates
/// or vectors of them)?
bool isFloatLike(const llvm::Type *T);
/// Does this type contain a pointer?
bool containsPointer(const llvm::Type *T);

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, ArgActivity A);
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, ReturnActivity A);
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, DiffMode M);

} // namespace isozyme

#endif
