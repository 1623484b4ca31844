//===- HiddenFloats.cpp - Integers that are passed for floats --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calling conventions put small structures and unions into integer registers:
// struct { float x; int k; }, union { double d; long bits; }. Looks for what shows
// that the bits of a parameter, or a half of them, become a float again, or that those
// of a result were one, and for doubles that are moved from or to unions, which may hold an
// address; and makes accesses to such an integer in memory accesses to its
// two halves:
//
//   store i64 (or (shl %k, 32), (zext %x)), ptr %p
//     ->  store i32 %x, ptr %p;  store i32 (trunc %k), ptr (%p + 4)
//
//===----------------------------------------------------------------------===//
#include "HiddenFloats.h"
#include "Steps.h"
#include "UnionMoves.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Prepare/Prepare.h"
#include "isozyme/Values/DeclaredRecords.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

namespace {

/// Follows values through moves of their bits, in one direction, to a float. The answer
/// is the size of the float, 0 where there is none; of several, as members of a union, that of
/// the bits if it is one of them.
class BitTrace {
public:
  unsigned towardsUses(const Value *Bits);
  unsigned towardsOrigin(const Value *Bits);

private:
  void add(const Value *V) {
    if (Seen.size() < MaxSteps && Seen.insert(V).second)
      Work.push_back(V);
  }
  unsigned sizeAtUse(const Use &U);
  unsigned sizeAtOrigin(const Instruction &I);

  static constexpr unsigned MaxSteps = 128;
  SmallVector<const Value *, 8> Work;
  SmallPtrSet<const Value *, 16> Seen;
  bool IsHandedOn = false; ///< The address of memory that the bits are stored to.
};

} // namespace

/// Is \p T what integers and addresses are passed as?
static bool mayHide(const Type *T) {
  return T->isIntegerTy(32) || T->isIntegerTy(64) || T->isIntegerTy(16) || T->isPointerTy();
}

static unsigned floatSize(const Type *T) {
  return T->isFPOrFPVectorTy() ? T->getScalarSizeInBits() : 0;
}

/// As what is the local memory at \p Place accessed, of which \p Access may be something else?
static unsigned floatSizeInMemory(const Value *Place, const Instruction &Access) {
  const DataLayout &DL = Access.getDataLayout();
  int64_t At = 0, Other = 0;
  const Value *Local = GetPointerBaseWithConstantOffset(Place, At, DL);
  if (!isa<AllocaInst>(Local))
    return 0;
  // An element of an array may be anywhere in it.
  auto MayBeHere = [&](const Value *Ptr) {
    auto *GEP = dyn_cast<GetElementPtrInst>(Ptr);
    return GEP && GEP->getPointerOperand() == Local && !GEP->hasAllConstantIndices()
               ? true
               : GetPointerBaseWithConstantOffset(Ptr, Other, DL) == Local && At == Other;
  };
  auto SizeOf = [&](const User *U) {
    const Value *Ptr = isa<LoadInst, StoreInst>(U) ? getLoadStorePointerOperand(U) : nullptr;
    const Type *T = Ptr && MayBeHere(Ptr) ? getLoadStoreType(U) : nullptr;
    return T && T != getLoadStoreType(&Access) ? floatSize(T) : 0;
  };
  for (const User *U : Local->users()) {
    if (unsigned Size = SizeOf(U))
      return Size;
    if (isa<GetElementPtrInst>(U))
      for (const User *OfMember : U->users())
        if (unsigned Size = SizeOf(OfMember))
          return Size;
  }
  return 0;
}

/// Is the address of the local memory at \p Place handed on? What it leads to may be read as
/// anything.
static bool isHandedOn(const Value *Place) {
  SmallSetVector<const Value *, 8> Addresses;
  Addresses.insert(getUnderlyingObject(Place));
  for (unsigned K = 0; K != Addresses.size(); ++K)
    for (const User *U : Addresses[K]->users()) {
      auto *Call = dyn_cast<CallBase>(U);
      auto *Store = dyn_cast<StoreInst>(U);
      if ((Call && !isa<IntrinsicInst>(Call)) ||
          (Store && Store->getValueOperand() == Addresses[K]))
        return true;
      if (isa<GetElementPtrInst, PHINode, SelectInst>(U))
        Addresses.insert(U);
    }
  return false;
}

