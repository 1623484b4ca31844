//===- IntegerEvidence.cpp - What uses of integers say about them ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts prove what an integer is, and indexing that it is a number. Arithmetic and
// comparisons are done on the bits of floats too: they count only for values into
// which no bits of a float can have come, which is known when the rest has been
// solved.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Values/BitFlow.h"
#include "isozyme/Values/PointerMoves.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace isozyme;

static bool isInteger(const Value *V) { return V->getType()->isIntOrIntVectorTy(); }

/// phi, select and the like: the result is a copy of these operands.
static SmallVector<const Value *, 4> copiedOperands(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Freeze:
  case Instruction::BitCast:
    return SmallVector<const Value *, 4>(I.op_begin(), I.op_end());
  case Instruction::Select:
    return {I.getOperand(1), I.getOperand(2)};
  case Instruction::ShuffleVector:
  case Instruction::InsertElement:
    return {I.getOperand(0), I.getOperand(1)};
  case Instruction::ExtractElement:
    return {I.getOperand(0)};
  case Instruction::ExtractValue: {
    auto &Part = cast<ExtractValueInst>(I);
    const Value *Member = Part.getNumIndices() == 1
                              ? memberOf(Part.getAggregateOperand(), Part.getIndices()[0])
                              : nullptr;
    if (Member)
      return {Member};
    return {};
  }
  default:
    return {};
  }
}

/// Does \p V count from a constant on in constant steps, once round a loop each?
static bool isCounter(const Value *V) {
  using namespace PatternMatch;
  auto StepFrom = [](const Value *Next) {
    const Value *From = nullptr;
    return match(Next, m_c_Add(m_Value(From), m_ConstantInt())) ? dyn_cast<PHINode>(From) : nullptr;
  };
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi)
    Phi = StepFrom(V);
  return Phi && any_of(Phi->incoming_values(), [](const Use &U) { return isa<ConstantInt>(U); }) &&
         any_of(Phi->incoming_values(), [&](const Use &U) { return StepFrom(U) == Phi; });
}

/// Is \p I read from where a string has its text, or from text in the source?
static bool isCharacterOfText(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || !Load->getType()->isIntegerTy(8))
    return false;
  const Value *Text = Load->getPointerOperand()->stripInBoundsOffsets();
  if (auto *GV = dyn_cast<GlobalVariable>(Text))
    return GV->isConstant() && GV->hasInitializer() && GV->getValueType()->isArrayTy() &&
           GV->getValueType()->getArrayElementType()->isIntegerTy(8);
  auto *Call = dyn_cast<CallBase>(Text);
  return Call && returnsText(*Call);
}

void GraphBuilder::scalarEvidence(const Instruction &I) {
  ScalarTypes &Scalars = S.Scalars;
  for (const Value *Op : copiedOperands(I)) {
    if (isMoved(&I) && isMoved(Op))
      Scalars.addCopy(&I, Op);
    else if (isInteger(&I) && Op->getType()->isFPOrFPVectorTy())
      Scalars.addEvidence(&I, ConcreteType::ofFloat(Op->getType()->getScalarType()));
    else if (isInteger(Op) && I.getType()->isFPOrFPVectorTy())
      Scalars.addEvidence(Op, ConcreteType::ofFloat(I.getType()->getScalarType()));
  }
  // No float is so short; but a byte that is loaded may be a part of one.
  bool Chosen = isa<SelectInst, PHINode>(I) &&
                all_of(copiedOperands(I), [](const Value *Op) { return isa<Constant>(Op); });
  if (isInteger(&I) && I.getType()->getScalarSizeInBits() < 16 &&
      (Chosen || isa<ExtractValueInst>(I)))
    Scalars.addEvidence(&I, ConcreteType::Integer);
  if (isCharacterOfText(I))
    Scalars.addEvidence(&I, ConcreteType::Integer, /*ByUse=*/false);
  switch (I.getOpcode()) {
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
    if (MovedPointers.contains(I.getOperand(0)))
      return Scalars.addCopy(&I, I.getOperand(0));
    return Scalars.addEvidence(&I, ConcreteType::Pointer);
  case Instruction::IntToPtr:
    if (MovedPointers.contains(&I))
      return Scalars.addCopy(&I, I.getOperand(0));
    return Scalars.addEvidence(I.getOperand(0), ConcreteType::Pointer);
  case Instruction::Ret:
    if (I.getNumOperands() && isMoved(I.getOperand(0)) && !isa<Constant>(I.getOperand(0)))
      S.Functions[I.getFunction()].ReturnedInteger = I.getOperand(0);
    return;
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return Scalars.addEvidence(&I, ConcreteType::Integer);
  case Instruction::GetElementPtr:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::Switch:
    for (const Use &U : I.operands())
      if (isInteger(U.get()))
        Scalars.addEvidence(U.get(), ConcreteType::Integer);
    if (isInteger(&I))
      Scalars.addEvidence(&I, ConcreteType::Integer);
    return;
  case Instruction::ICmp: // No bits of a float, nor an address, are counted to.
    for (auto [Bound, Counter] : {std::pair(0, 1), std::pair(1, 0)})
      if (isInteger(I.getOperand(Bound)) && isCounter(I.getOperand(Counter)))
        Scalars.addEvidence(I.getOperand(Bound), ConcreteType::Integer);
    return;
  default:
    return;
  }
}

