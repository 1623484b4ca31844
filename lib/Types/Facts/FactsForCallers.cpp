//===- FactsForCallers.cpp - What a function may say of memory of others --===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When types are deduced: which memory is read and written as data, and whether the
// facts leave something open about memory of callers, who may know more.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Requests/DiffRequest.h"
#include "llvm/IR/Constants.h"

using namespace llvm;
using namespace isozyme;

/// A callee took for integers or pointers what may be floats here, or addresses: it reads and
/// writes data, or addresses.
void GraphBuilder::noteTreatedMemory() {
  auto Note = [](auto &What, bool Data, bool Addresses) {
    What.ReadsData |= Data;
    What.WritesData |= Data;
    What.ReadsPointer |= Addresses;
    What.WritesPointer |= Addresses;
  };
  for (auto &[Call, Nodes] : Instances) {
    const Function *Body = bodyOfCallee(*Call);
    auto There = Body ? Callees.find(Body) : Callees.end();
    if (There == Callees.end() || !There->second)
      continue;
    for (auto &[Node, Target] : Nodes) {
      PointerTarget Here = G.normal(Target);
      bool Data = false, Addresses = false;
      bool MovesWords = There->second->Graph.node(Node).MovesWords;
      for (const auto &Fact : There->second->Graph.node(Node).Facts) {
        auto [Stride, Offset, Size, Rank, Object] = Fact.first;
        PointerTarget Place = Here.plus(placeOfFact(Fact.first, Fact.second));
        bool Yields = yieldsToFloats(Rank) || Fact.second.kind() == ConcreteType::Pointer;
        bool Void = Fact.second.kind() == ConcreteType::Integer && G.mayBeDisguised(Place, Size);
        bool IsAddress = Void && G.typeAt(Place, Size).kind() == ConcreteType::Pointer;
        bool IsEither = MovesWords && Fact.second.isFloat() && Size == WordContent::Size &&
                        G.wordAt(Place).isEither();
        Data |= (Void && !IsAddress) || (Yields && G.mayBeFloat(Place, Size));
        Addresses |= IsAddress || IsEither;
      }
      if (!Data && !Addresses)
        continue;
      Note(G.Nodes[G.find(Here.Node)], Data, Addresses);
      auto &Effects = G.Effects[Call];
      auto *Known = find_if(
          Effects, [&](const CallEffect &E) { return G.find(E.Node) == G.find(Here.Node); });
      if (Known == Effects.end())
        Effects.push_back({G.find(Here.Node), Data, Data, Addresses, Addresses});
      else
        Note(*Known, Data, Addresses);
    }
  }
}

/// Nobody here may say what is in memory that is made or released here for others, who know:
/// whether it has a shadow is one question for all of them.
bool GraphBuilder::handlesUnknownMemory() const {
  for (unsigned Node = 0; Node != G.size(); ++Node) {
    const MemoryNode &N = G.node(Node);
    bool Made = any_of(N.Roots, [](const Value *Root) { return isa<CallBase>(Root); });
    if (G.isRepresentative(Node) && (N.Freed || Made) && !N.Private && !N.External &&
        !G.layoutOf({Node, 0, 0}, 0).Period)
      return true;
  }
  return false;
}

bool GraphBuilder::leavesUnknown() const {
  auto Unknown = [](const MemoryLayout &L) {
    return !L.Period || any_of(L.Runs, [](const TypedRun &Run) { return !Run.Type.isKnown(); });
  };
  return handlesUnknownMemory() ||
         any_of(Copies,
                [&](const CopyLink &Link) {
                  return (Unknown(G.layoutOf(Link.From, Link.Size)) &&
                          Unknown(G.layoutOf(Link.To, Link.Size))) ||
                         (G.isOnlyInSteps(Link.From, Link.Size) &&
                          G.isOnlyInSteps(Link.To, Link.Size));
                }) ||
         any_of(Fills,
                [&](const CopyLink &Fill) { return Unknown(G.layoutOf(Fill.To, Fill.Size)); }) ||
         any_of(IntegerAccesses, [&](const PendingAccess &A) {
           if (!A.Value || A.Size <= 1)
             return false;
           // A constant tells nothing of the place that it is stored to.
           ConcreteType T = S.Scalars.typeOf(A.Value);
           return !T.isKnown() || (isa<Constant>(A.Value) && Unknown(G.layoutOf(A.Place, A.Size)));
         });
}

bool GraphBuilder::movesForeignPointers() const {
  return any_of(IntegerAccesses, [&](const PendingAccess &A) {
    return A.Value && A.Value->getType()->isIntOrIntVectorTy() && A.Place.isValid() &&
           !G.node(A.Place.Node).Private &&
           S.Scalars.typeOf(A.Value).kind() == ConcreteType::Pointer;
  });
}

bool GraphBuilder::movesForeignFloats() const {
  auto MayBeFloats = [&](PointerTarget Place, uint64_t Size) {
    return Place.isValid() && !G.node(G.find(Place.Node)).Private && G.mayBeFloat(Place, Size);
  };
  return any_of(Copies,
                [&](const CopyLink &Link) {
                  return MayBeFloats(Link.From, Link.Size) || MayBeFloats(Link.To, Link.Size);
                }) ||
         any_of(IntegerAccesses, [&](const PendingAccess &A) {
           return A.Value && A.Value->getType()->isIntOrIntVectorTy() &&
                  A.Size >= DL.getPointerSize() && MayBeFloats(A.Place, A.Size);
         });
}