unsigned BitTrace::sizeAtUse(const Use &U) {
  auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return 0;
  switch (I->getOpcode()) {
  case Instruction::BitCast:
    if (I->getType()->isIntegerTy())
      add(I);
    return floatSize(I->getType());
  case Instruction::PtrToInt:      // A union with an address as its first member.
  case Instruction::InsertElement: // One with a vector.
  case Instruction::Trunc:
  case Instruction::LShr:
  case Instruction::And:
  case Instruction::Freeze:
  case Instruction::PHI:
  case Instruction::Select:
    add(I);
    return 0;
  case Instruction::Store: {
    const Value *Place = cast<StoreInst>(I)->getPointerOperand();
    if (U.getOperandNo() != 0 || !isa<AllocaInst>(getUnderlyingObject(Place)))
      return 0;
    IsHandedOn |= isHandedOn(Place);
    return floatSizeInMemory(Place, *I);
  }
  case Instruction::Call: {
    auto *Call = cast<CallInst>(I);
    const Function *F = Call->getCalledFunction();
    if (F && !F->isDeclaration() && Call->isArgOperand(&U) &&
        Call->getArgOperandNo(&U) < F->arg_size())
      add(F->getArg(Call->getArgOperandNo(&U)));
    return 0;
  }
  default:
    return 0;
  }
}

unsigned BitTrace::towardsUses(const Value *Bits) {
  unsigned Whole = Bits->getType()->getScalarSizeInBits(), Found = 0;
  add(Bits);
  while (!Work.empty() && (!Found || Found != Whole))
    for (const Use &U : Work.pop_back_val()->uses())
      if (unsigned Size = sizeAtUse(U); Size && Size <= Whole && (!Found || Size == Whole))
        Found = Size; // None that is larger: a union holds an integer beside a double.
  return Found && IsHandedOn ? Whole : Found;
}

unsigned BitTrace::sizeAtOrigin(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::BitCast:
    if (I.getOperand(0)->getType()->isIntegerTy())
      add(I.getOperand(0));
    return floatSize(I.getOperand(0)->getType());
  case Instruction::ExtractValue: {
    auto &Part = cast<ExtractValueInst>(I);
    if (const Value *V = Part.getNumIndices() == 1
                             ? memberOf(Part.getAggregateOperand(), Part.getIndices()[0])
                             : nullptr)
      add(V);
    return 0;
  }
  case Instruction::Load:
    return floatSizeInMemory(cast<LoadInst>(I).getPointerOperand(), I);
  case Instruction::Call:
    if (const Function *F = cast<CallInst>(I).getCalledFunction())
      for (const BasicBlock &BB : *F)
        if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator()); Ret && Ret->getReturnValue())
          add(Ret->getReturnValue());
    return 0;
  case Instruction::ExtractElement:
    add(I.getOperand(0));
    return 0;
  case Instruction::IntToPtr:
  case Instruction::ZExt:
  case Instruction::Shl:
  case Instruction::Or:
  case Instruction::Add:
  case Instruction::Freeze:
  case Instruction::PHI:
  case Instruction::Select:
    for (const Use &U : I.operands())
      if (U->getType()->isIntOrPtrTy())
        add(U.get());
    return 0;
  default:
    return 0;
  }
}

unsigned BitTrace::towardsOrigin(const Value *Bits) {
  unsigned Whole = Bits->getType()->getScalarSizeInBits(), Found = 0;
  add(Bits);
  while (!Work.empty() && (!Found || Found != Whole))
    if (auto *I = dyn_cast<Instruction>(Work.pop_back_val()))
      if (unsigned Size = sizeAtOrigin(*I); Size && (!Found || Size == Whole))
        Found = Size;
  return Found;
}

static HiddenFloat hiddenFloat(Type *T, unsigned Size, const DataLayout &DL) {
  unsigned Whole = DL.getTypeSizeInBits(T);
  if (Size && Size == Whole && !T->isDoubleTy())
    return HiddenFloat::Whole;
  bool InHalf =
      (T->isIntegerTy() || T->isDoubleTy()) && Size && 2 * Size == Whole && DL.isLittleEndian();
  return InHalf ? HiddenFloat::InHalf : HiddenFloat::None;
}

