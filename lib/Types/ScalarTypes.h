//===- ScalarTypes.h - What integers really hold -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM moves floats and pointers about as integers. Values that are copies of
// each other form a class; the class gets a type from the ways it is used: a
// cast to or from a float or a pointer, else integer arithmetic, else the memory
// that it is read from or written to.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_TYPES_SCALARTYPES_H
#define ISOZYME_LIB_TYPES_SCALARTYPES_H

#include "isozyme/Types/MemoryGraph.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace isozyme {

/// Size bytes (0: not known) are copied from one place to another.
struct CopyLink {
  PointerTarget From, To;
  uint64_t Size = 0;
  bool Integers = false; ///< As one of many elements that the source names integers.
  bool Numbers = false; ///< Integers by what the source calls them: addresses, if the caller's are.
  bool UpTo = false;    ///< Size is the most that may be copied.
};

class ScalarTypes {
public:
  void addCopy(const llvm::Value *A, const llvm::Value *B);
  /// Not \p ByUse: an integer, but by what is declared where it comes from or goes to.
  void addEvidence(const llvm::Value *V, ConcreteType T, bool ByUse = true);
  /// \p V is treated as an integer, as the bits of a float may be.
  void addTreatment(const llvm::Value *V);
  /// \p V is read from or written to memory of this type.
  bool addMemoryType(const llvm::Value *V, ConcreteType T);
  /// \p V is read from or written to memory between the members of a record, or elsewhere.
  void addPlace(const llvm::Value *V, bool InPadding);
  /// \p V is read from or written to memory that may hold a float in disguise.
  void addPlaceOfFloats(const llvm::Value *V);
  /// \p V is read from memory (\p Read) or written to it, which may hold floats at other times,
  /// and which the source does not call an integer.
  void addMove(const llvm::Value *V, bool Read, bool Written, bool AmongFloats);
  /// What is known of a place that a pointer is moved from or to.
  enum class Place { Addresses, Unknown, MaybeFloats };
  /// \p V has the type of a pointer and is only moved, from or to such a place.
  void addPointerMove(const llvm::Value *V, Place Known, bool From, bool To);
  bool isPointerMove(const llvm::Value *V) const;
  /// \p V is read from or written to a place where floats and something else are.
  void addPlaceOfBoth(const llvm::Value *V);
  /// \p V may be a piece of a float. False if that is known, or does not matter.
  bool addPartOfFloat(const llvm::Value *V);
  bool isPartOfFloat(const llvm::Value *V) const;
  /// Does nothing but its LLVM type say that \p V is a pointer?
  bool isPointerByLook(const llvm::Value *V) const;
  ConcreteType typeOf(const llvm::Value *V) const;
  /// Is \p V a number or an address where it is used, and moved where floats may be?
  bool isMovedInTurn(const llvm::Value *V) const;
  /// What memory says by now does not depend on what is taken for an integer.
  void settleIntegers();
  /// Is \p V an integer, and nothing says so but how it is treated or declared?
  bool yieldsToFloats(const llvm::Value *V) const;
  /// Is \p V read from or written to both memory of floats and memory of something else?
  bool isFloatAndOther(const llvm::Value *V) const;
  /// \p V comes from or goes to where floats are, and nothing is said to be integers there.
  void addFloatSource(const llvm::Value *V);
  /// Is \p V a float whatever the source calls it?
  bool isFromFloat(const llvm::Value *V) const;
  /// Is \p V, or a copy of it, used in a way that only numbers are?
  bool isUsedAsInteger(const llvm::Value *V) const;
  /// Is one a copy of the other, by any road?
  bool areCopies(const llvm::Value *A, const llvm::Value *B) const;

private:
  struct Evidence {
    ConcreteType Float = ConcreteType::Anything;
    bool Pointer = false, Integer = false, Treated = false, FloatAndOther = false;
    bool InPadding = false, Elsewhere = false, InFloats = false, Used = false;
    bool FloatSource = false;
    bool InBoth = false, PartOfFloat = false;
    bool PointerMove = false, AmongFloats = false, FromAny = false, ToAny = false;
    bool Read = false, Written = false, InTurn = false;
    /// Is it moved from memory to memory, where floats may be at other times than when it is used?
    bool isMovedInTurn() const { return Read && Written && InTurn; }
    /// Is it moved from anywhere to anywhere, and floats may be in one of the two?
    bool isMaybeFloat() const { return AmongFloats && FromAny && ToAny; }
    ConcreteType Memory = ConcreteType::Anything;
  };
  static void joinMemory(Evidence &E, ConcreteType T);
  unsigned classOf(const llvm::Value *V);
  unsigned find(unsigned C) const;

  llvm::DenseMap<const llvm::Value *, unsigned> Index;
  std::vector<unsigned> Parents, Sizes;
  std::vector<Evidence> Classes;
};

} // namespace isozyme

#endif