/// An operation on bits: its result may be made of the bits of its operands.
bool GraphBuilder::isBitOperation(const Instruction &I) const {
  if (isInteger(&I) &&
      (I.isBinaryOp() || isa<TruncInst>(I) || isa<ZExtInst>(I) || isa<SExtInst>(I)))
    return true;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && isInteger(Call) && Call->doesNotAccessMemory();
}

/// A callee may make its result of the bits that it is passed.
bool GraphBuilder::mayReturnBits(const Instruction &I) const {
  auto *Call = dyn_cast<CallBase>(&I);
  const GraphSummary::Interface *Callee = Call ? interfaceOf(*Call) : nullptr;
  return Callee && Callee->ReturnTreated;
}

/// All bits of the result that vary are bits of the first operand.
static bool isMoveOfBits(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
    return true;
  case Instruction::LShr:
  case Instruction::Shl:
  case Instruction::And:
    return isa<Constant>(I.getOperand(1)) && !isa<Constant>(I.getOperand(0));
  default:
    return false;
  }
}

/// The pieces that \p I puts together, of which nothing is a constant.
static SmallVector<const Value *, 2> piecesOf(const Instruction &I) {
  auto *Or = dyn_cast<PossiblyDisjointInst>(&I);
  bool AnyConstant = any_of(I.operands(), [](const Use &U) { return isa<Constant>(U); });
  if (!Or || !Or->isDisjoint() || AnyConstant)
    return {};
  return {I.getOperand(0), I.getOperand(1)};
}

bool isozyme::isCountedInPlace(const Value *V) {
  using namespace PatternMatch;
  auto IsNewCount = [](const Value *New) {
    const Value *Old;
    if (!match(New, m_c_Add(m_Value(Old), m_ConstantInt())))
      return false;
    auto *Read = dyn_cast<LoadInst>(Old);
    return Read && any_of(New->users(), [&](const User *U) {
             auto *Written = dyn_cast<StoreInst>(U);
             return Written && Written->getValueOperand() == New &&
                    Written->getPointerOperand() == Read->getPointerOperand();
           });
  };
  return IsNewCount(V) || (isa<LoadInst>(V) && any_of(V->users(), IsNewCount));
}

/// Integers that known objects keep where only others have addresses, and that are only compared
/// and counted up or down.
DenseSet<const Value *> GraphBuilder::numbersOfObjects() const {
  auto IsCompared = [](const User *U) { return isa<ICmpInst>(U); };
  auto IsCounted = [&](const User *U) {
    return isCountedInPlace(U) &&
           all_of(U->users(), [&](const User *Of) { return isa<StoreInst>(Of) || IsCompared(Of); });
  };
  DenseSet<const Value *> Numbers, Others;
  for (const PendingAccess &A : IntegerAccesses) {
    if (!A.Value || !isa<LoadInst>(A.Value))
      continue;
    bool IsNumber = hasOnlyIntegersInObject(A) && all_of(A.Value->users(), [&](const User *U) {
                      return IsCompared(U) || IsCounted(U);
                    });
    (IsNumber ? Numbers : Others).insert(A.Value);
  }
  for (const Value *V : Others)
    Numbers.erase(V);
  DenseSet<const Value *> Counts;
  for (const Value *V : Numbers)
    for (const User *U : V->users())
      if (!isa<ICmpInst>(U))
        Counts.insert(U);
  Numbers.insert_range(Counts);
  return Numbers;
}