/// Is the integer \p A only stored, as what is not aligned as such an integer is? It may be a
/// record of two members, or an address whose bytes are copied: in memory, types tell which.
static bool isStoredRecord(const Argument &A) {
  constexpr unsigned MostArguments = 16;
  SmallSetVector<const Argument *, 4> Work;
  Work.insert(&A);
  bool IsStored = false;
  for (unsigned K = 0; K != Work.size(); ++K)
    for (const Use &U : Work[K]->uses()) {
      auto *Store = dyn_cast<StoreInst>(U.getUser());
      auto *Call = dyn_cast<CallInst>(U.getUser());
      const Function *F = Call ? Call->getCalledFunction() : nullptr;
      if (F && !F->isDeclaration() && Call->isArgOperand(&U) && Work.size() < MostArguments &&
          F->getFunctionType() == Call->getFunctionType())
        Work.insert(F->getArg(Call->getArgOperandNo(&U)));
      else if (Store && Store->isSimple() && U.getOperandNo() == 0 &&
               Store->getAlign() < A.getParent()->getDataLayout().getABITypeAlign(A.getType()) &&
               !Store->hasMetadata(LLVMContext::MD_tbaa))
        IsStored = true;
      else
        return false;
    }
  return IsStored;
}

/// As what do callers access the memory from which they pass \p A as a double?
static unsigned floatSizePassed(const Argument &A) {
  constexpr unsigned MaxCalls = 8;
  unsigned Calls = 0;
  for (const Use &U : A.getParent()->uses())
    if (auto *Call = dyn_cast<CallBase>(U.getUser());
        Call && Call->isCallee(&U) && A.getArgNo() < Call->arg_size() && ++Calls <= MaxCalls)
      if (auto *Load = dyn_cast<LoadInst>(Call->getArgOperand(A.getArgNo())))
        if (unsigned Size = floatSizeInMemory(Load->getPointerOperand(), *Load))
          return Size;
  return 0;
}

/// A double may be a union, of an address or of two floats.
static HiddenFloat hiddenInDouble(const Argument &A) {
  if (isMadeByIsozyme(*A.getParent()))
    return HiddenFloat::None;
  if (isMovedUnion(A))
    return HiddenFloat::Whole;
  unsigned Size = BitTrace().towardsUses(&A);
  return hiddenFloat(A.getType(), Size ? Size : floatSizePassed(A), A.getParent()->getDataLayout());
}

HiddenFloat hiddenFloat(const Argument &A) {
  if (A.getType()->isDoubleTy())
    return hiddenInDouble(A);
  if (!mayHide(A.getType()))
    return HiddenFloat::None;
  if (!isMadeByIsozyme(*A.getParent()) && isMovedParameter(A))
    return HiddenFloat::Whole;
  HiddenFloat Known =
      hiddenFloat(A.getType(), BitTrace().towardsUses(&A), A.getParent()->getDataLayout());
  if (Known != HiddenFloat::None || !A.getType()->isIntegerTy(64))
    return Known;
  return isStoredRecord(A) ? HiddenFloat::Whole : HiddenFloat::None;
}

HiddenFloat hiddenFloatInResult(const Function &F, unsigned Number) {
  auto *Record = dyn_cast<StructType>(F.getReturnType());
  Type *T = Record ? Record->getElementType(Number) : F.getReturnType();
  if (T->isDoubleTy() && (isMadeByIsozyme(F) || isMovedUnionResult(F, Number)))
    return isMadeByIsozyme(F) ? HiddenFloat::None : HiddenFloat::Whole;
  if (!mayHide(T) && !T->isDoubleTy())
    return HiddenFloat::None;
  if (T->isPointerTy() && !isMadeByIsozyme(F) && isMovedResult(F, Number))
    return HiddenFloat::Whole;
  for (const BasicBlock &BB : F)
    if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator()))
      if (const Value *V = memberOf(Ret->getReturnValue(), Number))
        if (unsigned Size = BitTrace().towardsOrigin(V))
          return hiddenFloat(T, Size, F.getDataLayout());
  return HiddenFloat::None;
}

namespace {

/// Takes the halves of integers from what these are made of.
class Halver {
public:
  Value *half(IRBuilder<> &B, Value *V, bool High);

private:
  Value *halfOfPhi(PHINode &Phi, bool High);
  DenseMap<std::pair<Value *, unsigned>, PHINode *> Phis;
};

} // namespace

