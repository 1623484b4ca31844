//===- MistypedMoves.cpp - Moves by the wrong type ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: types of a prepared function.  Out: the stores of integers that hold addresses,
// where these are unchanged copies, and the loads, phis, selects and freezes that they
// come by: what is stored has a shadow to be stored too, and only pointers have one. And
// the same of pointers that are floats, or may be: only numbers have adjoints. And the loads
// of floats, as integers, with whose bits something is computed (the optimiser drops a float
// of which nothing but the bits is read): Prepare knows derivatives of functions of bits. And
// words that are doubles or else addresses, or several members of a record: only memory has shadows
// for both. A union whose first member is a double is moved as one.
//
//===----------------------------------------------------------------------===//
#include "Graph/GraphBuilder.h"
#include "isozyme/Types/TypeAnalysis.h"
#include "isozyme/Values/CarriedFloats.h"
#include "isozyme/Values/Origins.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace isozyme;

using MoveSet = SmallSetVector<const Instruction *, 8>;

/// Adds what the integer \p V is a copy of, up to the loads; false if it is not only addresses
/// that are copied, unchanged.
static bool collectCopies(const Value *V, const TypeResult &Types, MoveSet &Copies) {
  if (auto *C = dyn_cast<Constant>(V))
    return C->isNullValue();
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Types.typeOf(V).kind() != ConcreteType::Pointer)
    return false;
  if (isa<PtrToIntInst>(I))
    return true;
  if (Copies.contains(I))
    return true;
  if (auto *Load = dyn_cast<LoadInst>(I))
    return Load->isSimple() && Copies.insert(I);
  if (!isChoice(*I))
    return false;
  Copies.insert(I);
  return all_of(choicesOf(I), [&](const Value *One) { return collectCopies(One, Types, Copies); });
}

/// Is an integer stored that is an address? Its copies are added to \p Moves.
static bool storesAddress(const StoreInst &Store, const TypeResult &Types, MoveSet &Moves) {
  unsigned Bits = Store.getDataLayout().getPointerSizeInBits();
  if (!Store.isSimple() || !Store.getValueOperand()->getType()->isIntegerTy(Bits) ||
      Types.typeOfStored(Store).kind() != ConcreteType::Pointer)
    return false;
  MoveSet Copies;
  if (!collectCopies(Store.getValueOperand(), Types, Copies))
    return false;
  Moves.insert_range(Copies);
  return true;
}

/// Is the integer that \p I loads a float, with whose bits something is computed? Its type.
static Type *floatComputedWith(const LoadInst &Load, const TypeResult &Types) {
  Type *Float = Load.getType()->isIntegerTy() ? Types.typeOf(&Load).floatType() : nullptr;
  bool AsWide = Float && (Float->isDoubleTy() || Float->isFloatTy()) &&
                Load.getType()->isIntegerTy(Float->getPrimitiveSizeInBits());
  auto IsComputation = [](const User *U) { return isa<BinaryOperator, SIToFPInst, UIToFPInst>(U); };
  return AsWide && any_of(Load.users(), IsComputation) ? Float : nullptr;
}

/// The float that \p Load reads by what the source calls it, if it has another type and is stored
/// also where something else may be. The optimiser stores what it has read before, as a number of
/// a union, on ways that are taken only where the union holds another member.
static Type *floatByName(const LoadInst &Load, const TypeResult &Types) {
  const MDNode *Tag = Load.getMetadata(LLVMContext::MD_tbaa);
  bool IsUnknown = Load.getType()->isIntegerTy() && !Types.typeOf(&Load).isKnown();
  if (!Tag || (!IsUnknown && !Types.isPointerForFloat(Load)))
    return nullptr;
  const DataLayout &DL = Load.getDataLayout();
  Type *Float = typeNamedBy(Tag, DL).floatType();
  return Float && DL.getTypeStoreSize(Float) == DL.getTypeStoreSize(Load.getType()) ? Float
                                                                                    : nullptr;
}

