//===- TypeResult.h - What the bytes of values and memory hold ---*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of type analysis, for one prepared function. Later stages ask two
// questions: what does this SSA value hold (only of interest for integers that
// may be copies of floats or pointers), and what do the bytes behind this
// pointer hold. "Unknown" is an answer; whoever needs to know reports IZ203.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TYPES_TYPERESULT_H
#define ISOZYME_TYPES_TYPERESULT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class AnyMemIntrinsic;
class MDNode;
class StoreInst;
class Type;
class Value;
class Function;
class raw_ostream;
} // namespace llvm

namespace isozyme {

/// What some bytes hold. Anything: any kind may be assumed (undef, zero).
class ConcreteType {
public:
  enum Kind : uint8_t { Unknown, Integer, Pointer, Float, Anything };

  ConcreteType(Kind K = Unknown, llvm::Type *FloatType = nullptr) : K(K), FloatType(FloatType) {}
  static ConcreteType ofFloat(llvm::Type *Scalar) { return {Float, Scalar}; }

  Kind kind() const { return K; }
  bool isFloat() const { return K == Float; }
  bool isKnown() const { return K != Unknown; }
  llvm::Type *floatType() const { return FloatType; } ///< Scalar; null unless isFloat().
  bool operator==(const ConcreteType &) const = default;
  /// Both facts hold for the same bytes: Anything gives way, a contradiction is Unknown.
  ConcreteType join(ConcreteType Other) const;
  void print(llvm::raw_ostream &OS) const;

private:
  Kind K;
  llvm::Type *FloatType;
};

/// A run of bytes of one type; for floats Size is a multiple of the element size.
struct TypedRun {
  uint64_t Offset = 0, Size = 0;
  ConcreteType Type;
};

/// What lies behind a pointer, from the pointer on: Runs repeat every Period
/// bytes, cover the Period without gaps or overlap, and are sorted. Period 0:
/// nothing is known.
struct MemoryLayout {
  uint64_t Period = 0;
  llvm::SmallVector<TypedRun, 4> Runs;

  /// Is it known of each byte what it holds?
  bool isComplete() const {
    return Period && llvm::all_of(Runs, [](const TypedRun &R) { return R.Type.isKnown(); });
  }
  /// The single type of all bytes, or Unknown.
  ConcreteType uniform() const;
  /// Checks that the runs are sorted and cover the period; says in \p OS what is wrong.
  bool verify(llvm::raw_ostream &OS) const;
  void print(llvm::raw_ostream &OS) const;
};

/// What \p L tells, in the words of "enzyme_type" for a pointer to such memory; empty where
/// that would be too long, or where something is not known.
std::string statementOf(const MemoryLayout &L, const llvm::DataLayout &DL);

class MemoryGraph;
struct PointerTarget;

class TypeResult {
public:
  /// Of unions that the source does not name, one may hold an address where the next holds a
  /// number: what is known best of \p Size bytes at \p Ends, between which they are copied, is
  /// known of one of them only. Words of a known number tell what they are, others do not.
  bool holdsEitherInTurn(llvm::ArrayRef<const llvm::Value *> Ends, uint64_t Size) const;
  /// Has \p L, by what is known best of the memory at \p Ends, an address where something else
  /// that is known says a float, or floats where else addresses are known? A function that moves
  /// whatever it is given sees only what it follows itself. \p Counted: the length is known.
  bool hidesOthers(llvm::ArrayRef<const llvm::Value *> Ends, const MemoryLayout &L,
                   bool Counted) const;
  /// What an SSA value of scalar or vector type holds. Floats and pointers by
  /// their LLVM type; integers by analysis.
  ConcreteType typeOf(const llvm::Value *V) const;
  /// Is \p V a pointer that is only moved, and memory says that it is, or may be, no address?
  bool isPointerForFloat(const llvm::Value &V) const;
  /// Is \p V an integer that is used as a number or an address, and also moved from memory to
  /// memory where floats may be at other times?
  bool isMovedInTurn(const llvm::Value &V) const;
  /// \p Load reads a double, or else an address, only to choose between it and others, and to
  /// store what is chosen: these stores. Else none.
  llvm::SmallVector<const llvm::StoreInst *, 2>
  storesOfChosenWord(const llvm::LoadInst &Load) const;
  /// Is the result of \p Call an integer that is made of bits that were read as integers,
  /// of a float perhaps?
  bool returnsBits(const llvm::CallBase &Call) const;

  /// What a store leaves in memory: by the tag of the store, by the value, or, for a
  /// constant that may stand for anything, by what else is done with the place.
  ConcreteType typeOfStored(const llvm::StoreInst &S) const;

  /// What the \p Size bytes behind \p Ptr hold, with Period == Size when Size
  /// is not 0; Size 0 stands for "as many as the program accesses" (dynamic).
  MemoryLayout layoutOf(const llvm::Value *Ptr, uint64_t Size) const;

  /// What the copy or fill \p M tells of the bytes that it moves or sets, better than what is
  /// known of its memory: Unknown where it shows that they are not what they seem to be.
  std::optional<MemoryLayout> elementsOf(const llvm::AnyMemIntrinsic &M) const;

  /// What each record in an array holds to which a pointer leads that was loaded with the alias
  /// tag \p Tag; nothing if that is not known of each byte.
  std::optional<MemoryLayout> layoutOfPointee(const llvm::MDNode &Tag) const;

  /// Which memory each pointer of the function may point to.
  const MemoryGraph &memory() const;
  /// The memory behind a pointer, addresses of global variables included.
  PointerTarget placeOf(const llvm::Value *Ptr) const;
  /// The places of \p Size bytes that \p Ptr may lead to, each by itself where a step chooses them.
  llvm::SmallVector<PointerTarget, 4> placesOf(const llvm::Value *Ptr, uint64_t Size) const;

  /// Pairs of nodes, from and to, between which addresses may be copied as bytes, here or
  /// in callees.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 2> copiedAddresses() const;

  void print(llvm::raw_ostream &OS) const;
  /// Checks every layout that print shows; true and a text when one is broken.
  bool verify(llvm::raw_ostream &OS) const;

  struct Impl;
  explicit TypeResult(std::shared_ptr<const Impl> I) : I(std::move(I)) {}

private:
  std::shared_ptr<const Impl> I;
};

} // namespace isozyme

#endif