Value *Halver::halfOfPhi(PHINode &Phi, bool High) {
  PHINode *&Known = Phis[{&Phi, High}];
  if (Known)
    return Known;
  Type *Half = IntegerType::get(Phi.getContext(), Phi.getType()->getIntegerBitWidth() / 2);
  PHINode *New = Known =
      PHINode::Create(Half, Phi.getNumIncomingValues(), Phi.getName() + (High ? ".high" : ".low"),
                      Phi.getIterator());
  for (unsigned I = 0; I != Phi.getNumIncomingValues(); ++I) {
    IRBuilder<> B(Phi.getIncomingBlock(I)->getTerminator());
    // One block may come in several times, and is to give one value then.
    int Same = New->getBasicBlockIndex(Phi.getIncomingBlock(I));
    Value *Each = Same >= 0 ? New->getIncomingValue(Same) : half(B, Phi.getIncomingValue(I), High);
    New->addIncoming(Each, Phi.getIncomingBlock(I));
  }
  return New;
}

Value *Halver::half(IRBuilder<> &B, Value *V, bool High) {
  unsigned Bits = V->getType()->getIntegerBitWidth() / 2;
  Type *Half = B.getIntNTy(Bits);
  Constant *Zero = ConstantInt::get(Half, 0);
  Value *X, *Y, *Condition;
  const APInt *Mask;
  if (match(V, m_APInt(Mask)))
    return ConstantInt::get(Half, Mask->extractBits(Bits, High ? Bits : 0));
  if (match(V, m_ZExt(m_Value(X))) && X->getType()->getIntegerBitWidth() <= Bits)
    return High ? Zero : B.CreateZExt(X, Half);
  if (match(V, m_Shl(m_Value(X), m_SpecificInt(Bits))))
    return High ? half(B, X, false) : Zero;
  if (match(V, m_LShr(m_Value(X), m_SpecificInt(Bits))))
    return High ? Zero : half(B, X, true);
  if (match(V, m_Or(m_Value(X), m_Value(Y)))) { // Of which one fills this half, as a rule.
    Value *Left = half(B, X, High), *Right = half(B, Y, High);
    return match(Left, m_Zero()) ? Right : match(Right, m_Zero()) ? Left : B.CreateOr(Left, Right);
  }
  if (match(V, m_And(m_Value(X), m_APInt(Mask)))) {
    APInt Part = Mask->extractBits(Bits, High ? Bits : 0);
    if (Part.isZero())
      return Zero;
    Value *Masked = half(B, X, High);
    return Part.isAllOnes() ? Masked : B.CreateAnd(Masked, ConstantInt::get(Half, Part));
  }
  // The lower half needs to know nothing of the upper one.
  auto *Sum = dyn_cast<BinaryOperator>(V);
  if (Sum && !High &&
      (Sum->getOpcode() == Instruction::Add || Sum->getOpcode() == Instruction::Sub ||
       Sum->getOpcode() == Instruction::Mul))
    return B.CreateBinOp(Sum->getOpcode(), half(B, Sum->getOperand(0), false),
                         half(B, Sum->getOperand(1), false));
  // (k + 1) << 32 as LLVM writes it; nothing is carried into the upper half.
  if (match(V, m_Add(m_Value(X), m_APInt(Mask))) && Mask->extractBits(Bits, 0).isZero())
    return B.CreateAdd(half(B, X, true), ConstantInt::get(Half, Mask->extractBits(Bits, Bits)));
  if (match(V, m_Select(m_Value(Condition), m_Value(X), m_Value(Y))))
    return B.CreateSelect(Condition, half(B, X, High), half(B, Y, High));
  if (auto *Phi = dyn_cast<PHINode>(V))
    return halfOfPhi(*Phi, High);
  return B.CreateTrunc(High ? B.CreateLShr(V, Bits) : V, Half);
}

/// The integer of which \p Part is a half, and which.
static std::pair<Value *, bool> wholeOf(const TruncInst &Part) {
  Value *Whole = Part.getOperand(0), *Shifted;
  unsigned Bits = Part.getType()->getIntegerBitWidth();
  if (!Whole->getType()->isIntegerTy(2 * Bits))
    return {nullptr, false};
  if (match(Whole, m_LShr(m_Value(Shifted), m_SpecificInt(Bits))))
    return {Shifted, true};
  return {Whole, false};
}