/// What are the words at \p Ends by all that is known, a double or else an address? Where it is
/// not \p Known what is moved, it is enough that a double may be there.
static bool holdEither(ArrayRef<const Value *> Ends, uint64_t Size, bool Known,
                       const TypeResult &Types) {
  SmallVector<PointerTarget, 4> Places;
  for (const Value *End : Ends)
    append_range(Places, Types.placesOf(End, Size));
  SmallVector<WordContent, 4> Words = Types.memory().wordsOf(Places, Size);
  return none_of(Words, [](WordContent Word) { return Word.OtherFloat; }) &&
         any_of(Words,
                [&](WordContent Word) { return Known ? Word.isEither() : Word.maybeDouble(); });
}

static bool isOfWords(const Type *T, Align A, const DataLayout &DL) {
  return (T->isIntOrIntVectorTy() || T->isPointerTy()) && A >= Align(8) &&
         DL.getTypeSizeInBits(const_cast<Type *>(T)) % 64 == 0 && DL.getPointerSize() == 8;
}

/// Is \p Store one of zeros where a double or else an address may be?
static bool clearsEither(const StoreInst &Store, const TypeResult &Types) {
  const DataLayout &DL = Store.getDataLayout();
  auto *C = dyn_cast<Constant>(Store.getValueOperand());
  return C && C->isNullValue() && Store.isSimple() &&
         isOfWords(C->getType(), Store.getAlign(), DL) &&
         holdEither(Store.getPointerOperand(), DL.getTypeStoreSize(C->getType()),
                    Types.typeOfStored(Store).isKnown(), Types);
}

/// What the source calls what \p Access loads or stores; it need not be told.
static ConcreteType nameOfDouble(const Instruction &Access, const DataLayout &DL) {
  if (const MDNode *Tag = Access.getMetadata(LLVMContext::MD_tbaa))
    return typeNamedBy(Tag, DL);
  auto *GEP = dyn_cast<GEPOperator>(getLoadStorePointerOperand(&Access));
  return GEP && GEP->getResultElementType()->isDoubleTy()
             ? ConcreteType::ofFloat(GEP->getResultElementType())
             : ConcreteType::Anything;
}

static bool isUntold(const Instruction &Access, const DataLayout &DL) {
  return getLoadStoreAlignment(&Access) >= Align(WordContent::Size) &&
         nameOfDouble(Access, DL).kind() == ConcreteType::Anything;
}

/// Is \p U a store of a double of which the source does not say that it is one?
static bool isUntoldStore(const Use &U, const DataLayout &DL) {
  auto *Store = dyn_cast<StoreInst>(U.getUser());
  return Store && Store->isSimple() && U.getOperandNo() == 0 && isUntold(*Store, DL);
}

static bool isUntoldLoad(const LoadInst &Load, const DataLayout &DL) {
  return Load.getType()->isDoubleTy() && Load.isSimple() && isUntold(Load, DL);
}

/// The floats that \p Load reads as one double, or several, which the source does not name, and
/// which are only moved: there are two in its place, or where it goes.
static Type *floatsCarried(const LoadInst &Load, const TypeResult &Types) {
  constexpr unsigned MaxMoves = 64;
  const DataLayout &DL = Load.getDataLayout();
  auto *Vector = dyn_cast<FixedVectorType>(Load.getType());
  if (!Load.getType()->getScalarType()->isDoubleTy() || (!Vector && Load.getType()->isVectorTy()) ||
      nameOfDouble(Load, DL).kind() != ConcreteType::Anything)
    return nullptr;
  SmallVector<PointerTarget, 2> Ends = {Types.placeOf(Load.getPointerOperand())};
  SmallSetVector<const Instruction *, 4> Moved;
  Moved.insert(&Load);
  for (unsigned K = 0; K != Moved.size(); ++K)
    for (const Use &U : Moved[K]->uses()) {
      auto *By = cast<Instruction>(U.getUser());
      auto *Store = dyn_cast<StoreInst>(By);
      if (Store && U.getOperandNo() == 0)
        Ends.push_back(Types.placeOf(Store->getPointerOperand()));
      else if (!By->getType()->isFPOrFPVectorTy() || !isMoveOfFloats(*By) ||
               Moved.size() > MaxMoves)
        return nullptr;
      else
        Moved.insert(By);
    }
  bool Carries = any_of(Types.memory().wordsOf(Ends, WordContent::Size),
                        [](WordContent Word) { return Word.UpperFloat; });
  return Carries ? FixedVectorType::get(Type::getFloatTy(Load.getContext()),
                                        2 * (Vector ? Vector->getNumElements() : 1))
                 : nullptr;
}