void GraphBuilder::bitEvidence() {
  DenseSet<const Value *> Numbers = numbersOfObjects();
  DenseSet<const Value *> FloatBits;
  auto HasFloatBits = [&](const Value *V) {
    return FloatBits.contains(V) || (!isa<Constant>(V) && S.Scalars.typeOf(V).isFloat());
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Function *F : Component)
      for (const Instruction &I : instructions(*F))
        if (isInteger(&I) && !FloatBits.contains(&I) &&
            (isBitOperation(I) || mayReturnBits(I) || !copiedOperands(I).empty()) &&
            any_of(I.operands(), [&](const Use &U) { return isInteger(U) && HasFloatBits(U); })) {
          FloatBits.insert(&I);
          Changed = true;
        } else if (isMoveOfBits(I) && HasFloatBits(&I)) {
          // The bits of a float that are there afterwards were there before.
          Changed |= FloatBits.insert(I.getOperand(0)).second;
        } else if (S.Scalars.typeOf(&I).isFloat()) { // What is put together to one is pieces of it.
          for (const Value *Piece : piecesOf(I))
            Changed |= FloatBits.insert(Piece).second;
        }
  }
  auto Number = [&](const Value *V) {
    if (!isInteger(V) || HasFloatBits(V))
      return;
    // A tagged or aligned address still is one.
    if (!isa<Constant>(V) && !Numbers.contains(V) && targetOf(V).isValid())
      S.Scalars.addEvidence(V, ConcreteType::Pointer);
    else
      S.Scalars.addTreatment(V);
  };
  for (const Function *F : Component) {
    for (const Argument &A : F->args())
      if (isMarkedNumber(A))
        Number(&A);
    for (const Instruction &I : instructions(*F)) {
      if (isBitOperation(I) || isa<ICmpInst>(I))
        for (const Use &U : I.operands())
          Number(U);
      if (isBitOperation(I))
        Number(&I);
      auto *Call = dyn_cast<CallBase>(&I);
      const GraphSummary::Interface *Callee = Call ? interfaceOf(*Call) : nullptr;
      if (!Callee)
        continue;
      // What is no address to the callee is none here.
      for (auto [K, Treated] : enumerate(Callee->FormalTreated))
        if (Treated && !HasFloatBits(Call->getArgOperand(K)))
          S.Scalars.addTreatment(Call->getArgOperand(K));
      if (Callee->ReturnTreated && !HasFloatBits(Call))
        S.Scalars.addTreatment(Call);
    }
  }
}

bool GraphBuilder::isMadeOfBits(const Value *Returned) const {
  auto MadeOf = [&](const Value *V) {
    Operands Found;
    auto *I = dyn_cast<Instruction>(V);
    if (I && (isBitOperation(*I) || !copiedOperands(*I).empty()))
      for (const Use &U : drop_begin(I->operands(), isa<SelectInst>(I)))
        if (isInteger(U) && !isa<Constant>(U))
          Found.push_back(U.get());
    return Found;
  };
  return hasRoomForMantissa(Returned, DL) && comesFrom(Returned, MadeOf, [&](const Value *V) {
           auto *Call = dyn_cast<CallBase>(V);
           bool Read = isa<Argument, LoadInst>(V) || (Call && S.BitsReturned.contains(Call));
           return Read && S.Scalars.yieldsToFloats(V);
         });
}

/// A callee that moves integers between registers and memory knows neither side as floats;
/// that is for a caller to see.
void GraphBuilder::noteKeptIntegers(const Function &F) {
  constexpr unsigned MaxKept = 64;
  GraphSummary::Interface &Interface = S.Functions[&F];
  auto Note = [&](const Value *V, std::optional<unsigned> Formal) {
    ConcreteType T = S.Scalars.typeOf(V);
    if (!isMoved(V) || (isInteger(V) && V->getType()->getScalarSizeInBits() < 16) ||
        (T.isKnown() && (T.kind() != ConcreteType::Integer || S.Scalars.isUsedAsInteger(V))))
      return;
    for (const PendingAccess &A : IntegerAccesses) {
      if (!A.Value || !A.Place.isValid() || !S.Scalars.areCopies(A.Value, V))
        continue;
      PointerTarget Place = G.normal(A.Place);
      bool Known = any_of(Interface.KeptIntegers, [&](const auto &Kept) {
        return Kept.Formal == Formal && Kept.Place == Place && Kept.Size == A.Size &&
               Kept.Load == A.Load && Kept.Store == A.Store;
      });
      if (!Known && Interface.KeptIntegers.size() < MaxKept)
        Interface.KeptIntegers.push_back({Formal, Place, A.Size, A.Load, A.Store});
    }
  };
  for (const Argument &A : F.args())
    Note(&A, A.getArgNo());
  if (Interface.ReturnedInteger)
    Note(Interface.ReturnedInteger, std::nullopt);
}

void GraphBuilder::importKeptIntegers(const CallBase &Call) {
  for (const auto &Kept : interfaceOf(Call)->KeptIntegers) {
    const Value *V = Kept.Formal ? Call.getArgOperand(*Kept.Formal) : &Call;
    PointerTarget Place = passedPlace(Call, Kept.Place);
    if (Place.isValid() && isMoved(V) && !isa<Constant>(V))
      IntegerAccesses.push_back(
          {V, Place, Kept.Size, Kept.Load, Kept.Store, ConcreteType::Integer, true});
  }
}
