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
// In what users see, a tape is one pointer unless they ask for it by value.
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
class GlobalVariable;
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

/// May the shadow of a pointer be the pointer itself, which says that the memory
/// behind it carries no derivative? Everything read through such a pointer is asked too.
enum class ShadowCheck : uint8_t {
  None, ///< Never: it has a shadow of its own.
  Skip, ///< Then nothing is done: the memory is constant by the user's word.
  Page  ///< Then its shadow is in pages that are made at run time: it may hold derivatives,
        ///< and nobody has made a shadow together with the memory.
};

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
  /// The same: is the memory that it points to reached in no other way while the function
  /// runs (by other arguments, global variables, pointers in memory)? Empty: none is known.
  llvm::SmallVector<bool, 8> Apart;
  /// The same: has the derivative that this is a part of made all the memory that it leads to,
  /// near and far, since it began to run? The shadow of such memory holds no derivative before
  /// the reverse sweep. Empty: of none.
  llvm::SmallVector<bool, 8> Fresh;
  /// The same: does what addresses in its memory lead to, near and far, stay as it is between the
  /// two halves? Those that are there when the function is called. Empty: of none.
  llvm::SmallVector<bool, 8> Steady;
  /// The same: is the memory that it leads to, near and far, reached from no other argument, global
  /// variable or other memory when the function is called? Empty: of none.
  llvm::SmallVector<bool, 8> Own;
  /// Reverse modes on a machine of many threads: has the user promised that no other thread
  /// touches what this call touches of the shadow? Empty: of none.
  llvm::SmallVector<bool, 8> Unshared;
  /// Reverse on such a machine: do all threads of a warp pass the same value, as far as the caller
  /// shows? A guess that may fail, and nothing wrong comes of it. Empty: of none.
  llvm::SmallVector<bool, 8> Common;
  /// FromTape: the tape is used again, and not released here.
  bool KeepTape = false;
  /// Reverse modes: memory of the tape may outlive the call of a combined derivative, for the
  /// user holds it, or the derivative is differentiated again.
  bool TapeOutlives = false;
  /// Per argument; empty when all are None.
  llvm::SmallVector<ShadowCheck, 8> Checks;
  /// Global variables whose shadow holds derivatives before or after: what the caller
  /// stores there and reads. By name, each once.
  llvm::SmallVector<llvm::GlobalVariable *, 2> Globals;
  /// Not 0 where derivatives are differentiated again that have shadows of global
  /// variables: those of this derivative are others.
  unsigned Level = 0;
  /// Forward: what stands in the place of a tangent is a mask, in the bits of the float:
  /// bit i of a value says that it depends on an input whose mask has bit i.
  bool Dependence = false;

  bool operator==(const DiffRequest &) const = default;
  bool hasShadow(unsigned Arg) const {
    return Args[Arg] == ArgActivity::Dup || Args[Arg] == ArgActivity::DupNoNeed;
  }
  bool isApart(unsigned Arg) const { return !Apart.empty() && Apart[Arg]; }
  bool isFresh(unsigned Arg) const { return !Fresh.empty() && Fresh[Arg]; }
  bool isSteady(unsigned Arg) const { return !Steady.empty() && Steady[Arg]; }
  bool isOwn(unsigned Arg) const { return !Own.empty() && Own[Arg]; }
  bool isUnshared(unsigned Arg) const { return !Unshared.empty() && Unshared[Arg]; }
  bool isCommon(unsigned Arg) const { return !Common.empty() && Common[Arg]; }
  ShadowCheck checkOf(unsigned Arg) const {
    return Checks.empty() ? ShadowCheck::None : Checks[Arg];
  }
  /// Sets the check of \p Arg; call when all of Args is known.
  void setCheck(unsigned Arg, ShadowCheck Check) {
    if (Checks.empty() && Check != ShadowCheck::None)
      Checks.assign(Args.size(), ShadowCheck::None);
    if (!Checks.empty())
      Checks[Arg] = Check;
  }
  bool isReverse() const { return Mode != DiffMode::Forward; }
  bool isSplit() const { return Mode == DiffMode::Augment || Mode == DiffMode::FromTape; }
  /// The other half of a split pair, or the same request in another mode.
  DiffRequest inMode(DiffMode M) const {
    DiffRequest R = *this;
    R.Mode = M;
    R.KeepTape &= M == DiffMode::FromTape;
    R.TapeOutlives &= M != DiffMode::Forward;
    if (M == DiffMode::Forward)
      R.Unshared.clear();
    if (M != DiffMode::Reverse)
      R.Common.clear();
    return R;
  }

  /// `reverse(@f: dup ptr, const i64) -> active, width 1`; `dup?` is checked, `dup!` is
  /// looked up in pages; `, globals @a @b` at the end, `, tape outlives` before; `dependence(...)`
  /// for forward masks.
  void print(llvm::raw_ostream &OS) const;
  std::string str() const;
};

/// Has the function of \p R a derivative that the user has written, for its mode?
bool hasCustomRule(const DiffRequest &R);

/// T for width 1, [Width x T] otherwise.
llvm::Type *laneType(llvm::Type *T, unsigned Width);
/// The signature of the derivative function; \p Tape is null or the tape's type.
llvm::FunctionType *derivativeType(const DiffRequest &R, llvm::Type *Tape = nullptr);
/// The activity of a parameter of type \p T without a marker.
ArgActivity defaultActivity(llvm::Type *T, DiffMode Mode);

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, ArgActivity A);
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, ReturnActivity A);
llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, DiffMode M);

} // namespace isozyme

#endif