static Type *floatToLoad(const LoadInst &Load, const TypeResult &Types) {
  Type *Float = floatComputedWith(Load, Types);
  Float = Float ? Float : floatByName(Load, Types);
  return Float ? Float : floatsCarried(Load, Types);
}

/// Has \p Load, which names no double, a tag, or else an address that says that it reads a union?
static bool isToldUnion(const LoadInst &Load) {
  return Load.hasMetadata(LLVMContext::MD_tbaa) || isUnionMember(Load);
}

bool isozyme::movesUntoldDouble(const LoadInst &Load, const DataLayout &DL) {
  // What is kept in several places, as a number that closures have a copy of, is not only moved.
  bool MayMove = isToldUnion(Load) ? !Load.use_empty() : Load.hasOneUse();
  return isUntoldLoad(Load, DL) && MayMove &&
         all_of(Load.uses(), [&](const Use &U) { return isUntoldStore(U, DL); });
}

SmallVector<const StoreInst *, 2> isozyme::storesOfChosenDouble(const LoadInst &Load,
                                                                const DataLayout &DL) {
  // Without a tag, it may be any number.
  if (!isToldUnion(Load) || !isUntoldLoad(Load, DL))
    return {};
  SmallVector<const StoreInst *, 2> Stores;
  SmallSetVector<const Instruction *, 4> Moved;
  Moved.insert(&Load);
  for (unsigned K = 0; K != Moved.size(); ++K)
    for (const Use &U : Moved[K]->uses())
      if (isa<PHINode, SelectInst, FreezeInst>(U.getUser()))
        Moved.insert(cast<Instruction>(U.getUser()));
      else if (isUntoldStore(U, DL))
        Stores.push_back(cast<StoreInst>(U.getUser()));
      else
        return {};
  if (Moved.size() == 1)
    Stores.clear();
  return Stores;
}

SmallVector<const StoreInst *, 2> TypeResult::storesOfChosenWord(const LoadInst &Load) const {
  // What comes from where no address is known to be is a number.
  if (!Load.getType()->isDoubleTy() ||
      !holdEither(Load.getPointerOperand(), WordContent::Size, /*Known=*/true, *this))
    return {};
  return storesOfChosenDouble(Load, Load.getDataLayout());
}

/// Does \p Load read whole words that may be doubles or else addresses, to store them? What is
/// also used as what it is at other times, as an index or an address, is still read for that.
static bool movesEither(const LoadInst &Load, const TypeResult &Types) {
  const DataLayout &DL = Load.getDataLayout();
  bool IsDouble = Load.getType()->isDoubleTy();
  if (!Load.isSimple() || (!IsDouble && !isOfWords(Load.getType(), Load.getAlign(), DL)))
    return false;
  SmallVector<const Value *, 2> Ends = {Load.getPointerOperand()};
  for (const Use &U : Load.uses())
    if (auto *Store = dyn_cast<StoreInst>(U.getUser());
        Store && Store->isSimple() && U.getOperandNo() == 0 && Store->getAlign() >= Align(8))
      Ends.push_back(Store->getPointerOperand());
  bool OnlyMoved = Load.hasNUses(Ends.size() - 1);
  if (Ends.size() == 1)
    return false;
  auto IsKnown = [&](const Value *End) { return Types.layoutOf(End, 8).isComplete(); };
  uint64_t Size = DL.getTypeStoreSize(Load.getType());
  if (Load.getType()->isPointerTy()) {
    if (Types.isPointerForFloat(Load))
      return OnlyMoved && holdEither(Ends, Size, IsKnown(Ends.front()), Types);
    return !all_of(Ends, IsKnown) && holdEither(Ends, Size, /*Known=*/true, Types);
  }
  auto ToldOf = [&](const Instruction &Access) {
    const MDNode *Tag = Access.getMetadata(LLVMContext::MD_tbaa);
    return Tag ? typeNamedBy(Tag, DL) : ConcreteType();
  };
  ConcreteType Told = ToldOf(Load);
  if (IsDouble) { // Without a tag, what comes from where no address is known to be is a number.
    bool IsTagged = Load.hasMetadata(LLVMContext::MD_tbaa);
    return movesUntoldDouble(Load, DL) &&
           holdEither(IsTagged ? ArrayRef<const Value *>(Ends) : Ends.front(), Size,
                      /*Known=*/true, Types);
  }
  bool Known = Types.typeOf(&Load).isKnown() && !Types.isMovedInTurn(Load);
  if (Known && (!OnlyMoved || Told.isFloat() || Told.kind() == ConcreteType::Integer))
    return false;
  return holdEither(Ends, Size, Known, Types);
}