bool GraphBuilder::movesForeignWords() const {
  return any_of(UntoldMoves,
                [&](PointerTarget Place) { return !G.node(G.find(Place.Node)).Private; });
}

/// Integers that only an LLVM type shows, such as a union's: callers may know addresses there.
bool GraphBuilder::guessesForeignIntegers() const {
  return any_of(G.Nodes, [](const MemoryNode &N) {
    return !N.Private && any_of(N.Facts, [](const auto &Fact) {
      return std::get<3>(Fact.first) == FactRank::Shape;
    });
  });
}

/// Copies of what only a local variable shows, which may be of one member of a union: callers may
/// know of the others.
bool GraphBuilder::copiesForeignPointersByLook() const {
  auto IsByLook = [&](PointerTarget Place) {
    const MemoryNode &N = G.node(G.find(Place.Node));
    return !N.Private && any_of(N.Facts, [](const auto &Fact) {
      return isByLook(std::get<3>(Fact.first), Fact.second);
    });
  };
  return any_of(Copies, [&](const CopyLink &Link) {
    return (Link.From.isValid() && IsByLook(Link.From)) || (Link.To.isValid() && IsByLook(Link.To));
  });
}

bool GraphBuilder::treatsForeignMemory() const {
  return any_of(G.Nodes, [](const MemoryNode &N) {
    return !N.Private && any_of(N.Facts, [](const auto &Fact) {
      return yieldsToFloats(std::get<3>(Fact.first));
    });
  });
}

bool GraphBuilder::declaresForeignIntegers() const {
  return any_of(G.Nodes, [](const MemoryNode &N) {
    return !N.Private && any_of(N.Facts, [](const auto &Fact) {
      return Fact.second.kind() == ConcreteType::Integer && isStatement(std::get<3>(Fact.first));
    });
  });
}

/// May stores of parts whose type is not known make up an address? They do it side by side, or step
/// by step, or at the place that the caller says. The one character in a record does not:
///
///   struct { void *table; char op; Node *left, *right; }
void GraphBuilder::findPieces(ArrayRef<const PendingAccess *> Parts) {
  const uint64_t Whole = DL.getPointerSize();
  MapVector<unsigned, SmallVector<std::pair<int64_t, int64_t>, 4>> Ranges;
  for (const PendingAccess *A : Parts) {
    PointerTarget Place = G.normal(A->Place);
    MemoryNode &N = G.Nodes[Place.Node];
    bool IsPassed = any_of(N.Roots, [&](const Value *Root) {
      return isa<Argument>(Root) && targetOf(Root).Offset == Place.Offset;
    });
    N.Pieces |= Place.Stride || N.CellModulus || N.Skewed || IsPassed;
    Ranges[Place.Node].push_back({Place.Offset, Place.Offset + int64_t(A->Size)});
  }
  for (auto &[Node, Found] : Ranges) {
    llvm::sort(Found);
    int64_t Begin = Found.front().first, End = Begin;
    for (auto [From, To] : Found) {
      Begin = From > End ? From : Begin;
      End = std::max(End, To);
      G.Nodes[Node].Pieces |= uint64_t(End - Begin) >= Whole;
    }
  }
}

/// Which nodes are read or written as data: floats, or bytes of unknown type.
void GraphBuilder::setAccessFlags() {
  // Callers are told of copies; words of unknown type may go anywhere.
  auto Note = [&](PointerTarget Place, const MemoryLayout &L, bool Load, bool Store, bool IsTold) {
    MemoryNode &N = G.Nodes[G.find(Place.Node)];
    // Of others' memory the shape of a local variable, which is copied there, tells nothing.
    bool Anything = !L.Period || (!N.Private && G.isByShape(Place, L.Period));
    bool Data = Anything, Pointer = Anything;
    for (const TypedRun &R : L.Runs) {
      Data |= R.Type.isFloat() || !R.Type.isKnown();
      Pointer |= R.Type.kind() == ConcreteType::Pointer || !R.Type.isKnown();
      N.Raw |= !R.Type.isKnown() && !IsTold;
    }
    N.Raw |= Anything && !IsTold;
    N.ReadsData |= Data && Load;
    N.WritesData |= Data && Store;
    N.ReadsPointer |= Pointer && Load;
    N.WritesPointer |= Pointer && Store;
  };
  SmallVector<const PendingAccess *, 8> Parts;
  for (const PendingAccess &A : IntegerAccesses) {
    bool InPart = A.Value && S.Scalars.isPartOfFloat(A.Value);
    Note(A.Place, InPart ? MemoryLayout() : G.layoutOf(A.Place, A.Size), A.Load, A.Store, false);
    if (!A.Store || !A.Value || isa<Constant>(A.Value) || A.Size >= DL.getPointerSize())
      continue;
    ConcreteType T = S.Scalars.typeOf(A.Value);
    if (wholeAddress(A.Value).isValid())
      G.Nodes[G.find(A.Place.Node)].Pieces = true;
    else if (!T.isKnown() || T.kind() == ConcreteType::Pointer)
      Parts.push_back(&A);
  }
  findPieces(Parts);
  for (const CopyLink &Fill : Fills)
    Note(Fill.To, G.layoutOf(Fill.To, Fill.Size), false, true, true);
  for (const CopyLink &Link : Copies) {
    MemoryLayout L = G.layoutOf(Link.From, Link.Size);
    Note(Link.From, L, true, false, true);
    Note(Link.To, L, false, true, true);
    if (G.node(Link.From.Node).Pieces)
      G.Nodes[G.find(Link.To.Node)].Pieces = true;
  }
}
