//===- Solver.h - The fixed points behind activity ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activity is decided on values and on the nodes of the memory graph: a value is
// varied when something varied flows into it, a node when something varied is
// stored in it; the same backwards for useful. What a callee does to memory is
// part of the graph already, so no callee is looked at again here.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_ACTIVITY_SOLVER_H
#define ISOZYME_LIB_ACTIVITY_SOLVER_H

#include "isozyme/Activity/ActivityAnalysis.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Types/MemoryGraph.h"
#include "llvm/IR/Instructions.h"
#include <deque>

namespace isozyme {

/// Whose memory a node is; a set, since nodes get merged.
enum NodeOwner : uint8_t {
  OwnedByConst = 1,     ///< Reached from an argument or variable marked inactive.
  OwnedByShadowed = 2,  ///< Reached from an argument, or a variable, that has a shadow.
  OwnedByLocal = 4,     ///< Allocated by this function or its callees.
  OwnedByConstant = 8,  ///< A constant global variable.
  OwnedByGlobal = 16,   ///< A global variable that has a shadow of its own making.
  OwnedByUnknown = 32,  ///< Made by code that is not seen, or from an integer.
  OwnedByExternal = 64, ///< A global variable of another file.
  OwnedByBefore = 128   ///< Reached from a global variable when the derivative began.
};

class ActivitySolver {
public:
  ActivitySolver(const PreparedFunction &P, const TypeResult &Types, const DiffRequest &R);

  void solve();

  bool isVaried(const llvm::Value *V) const { return Varied.contains(V); }
  bool isUseful(const llvm::Value *V) const { return Useful.contains(V); }
  /// Do the floats in the memory of \p Node carry derivatives?
  bool holdsActiveData(unsigned Node) const { return DataActive[Node]; }
  /// Does a pointer to \p Node need a shadow?
  bool isActiveNode(unsigned Node) const { return NodeActive[Node]; }
  bool isUsefulNode(unsigned Node) const { return NodeUseful[Node]; }
  /// Nothing behind such a node ever has a shadow, and nothing needs one.
  bool isFrozen(unsigned Node) const {
    return Owners[Node] && !(Owners[Node] & ~(OwnedByConst | OwnedByConstant));
  }
  uint8_t ownersOf(unsigned Node) const { return Owners[Node]; }
  /// The nodes that hold a pointer to \p Node.
  llvm::ArrayRef<unsigned> leadingTo(unsigned Node) const { return LeadFrom[Node]; }
  /// May a pointer to \p Node be its own shadow?
  ShadowCheck checkOf(unsigned Node) const { return Checks[Node]; }
  /// Memory without shadow that a function that is called can come to from an operand
  /// which has one. It is told so by the address itself.
  bool leadsToItself(unsigned Node) const;
  /// Constants only, for which a companion can be made that has shadows in the place
  /// of addresses.
  bool isMirrorable(unsigned Node) const;

  /// A pointer that is made from an integer, or that a function of the library
  /// without derivative returns: it has no shadow but itself.
  bool comesFromNowhere(const llvm::Instruction &I) const;
  /// An address that matters is read where none was stored: it came there in pieces, so
  /// that nothing tells where it leads.
  bool isLost(const llvm::LoadInst &Load) const;
  /// Bits of a float that matter are read where they were stored as an integer, and
  /// become a float that matters.
  bool readsBitsOfFloat(const llvm::LoadInst &Load) const;
  /// The same of what a function computes, from floats, in integers.
  bool returnsBitsOfFloat(const llvm::CallBase &Call) const;
  /// Is the float of \p Load stored as a pointer only, one that is read from where floats may be?
  bool readsBitsOfPointer(const llvm::LoadInst &Load) const;
  /// Does \p I make an address of a varied float, or a useful float of an address?
  bool isFloatAsPointer(const llvm::Instruction &I) const;

  /// Does \p I keep a varied float, or bytes of it, in the text of a string? What reads it back may
  /// take it for text, so that nothing tells that it is of use.
  bool givesNumberToText(const llvm::Instruction &I) const;