namespace {

/// An integer of 64 bits that is read, chosen and moved, where the source names no integer, and all
/// else that is done with it is done with one of its halves. A record { float; int } that a
/// function is called with, or that is put into a heap, is read so.
class Word {
public:
  explicit Word(LoadInst &L) : IsRecord(L.getType()->isIntegerTy(64) && add(L)) {
    while (IsRecord && Next != Parts.size())
      IsRecord = addUses(*Parts[Next++]);
    // An integer that is moved as a whole may be anything else.
    IsRecord =
        IsRecord && !Halves.empty() && (Stores.empty() || BitTrace().towardsUses(&L) == HalfBits);
  }
  bool isRecord() const { return IsRecord; }
  ArrayRef<Instruction *> parts() const { return Parts.getArrayRef(); }
  void split();

private:
  bool add(Value &V);
  bool addUses(Instruction &I);

  static constexpr unsigned HalfBits = 32, MaxParts = 64;
  SmallSetVector<Instruction *, 8> Parts; ///< The loads, and what is chosen from them.
  SmallSetVector<StoreInst *, 4> Stores;  ///< What they are moved by.
  SmallSetVector<TruncInst *, 4> Halves;  ///< Of what is chosen, and of loads.
  unsigned Next = 0;
  bool IsRecord;
};

} // namespace

bool Word::add(Value &V) {
  if (isa<ConstantInt, UndefValue>(V))
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !isa<LoadInst, PHINode, SelectInst>(I))
    return false;
  auto *L = dyn_cast<LoadInst>(I);
  if (L && (!L->isSimple() || L->hasMetadata(LLVMContext::MD_tbaa) || declaredMember(*L) ||
            !L->getDataLayout().isLittleEndian()))
    return false;
  Parts.insert(I);
  return Parts.size() <= MaxParts;
}

bool Word::addUses(Instruction &I) {
  auto AddHalf = [&](User *U) {
    auto *Half = dyn_cast<TruncInst>(U);
    return Half && Half->getType()->isIntegerTy(HalfBits) && (Halves.insert(Half), true);
  };
  for (Use &U : I.uses()) {
    auto *By = cast<Instruction>(U.getUser());
    if (auto *Store = dyn_cast<StoreInst>(By)) {
      if (!Store->isSimple() || U.getOperandNo() != 0 || Store->hasMetadata(LLVMContext::MD_tbaa) ||
          declaredMember(*Store))
        return false;
      Stores.insert(Store);
    } else if (match(By, m_LShr(m_Specific(&I), m_SpecificInt(HalfBits)))) {
      if (!all_of(By->users(), AddHalf))
        return false;
    } else if (!(isa<PHINode, SelectInst>(By) && add(*By)) && !AddHalf(By)) {
      return false;
    }
  }
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return add(*Select->getTrueValue()) && add(*Select->getFalseValue());
  auto *Phi = dyn_cast<PHINode>(&I);
  return !Phi || all_of(Phi->incoming_values(), [&](Use &U) { return add(*U.get()); });
}

/// Makes loads, choices and moves of the word those of its halves.
void Word::split() {
  SmallVector<WeakTrackingVH, 8> Left(Parts.begin(), Parts.end());
  for (StoreInst *Store : Stores)
    splitIntoHalves(*Store);
  Halver H;
  for (TruncInst *Half : Halves) {
    auto [Whole, High] = wholeOf(*Half);
    if (isa<LoadInst>(Whole))
      continue; // Of which the halves are loaded.
    IRBuilder<> B(Half);
    Half->replaceAllUsesWith(H.half(B, Whole, High));
    RecursivelyDeleteTriviallyDeadInstructions(Half);
  }
  for (WeakTrackingVH &Part : Left)
    if (auto *Phi = dyn_cast_or_null<PHINode>(Part))
      RecursivelyDeleteDeadPHINode(Phi);
    else if (Part && !isa<LoadInst>(Part))
      RecursivelyDeleteTriviallyDeadInstructions(Part);
  for (WeakTrackingVH &Part : Left)
    if (auto *L = dyn_cast_or_null<LoadInst>(Part))
      splitIntoHalves(*L);
}