/// Does \p Load read several members of a record at once, a float among them, to store them
/// elsewhere? One integer has no adjoint of one of its halves. It may be used for more, as the bits
/// that it is.
static bool movesMembers(const LoadInst &Load, const TypeResult &Types) {
  const DataLayout &DL = Load.getDataLayout();
  const MDNode *Tag = Load.getMetadata(LLVMContext::MD_tbaa);
  if (!Load.isSimple() || !Load.getType()->isIntegerTy() ||
      (Tag && typeNamedBy(Tag, DL).kind() == ConcreteType::Integer))
    return false;
  auto IsMixed = [&](const Value *End) {
    MemoryLayout L = Types.layoutOf(End, DL.getTypeStoreSize(Load.getType()));
    return L.isComplete() && L.Runs.size() > 1 &&
           any_of(L.Runs, [](const TypedRun &Run) { return Run.Type.isFloat(); });
  };
  SmallVector<const StoreInst *, 2> Stores;
  for (const Use &U : Load.uses())
    if (auto *Store = dyn_cast<StoreInst>(U.getUser());
        Store && Store->isSimple() && U.getOperandNo() == 0)
      Stores.push_back(Store);
  return !Stores.empty() &&
         (IsMixed(Load.getPointerOperand()) || any_of(Stores, [&](const StoreInst *Store) {
            return IsMixed(Store->getPointerOperand());
          }));
}

SmallVector<MistypedMove, 0> isozyme::mistypedMoves(const PreparedFunction &P,
                                                    const TypeResult &Types) {
  MoveSet Moves, InMemory;
  SmallVector<MistypedMove, 0> Found;
  for (const Instruction &I : instructions(P.function())) {
    auto *Store = dyn_cast<StoreInst>(&I);
    const Value *Moved = Store ? Store->getValueOperand() : &I;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (Type *Float = Load && Load->isSimple() ? floatToLoad(*Load, Types) : nullptr) {
      Found.push_back({P.numberOf(&I), Float});
      continue;
    }
    bool OfMembers = Load && !movesEither(*Load, Types) && movesMembers(*Load, Types);
    if (OfMembers || (Load ? movesEither(*Load, Types) : Store && clearsEither(*Store, Types))) {
      Found.push_back({P.numberOf(&I), nullptr, /*StaysInMemory=*/true, OfMembers});
      InMemory.insert(&I);
      continue;
    }
    bool HasForm = isa<StoreInst, LoadInst, PHINode, SelectInst, FreezeInst>(I);
    if (isa<Constant>(Moved) || !HasForm)
      continue;
    if (Types.isPointerForFloat(*Moved) || (Store && storesAddress(*Store, Types, Moves)))
      Moves.insert(&I);
  }
  auto IsDone = [&](const Instruction *I) {
    auto *Store = dyn_cast<StoreInst>(I);
    auto *Stored = Store ? dyn_cast<Instruction>(Store->getValueOperand()) : I;
    return InMemory.contains(I) || (Stored && InMemory.contains(Stored));
  };
  for (const Instruction *I : Moves)
    if (!IsDone(I))
      Found.push_back({P.numberOf(I)});
  return Found;
}