  /// May \p V be, or hold bits of, a float?
  bool mayCarry(const llvm::Value *V) const;
  /// The node behind a pointer (or pointer bits); None if there is none.
  unsigned nodeOf(const llvm::Value *Ptr) const { return Types.placeOf(Ptr).Node; }
  bool isLive(const llvm::Instruction &I) const { return P.reachesReturn(I.getParent()); }
  OpView view(const llvm::Instruction &I) const;

  const llvm::Value *causeOf(const llvm::Value *V) const { return Cause.lookup(V); }
  const llvm::Value *useOf(const llvm::Value *V) const { return UsedBy.lookup(V); }
  const llvm::Value *causeOfNode(unsigned N) const { return NodeCause.lookup(N); }
  const llvm::Value *useOfNode(unsigned N) const { return NodeUse.lookup(N); }

private:
  friend class ActivityAnalysis;
  // MemoryActivity.cpp
  uint8_t ownerOf(const llvm::Value *Root) const;
  bool readsFloatAsPointer(const llvm::LoadInst &Load) const;
  // NumbersInText.cpp
  bool holdsVariedFloat(const llvm::Value *Ptr, uint64_t Size) const;
  bool isBitsOfVaried(const llvm::Value *V) const;
  /// Does \p I, a load or call, read memory that varies?
  bool readsVaried(const llvm::Instruction &I) const;
  void findOwners();
  void findActiveNodes();
  llvm::SmallVector<unsigned, 8> handedOn();
  bool mayHaveShadow(unsigned Node) const;
  void findChecks();
  void inheritChecks();
  /// Fills Touching and LeadFrom.
  void findNeighbours();
  /// Visits each live instruction, and again whatever a mark may concern.
  void iterate(bool Backward);
  void push(const llvm::Instruction &I);
  void pushUsersOf(const llvm::Value &V);
  void pushTouching(unsigned Node);
  // Varied.cpp
  void seedVaried();
  bool flowForward(const llvm::Instruction &I);
  bool forwardCall(const llvm::CallBase &Call, const OpView &View);
  bool markVaried(const llvm::Value *V, const llvm::Value *Why);
  bool markNodeVaried(unsigned Node, const llvm::Value *Why);
  // Useful.cpp
  void seedUseful();
  void closeOver(llvm::SmallVectorImpl<unsigned> &Work);
  bool flowBackward(const llvm::Instruction &I);
  bool backwardCall(const llvm::CallBase &Call, const OpView &View);
  bool markUseful(const llvm::Value *V, const llvm::Value *Why);
  bool markNodeUseful(unsigned Node, const llvm::Value *Why);

  const PreparedFunction &P;
  const TypeResult &Types;
  const MemoryGraph &G;
  const DiffRequest &R;
  llvm::DenseSet<const llvm::Value *> Varied, Useful;
  std::deque<const llvm::Instruction *> Queue;
  llvm::DenseSet<const llvm::Instruction *> Waiting;
  /// By node: the instructions that access its memory, and the nodes that lead to it.
  std::vector<llvm::SmallVector<const llvm::Instruction *, 4>> Touching;
  std::vector<llvm::SmallVector<unsigned, 2>> LeadFrom;
  std::vector<bool> NodeVaried, NodeUseful, Escapes, DataActive, NodeActive, HandedOn;
  std::vector<uint8_t> Owners;
  std::vector<ShadowCheck> Checks;
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> Cause, UsedBy;
  llvm::DenseMap<unsigned, const llvm::Value *> NodeCause, NodeUse;
};

/// Does \p I write to where a string has its text, of which nobody knows a shadow?
bool writesText(const llvm::Instruction &I);

/// Can a companion of this constant be made in this module?
bool canMirror(const llvm::Value *Root);

/// Operands whose derivative flows unchanged in kind into the result of \p I:
/// phi and select inputs, the parts of an aggregate, the bits of a cast.
llvm::SmallVector<const llvm::Value *, 4> carriedOperands(const llvm::Instruction &I,
                                                          const OpView &View);

/// Source, destination and layout of what a bulk copy moves.
struct CopiedMemory {
  unsigned From, To;
  bool Data; ///< Floats or bytes of unknown type are among it.
};
std::optional<CopiedMemory> copiedBy(const llvm::Instruction &I, const TypeResult &Types,
                                     const OpView &View);

} // namespace isozyme

#endif