/// Does \p S store two halves that are read, or bits of a float?
static bool storesHalves(const StoreInst &S) {
  Value *High, *Low;
  auto IsMoved = [](const Value *V) {
    return V->getType()->isIntegerTy(32) && isa<LoadInst, BitCastInst>(V);
  };
  return S.isSimple() && S.getValueOperand()->getType()->isIntegerTy(64) &&
         !S.hasMetadata(LLVMContext::MD_tbaa) && S.getDataLayout().isLittleEndian() &&
         match(S.getValueOperand(),
               m_c_Or(m_Shl(m_ZExt(m_Value(High)), m_SpecificInt(32)), m_ZExt(m_Value(Low)))) &&
         IsMoved(High) && IsMoved(Low);
}

static void splitWords(Function &F) {
  SmallVector<StoreInst *, 8> Stores;
  SmallVector<Word, 4> Words;
  SmallPtrSet<const Instruction *, 8> Seen;
  for (Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I); Store && storesHalves(*Store)) {
      Stores.push_back(Store);
    } else if (auto *Load = dyn_cast<LoadInst>(&I); Load && !Seen.contains(Load)) {
      Word Each(*Load);
      Seen.insert_range(Each.parts());
      if (Each.isRecord())
        Words.push_back(std::move(Each));
    }
  for (StoreInst *Store : Stores) {
    WeakTrackingVH Whole = Store->getValueOperand();
    splitIntoHalves(*Store);
    RecursivelyDeleteTriviallyDeadInstructions(Whole);
  }
  for (Word &Each : Words)
    Each.split();
}

/// Elements of \p V, which is seen as a vector, become parts of the integer that it is.
static void readElementsAsParts(Instruction &V) {
  if (!V.getDataLayout().isLittleEndian() || !V.getType()->isIntegerTy())
    return;
  for (User *Cast : make_early_inc_range(V.users())) {
    auto *T = dyn_cast<FixedVectorType>(Cast->getType());
    if (!isa<BitCastInst>(Cast) || !T || !T->getElementType()->isIntegerTy())
      continue;
    for (User *U : make_early_inc_range(Cast->users()))
      if (auto *Element = dyn_cast<ExtractElementInst>(U))
        if (auto *At = dyn_cast<ConstantInt>(Element->getIndexOperand());
            At && At->getValue().ult(T->getNumElements())) {
          IRBuilder<> B(Element);
          Value *From = B.CreateLShr(&V, At->getZExtValue() * T->getScalarSizeInBits());
          Element->replaceAllUsesWith(B.CreateTrunc(From, Element->getType()));
          Element->eraseFromParent();
        }
    if (Cast->use_empty())
      cast<Instruction>(Cast)->eraseFromParent();
  }
}

/// Does what \p Larger chooses become a float, or a part of it? Vectors may be seen as others.
static bool choosesFloats(const MinMaxIntrinsic &Larger) {
  auto IsFloat = [](const User *U) {
    return isa<BitCastInst>(U) && U->getType()->isFloatingPointTy();
  };
  Type *T = Larger.getType();
  return T->isVectorTy()
             ? mayHide(T->getScalarType())
             : any_of(Larger.users(), IsFloat) || (mayHide(T) && BitTrace().towardsUses(&Larger));
}

/// The larger of two words that become floats, or of which a part does, is a choice between them.
static void chooseByComparison(Function &F) {
  SmallVector<MinMaxIntrinsic *, 8> Left;
  for (Instruction &I : instructions(F))
    if (auto *Larger = dyn_cast<MinMaxIntrinsic>(&I)) {
      readElementsAsParts(*Larger);
      Left.push_back(Larger);
    }
  // What one chooses may be what another one chooses from.
  while (true) {
    auto Found = find_if(reverse(Left), [](MinMaxIntrinsic *Each) { return choosesFloats(*Each); });
    if (Found == Left.rend())
      return;
    MinMaxIntrinsic *Larger = *Found;
    IRBuilder<> B(Larger);
    Value *First = Larger->getLHS(), *Second = Larger->getRHS();
    Value *Takes = B.CreateICmp(Larger->getPredicate(), First, Second);
    Larger->replaceAllUsesWith(B.CreateSelect(Takes, First, Second));
    Left.erase(std::next(Found).base());
    Larger->eraseFromParent();
  }
}

void separateHalves(Function &F) {
  chooseByComparison(F);
  splitWords(F);
  SmallSetVector<Value *, 4> Mixed;
  SmallVector<TruncInst *, 8> Parts;
  for (Instruction &I : instructions(F)) {
    auto *Part = dyn_cast<TruncInst>(&I);
    if (!Part || !mayHide(Part->getType()) || !Part->getOperand(0)->getType()->isIntegerTy())
      continue;
    Value *Whole = wholeOf(*Part).first;
    // What comes another way is taken apart where it comes from (PackedFloats).
    if (!Whole || !isa<PHINode, SelectInst>(Whole))
      continue;
    Parts.push_back(Part);
    if (BitTrace().towardsUses(Part) == Part->getType()->getIntegerBitWidth())
      Mixed.insert(Whole);
  }
  Halver H;
  SmallVector<WeakTrackingVH, 4> Left(Mixed.begin(), Mixed.end());
  for (TruncInst *Part : Parts) {
    auto [Whole, High] = wholeOf(*Part);
    if (!Mixed.contains(Whole))
      continue;
    IRBuilder<> B(Part);
    Part->replaceAllUsesWith(H.half(B, Whole, High));
    RecursivelyDeleteTriviallyDeadInstructions(Part);
  }
  for (WeakTrackingVH &Whole : Left)
    if (auto *Phi = dyn_cast_or_null<PHINode>(Whole))
      RecursivelyDeleteDeadPHINode(Phi);
}

void splitIntoHalves(StoreInst &S) {
  IRBuilder<> B(&S);
  Halver H;
  Value *V = S.getValueOperand(), *To = S.getPointerOperand();
  auto AsItIs = [](Value *Half) { // A float is stored as one.
    auto *Cast = dyn_cast<BitCastInst>(Half);
    return Cast && Cast->getOperand(0)->getType()->isFloatingPointTy() ? Cast->getOperand(0) : Half;
  };
  Value *Low = AsItIs(H.half(B, V, false)), *High = AsItIs(H.half(B, V, true));
  unsigned Bytes = V->getType()->getIntegerBitWidth() / 16;
  B.CreateAlignedStore(Low, To, S.getAlign());
  B.CreateAlignedStore(High, B.CreateConstInBoundsGEP1_32(B.getInt8Ty(), To, Bytes),
                       commonAlignment(S.getAlign(), Bytes));
  S.eraseFromParent();
}

void splitIntoHalves(LoadInst &L) {
  IRBuilder<> B(&L);
  Type *T = L.getType();
  unsigned Bits = T->getIntegerBitWidth() / 2;
  Type *Half = B.getIntNTy(Bits);
  Value *From = L.getPointerOperand();
  Value *Low = B.CreateAlignedLoad(Half, From, L.getAlign(), L.getName() + ".low");
  Value *High =
      B.CreateAlignedLoad(Half, B.CreateConstInBoundsGEP1_32(B.getInt8Ty(), From, Bits / 8),
                          commonAlignment(L.getAlign(), Bits / 8), L.getName() + ".high");
  Value *Above = B.CreateZExt(High, T);
  Value *Whole = B.CreateOr(B.CreateShl(Above, Bits), B.CreateZExt(Low, T));
  auto Truncate = [&](Value *To, Value &Of) {
    for (User *U : make_early_inc_range(Of.users()))
      if (isa<TruncInst>(U) && U->getType()->getIntegerBitWidth() <= Bits) {
        auto *I = cast<Instruction>(U);
        I->replaceAllUsesWith(IRBuilder<>(I).CreateTrunc(To, I->getType()));
        I->eraseFromParent();
      }
  };
  Truncate(Low, L);
  for (User *U : make_early_inc_range(L.users()))
    if (match(U, m_LShr(m_Specific(&L), m_SpecificInt(Bits)))) {
      Truncate(High, *U);
      U->replaceAllUsesWith(Above);
      cast<Instruction>(U)->eraseFromParent();
    }
  L.replaceAllUsesWith(Whole);
  L.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Whole);
}

bool isFloatInDisguise(const Argument &A) {
  return A.getType()->isIntegerTy() && hiddenFloat(A) != HiddenFloat::None;
}

} // namespace isozyme
