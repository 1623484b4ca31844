//===- GraphBuilder.cpp - Where pointers lead -----------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first step: visits all instructions until no target changes. Every change
// is a join, so this ends; after a few rounds offsets are given up, so it ends soon.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Values/AddressArithmetic.h"
#include "isozyme/Values/DeclaredFloats.h"
#include "isozyme/Values/DeclaredRecords.h"
#include "isozyme/Values/KnownMultiple.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <numeric>

using namespace llvm;
using namespace isozyme;
using namespace llvm::PatternMatch;

/// From this round on, a new cell is not told from its neighbours.
static constexpr unsigned CoarsePass = 12;
/// Nothing is at addresses below, nor so close to the last one.
static constexpr uint64_t FirstPage = 4096;
/// Pointers of a constant table that are followed one by one.
static constexpr unsigned InitializerBudget = 4096;

/// Blocks from which no return is reached: the program ends there, or throws.
static DenseSet<const BasicBlock *> blocksWithoutReturn(const Function &F) {
  SmallVector<const BasicBlock *, 16> Work;
  for (const BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator()))
      Work.push_back(&BB);
  DenseSet<const BasicBlock *> Without;
  if (Work.empty())
    return Without;
  DenseSet<const BasicBlock *> Returning(Work.begin(), Work.end());
  while (!Work.empty())
    for (const BasicBlock *Pred : predecessors(Work.pop_back_val()))
      if (Returning.insert(Pred).second)
        Work.push_back(Pred);
  for (const BasicBlock &BB : F)
    if (!Returning.contains(&BB))
      Without.insert(&BB);
  return Without;
}

/// What is put into records for a last message says nothing of the function's data: places there
/// may hold an index at one time and an address at another.
///
///   call void @add_to_message(ptr %message, i64 %index)    ; a union of i64 and ptr
///   call void @print_and_abort(ptr %message)
///   unreachable
static bool mayMixKinds(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return bodyOfCallee(*Call);
  auto *Store = dyn_cast<StoreInst>(&I);
  return Store && !isFloatLike(Store->getValueOperand()->getType());
}

void GraphBuilder::build(ArrayRef<const Function *> Functions,
                         function_ref<void(GraphBuilder &)> MoreFacts) {
  Component.assign(Functions.begin(), Functions.end());
  // Derivatives access shadows without tags.
  FromSource =
      none_of(Component, [](const Function *F) { return F->hasFnAttribute(marking::Synthesised); });
  HasTags = FromSource && any_of(Component, [](const Function *F) {
              return any_of(instructions(*F), [](const Instruction &I) { return hasSourceTag(I); });
            });
  BytesInSource.emplace(*Component.front()->getParent());
  DenseSet<const BasicBlock *> Ending;
  for (const Function *F : Component) {
    declareFunction(*F);
    Ending.insert_range(blocksWithoutReturn(*F));
  }
  auto counts = [&](const Instruction &I) {
    return Ending.empty() || !Ending.contains(I.getParent()) || !mayMixKinds(I);
  };
  for (bool Changed = true; Changed; ++Pass) {
    Changed = false;
    for (const Function *F : Component)
      for (const Instruction &I : instructions(*F))
        if (counts(I))
          Changed |= visit(I);
  }
  findMovedPointers();
  for (const Function *F : Component)
    for (const Instruction &I : instructions(*F))
      if (counts(I))
        factsOf(I);
  settleUntoldFloats();
  for (const Function *F : Component)
    statements(*F);
  initializerFacts();
  if (MoreFacts)
    MoreFacts(*this);
  findPrivateMemory();
  deduceTypes();
  // Nobody calls what is built for a callee: its copies have been followed, and to note them for
  // callers would mix all that is copied where there is much of it.
  if (!OnBehalfOfCallee)
    noteCopies();
  G.findPeriods();
  setAccessFlags();
  noteTreatedMemory();
  G.shortenAll();
  for (auto &[Call, Effects] : G.Effects) // Copies may have merged nodes since.
    for (CallEffect &E : Effects)
      E.Node = G.find(E.Node);
  for (const Function *F : Component) {
    GraphSummary::Interface &Interface = S.Functions[F];
    for (const Argument &A : F->args())
      Interface.FormalTypes.push_back(S.Scalars.typeOf(&A));
    for (const Argument &A : F->args())
      Interface.FormalTreated.push_back(S.Scalars.yieldsToFloats(&A));
    for (const Argument &A : F->args())
      Interface.FormalUsed.push_back(S.Scalars.isUsedAsInteger(&A));
    noteReturnedNumbers(*F);
    if (const Value *Returned = Interface.ReturnedInteger) {
      Interface.ReturnType = S.Scalars.typeOf(Returned);
      Interface.ReturnTreated = S.Scalars.yieldsToFloats(Returned);
      Interface.ReturnUsed = S.Scalars.isUsedAsInteger(Returned);
      Interface.ReturnsBits = Interface.ReturnTreated && isMadeOfBits(Returned);
    }
    noteKeptIntegers(*F);
  }
}

bool isozyme::isAddress(const Value &V, const DataLayout &DL) {
  return V.getType()->isIntegerTy(DL.getPointerSizeInBits()) && becomesPointer(V);
}

void GraphBuilder::declareFunction(const Function &F) {
  GraphSummary::Interface &Interface = S.Functions[&F];
  for (const Argument &A : F.args()) {
    PointerTarget T;
    if (containsPointer(A.getType()) || isAddress(A, DL)) {
      T.Node = G.addNode();
      G.Nodes[T.Node].Roots.push_back(&A);
      G.setTarget(&A, G.startOf(&A, T.Node));
    }
    Interface.Formals.push_back(T);
    Interface.IntegerFormals.push_back({});
  }
}

unsigned GraphBuilder::externalNode() {
  if (S.External == PointerTarget::None) {
    S.External = G.addNode();
    MemoryNode &N = G.Nodes[S.External];
    N.External = N.Opaque = true;
    N.CellModulus = 1;
    N.Cells[{0, StringRef()}] = {{S.External, 0, 1}, true, true, false, true};
  }
  return G.find(S.External);
}

unsigned GraphBuilder::globalNode(const GlobalVariable *GV) {
  auto [It, New] = S.Globals.insert({GV, 0});
  if (!New)
    return It->second;
  unsigned Node = G.addNode();
  S.Globals[GV] = Node;
  G.Nodes[Node].Roots.push_back(GV);
  if (GV->getValueType()->isSized())
    G.Nodes[Node].ObjectSize = DL.getTypeAllocSize(GV->getValueType());
  unsigned Budget = InitializerBudget;
  if (GV->hasInitializer())
    linkInitializer(Node, GV->getInitializer(), 0, Budget);
  return Node;
}

void GraphBuilder::linkInitializer(unsigned Node, const Constant *C, uint64_t Offset,
                                   unsigned &Budget) {
  if (isa<ConstantData>(C) || isa<Function>(C))
    return;
  if (C->getType()->isPointerTy()) {
    // A huge table is one cell: which entry leads where is not worth knowing.
    PointerTarget Place{Node, int64_t(Offset), Budget ? 0u : 1u};
    Budget -= Budget != 0;
    G.joinCell(Place, {targetOf(C), false, true});
    return;
  }
  for (unsigned K = 0, E = C->getNumOperands(); K != E; ++K) {
    uint64_t At = 0;
    if (auto *ST = dyn_cast<StructType>(C->getType()))
      At = DL.getStructLayout(ST)->getElementOffset(K);
    else if (auto *AT = dyn_cast<ArrayType>(C->getType()))
      At = K * DL.getTypeAllocSize(AT->getElementType());
    else if (auto *VT = dyn_cast<FixedVectorType>(C->getType()))
      At = K * DL.getTypeAllocSize(VT->getElementType());
    if (auto *Op = dyn_cast<Constant>(C->getOperand(K)))
      linkInitializer(Node, Op, Offset + At, Budget);
  }
}

/// An index as a constant more than another: i * 24 + 176.
static std::pair<const Value *, int64_t> splitConstant(const Value *Index) {
  const Value *Rest = nullptr;
  const APInt *More = nullptr;
  bool Adds = match(Index, m_AddLike(m_Value(Rest), m_APInt(More)));
  if (!Adds || !Index->getType()->isIntegerTy(64) || More->getSignificantBits() > 32)
    return {Index, 0};
  return {Rest, More->getSExtValue()};
}

PointerTarget isozyme::stepBy(const GEPOperator &GEP, PointerTarget Base, const DataLayout &DL,
                              PointerDistance OfPointers) {
  if (!Base.isValid())
    return Base;
  unsigned Bits = DL.getIndexTypeSizeInBits(GEP.getType());
  SmallMapVector<Value *, APInt, 4> Variables;
  APInt Constant(Bits, 0);
  if (!GEP.collectOffset(DL, Bits, Variables, Constant))
    return Base.plus(0, 1);
  uint64_t Stride = 0;
  bool Onward = true;
  for (auto &[Whole, Scale] : Variables) {
    auto [Index, More] = splitConstant(Whole);
    Constant += Scale * APInt(Bits, More, /*isSigned=*/true);
    uint64_t Multiple = distanceMultiple(*Index, DL, OfPointers);
    Stride = std::gcd(Stride, Scale.abs().getZExtValue() * Multiple);
    bool Counts =
        (GEP.hasNoUnsignedWrap() && !More) || isKnownNonNegative(Index, SimplifyQuery(DL));
    Onward &= Scale.isStrictlyPositive() && Counts;
  }
  return Base.plus(Constant.getSExtValue(), Stride, Onward);
}

PointerTarget GraphBuilder::targetOf(const Value *V) {
  if (auto *C = dyn_cast<Constant>(V)) {
    if (auto *GV = dyn_cast<GlobalVariable>(C))
      return G.startOf(GV, globalNode(GV));
    if (auto *GA = dyn_cast<GlobalAlias>(C))
      return targetOf(GA->getAliasee());
    if (auto *CE = dyn_cast<ConstantExpr>(C)) {
      if (auto *GEP = dyn_cast<GEPOperator>(CE))
        return stepBy(*GEP, targetOf(GEP->getPointerOperand()), DL);
      bool IsCast = CE->getOpcode() == Instruction::IntToPtr;
      auto *Address = IsCast ? dyn_cast<ConstantInt>(CE->getOperand(0)) : nullptr;
      if (Address) // Near to null is no memory: a step from the start of an empty array, or back.
        return Address->getValue().abs().ult(FirstPage) ? PointerTarget()
                                                        : PointerTarget{externalNode(), 0, 1};
    }
    if (isa<ConstantExpr>(C) || isa<ConstantAggregate>(C)) {
      PointerTarget Result;
      for (const Use &U : C->operands())
        G.join(Result, targetOf(U.get()));
      G.drain();
      return G.normal(Result);
    }
    return {};
  }
  return G.targetOf(V);
}

bool GraphBuilder::joinOperands(const Instruction &I) {
  bool Changed = false;
  if (I.getType()->isIntegerTy() && isNumber(I))
    return false;
  for (const Use &U : I.operands()) { // What calls return is not told by what they are given.
    PointerTarget T = targetOf(U.get());
    Changed |= G.setTarget(&I, isa<CallBase>(I) ? T.ofAnyObject() : T);
  }
  // A pointer in the guise of an integer is known by where it ends up.
  PointerTarget T = G.targetOf(&I);
  if (I.getType()->isIntOrIntVectorTy() && T.isValid())
    for (const Use &U : I.operands())
      if (!isa<Constant>(U.get()) && U->getType() == I.getType() && !isNumber(*U.get()))
        Changed |= G.setTarget(U.get(), T);
  return Changed;
}

/// Pointers inside a value of type \p T, by byte offset.
static void pointersIn(Type *T, uint64_t Offset, const DataLayout &DL,
                       SmallVectorImpl<uint64_t> &Out) {
  if (T->isPointerTy()) {
    Out.push_back(Offset);
  } else if (auto *ST = dyn_cast<StructType>(T)) {
    for (unsigned K = 0; K != ST->getNumElements(); ++K)
      pointersIn(ST->getElementType(K), Offset + DL.getStructLayout(ST)->getElementOffset(K), DL,
                 Out);
  } else if (isa<ArrayType>(T) || isa<FixedVectorType>(T)) {
    Type *E = T->getContainedType(0);
    uint64_t N =
        isa<ArrayType>(T) ? T->getArrayNumElements() : cast<FixedVectorType>(T)->getNumElements();
    if (!containsPointer(E))
      return;
    for (uint64_t K = 0; K != std::min<uint64_t>(N, 256); ++K)
      pointersIn(E, Offset + K * DL.getTypeAllocSize(E), DL, Out);
  }
}

/// What the source calls that which \p V loads or stores.
static ConcreteType nameOfAccess(const Value &V, const DataLayout &DL) {
  auto *Access = dyn_cast<Instruction>(&V);
  if (!Access)
    return ConcreteType::Unknown;
  if (const MDNode *Tag = Access->getMetadata(LLVMContext::MD_tbaa))
    return typeNamedBy(Tag, DL);
  std::optional<DeclaredMember> Member = declaredMember(*Access);
  if (!Member)
    return ConcreteType::Unknown;
  if (Member->IsInteger)
    return ConcreteType::Integer;
  Type *Named = Member->scalar(DL);
  return Named && Named->isPointerTy() ? ConcreteType::Pointer : ConcreteType::Unknown;
}

/// The tag by which all other accesses to the address of \p Access that have one name what the
/// pointer there leads to, if that are integers. An assignment of a class with padding at its end,
/// as the iterator in a `std::vector<bool>`, moves its pointer without a tag.
static const MDNode *tagOfOtherAccesses(const Instruction &Access) {
  const Value *Address = getLoadStorePointerOperand(&Access);
  if (!Address || isa<Constant>(Address) || !getLoadStoreType(&Access)->isPointerTy())
    return nullptr;
  const MDNode *Name = nullptr;
  for (const User *U : Address->users()) {
    auto *Other = dyn_cast<Instruction>(U);
    const MDNode *Tag = Other && getLoadStorePointerOperand(Other) == Address
                            ? Other->getMetadata(LLVMContext::MD_tbaa)
                            : nullptr;
    if (!Tag)
      continue;
    std::optional<PointeeTag> Pointee = pointeeOfTag(Tag, Access.getDataLayout());
    bool OfIntegers = Pointee && Pointee->Type.kind() == ConcreteType::Integer;
    if (!OfIntegers || (Name && pointerNamedBy(Name) != pointerNamedBy(Tag)))
      return nullptr;
    Name = Tag;
  }
  return Name;
}

/// What the source calls that to which the pointer leads that \p V loads or stores.
static StringRef pointeeOfAccess(const Value &V) {
  auto *Access = dyn_cast<Instruction>(&V);
  const MDNode *Tag = Access ? Access->getMetadata(LLVMContext::MD_tbaa) : nullptr;
  if (Access && !Tag)
    Tag = tagOfOtherAccesses(*Access);
  return Tag ? pointerNamedBy(Tag) : StringRef();
}

bool GraphBuilder::isNumberedInteger(const Value &Access, PointerTarget Place) const {
  if (!Place.isValid() || !isa<LoadInst, StoreInst>(Access))
    return false;
  const MemoryNode &N = G.node(Place.Node);
  bool IsOneOfMany = Place.Stride || N.CellModulus || N.Skewed || N.Merged;
  return IsOneOfMany && nameOfAccess(Access, DL).kind() == ConcreteType::Integer;
}

bool isozyme::isNamedInteger(const Value &Access, const DataLayout &DL) {
  return isa<LoadInst, StoreInst>(Access) &&
         nameOfAccess(Access, DL).kind() == ConcreteType::Integer;
}

/// Does \p Access read or write, at \p Place, one of the elements that the source names integers?
bool GraphBuilder::isElement(const Value &Access, PointerTarget Place) {
  const Value *Ptr = getLoadStorePointerOperand(&Access);
  return isNumberedInteger(Access, Place) ||
         (Ptr && isNumberedInteger(Access, targetOf(Ptr))); // A counter takes it there.
}

bool GraphBuilder::visitLoadLike(const Value &Result, const Value *Ptr, Type *T,
                                 uint64_t ExtraStride, uint64_t Offset) {
  bool Changed = false;
  for (PointerTarget Place : chosenPlaces(Ptr, T, isNamedInteger(Result, DL)))
    Changed |= visitLoadAt(Result, Place.plus(Offset, ExtraStride), T);
  return Changed;
}

bool GraphBuilder::visitLoadAt(const Value &Result, PointerTarget Place, Type *T) {
  if (!Place.isValid())
    return false;
  if (Pass > CoarsePass)
    Place = Place.plus(0, 1);
  bool Changed = false;
  if (T->isIntOrIntVectorTy()) {
    if (isElement(Result, Place) && !isAddress(Result, DL) && (!Pass || !G.mayHoldIntegers(Place)))
      return !Pass; // What is there may be named later in this round.
    // Perhaps pointers that are moved as integers: so it is if they are stored
    // where a pointer is read.
    unsigned Step = DL.getPointerSize();
    if (isAddress(Result, DL) && !G.contentOf(Place).isValid())
      Changed |= G.joinCell(Place, {{G.addNode(), 0, 0}, true, false, false, true});
    for (uint64_t At = 0; At + Step <= DL.getTypeStoreSize(T); At += Step) {
      PointerTarget Cell = Place.plus(At);
      Changed |= G.joinNames(Cell);
      Changed |= G.setTarget(&Result, G.contentOf(Cell));
      if (PointerTarget Wanted = G.targetOf(&Result); Wanted.isValid())
        Changed |= G.joinCell(Cell, {Wanted, true, false, false, true});
    }
    return Changed;
  }
  SmallVector<uint64_t, 4> Pointers;
  pointersIn(T, 0, DL, Pointers);
  bool Named = nameOfAccess(Result, DL).kind() == ConcreteType::Pointer;
  StringRef Pointee = T->isPointerTy() ? pointeeOfAccess(Result) : StringRef();
  for (uint64_t At : Pointers) {
    PointerTarget Cell = Place.plus(At);
    Changed |= G.joinCell(Cell, {{}, true, false, Named, false, Pointee});
    if (!G.contentOf(Cell, Pointee).isValid()) {
      unsigned Fresh = G.addNode();
      Changed |= G.joinCell(Cell, {{Fresh, 0, 0}, true, false, Named, false, Pointee});
    }
    if (!isTakenApart(Result))
      Changed |= G.setTarget(&Result, G.contentOf(Cell, Pointee));
  }
  return Changed;
}

PointerTarget GraphBuilder::wholeAddress(const Value *Part) {
  auto *Cut = dyn_cast<TruncInst>(Part);
  return Cut ? targetOf(Cut->getOperand(0)) : PointerTarget();
}

bool GraphBuilder::visitStoreLike(const Instruction &By, const Value *Stored, const Value *Ptr,
                                  uint64_t ExtraStride, uint64_t Offset) {
  bool Changed = false;
  for (PointerTarget Place : chosenPlaces(Ptr, Stored->getType(), isNamedInteger(By, DL)))
    Changed |= visitStoreAt(By, Stored, Place.plus(Offset, ExtraStride));
  return Changed;
}

bool GraphBuilder::visitStoreAt(const Instruction &By, const Value *Stored, PointerTarget Place) {
  if (!Place.isValid())
    return false;
  if (Pass > CoarsePass)
    Place = Place.plus(0, 1);
  PointerTarget Content = targetOf(Stored);
  if (isElement(By, Place) && !Content.isValid() && (!Pass || !G.mayHoldIntegers(Place)))
    return !Pass;
  bool Changed = false;
  if (PointerTarget Whole = wholeAddress(Stored); // Unseen code may join the parts.
      Whole.isValid() && G.find(Whole.Node) != externalNode()) {
    G.unify(Whole.Node, externalNode());
    Changed = true;
  }
  SmallVector<uint64_t, 4> Pointers;
  pointersIn(Stored->getType(), 0, DL, Pointers);
  bool AsInteger = Pointers.empty();
  bool Named = !AsInteger && nameOfAccess(By, DL).kind() == ConcreteType::Pointer;
  if (Stored->getType()->isIntOrIntVectorTy() && !isa<Constant>(Stored) && !isNumber(*Stored)) {
    unsigned Step = DL.getPointerSize();
    for (uint64_t At = 0; At + Step <= DL.getTypeStoreSize(Stored->getType()); At += Step) {
      if (!Content.isValid()) { // Does someone read a pointer there?
        Changed |= G.joinNames(Place.plus(At));
        Changed |= G.setTarget(Stored, G.contentOf(Place.plus(At)));
        Content = G.targetOf(Stored);
      }
      if (Content.isValid())
        Pointers.push_back(At);
    }
  }
  StringRef Pointee = Stored->getType()->isPointerTy() ? pointeeOfAccess(By) : StringRef();
  auto *C = dyn_cast<Constant>(Stored);
  if (C && C->isNullValue() && !Named) // Leads nowhere, and says nothing of the pointers here.
    return Changed;
  for (uint64_t At : Pointers)
    Changed |= G.joinCell(Place.plus(At), {Content, false, true, Named, AsInteger, Pointee});
  return Changed;
}

/// Addresses computed as integers: p + k keeps its node, p - q is a number.
bool GraphBuilder::visitIntegerArithmetic(const Instruction &I) {
  if (isNumber(I))
    return false;
  PointerTarget A = targetOf(I.getOperand(0));
  PointerTarget B = I.getNumOperands() > 1 ? targetOf(I.getOperand(1)) : PointerTarget();
  if (!A.isValid() && !B.isValid())
    return false;
  if (I.getOpcode() == Instruction::Sub && B.isValid())
    return false;
  if (I.getOpcode() == Instruction::Sub && !Pass && !isa<Constant>(I.getOperand(1)))
    return true; // The second operand may be an address that is found later in this round.
  auto *C = I.getNumOperands() > 1 ? dyn_cast<ConstantInt>(I.getOperand(1)) : nullptr;
  if (I.getOpcode() == Instruction::Add && C && A.isValid())
    return G.setTarget(&I, A.plus(C->getSExtValue()));
  bool Changed = G.setTarget(&I, A.plus(0, 1));
  return Changed | G.setTarget(&I, B.plus(0, 1));
}

/// end - start is a number of whole elements, where both are elements of one array:
///
///   %to = getelementptr i8, ptr %room, i64 (sub %end, %start)
uint64_t GraphBuilder::distanceByTargets(const Operator &Sub) {
  PointerTarget A = targetOf(Sub.getOperand(0)), B = targetOf(Sub.getOperand(1));
  if (!A.isValid() || !B.isValid() || A.Node != B.Node)
    return 1;
  uint64_t Distance = A.Offset > B.Offset ? A.Offset - B.Offset : B.Offset - A.Offset;
  return std::gcd(std::gcd(A.Stride, B.Stride), Distance);
}

bool GraphBuilder::visitStep(const GEPOperator &GEP) {
  bool Waits = false;
  PointerTarget Place =
      stepBy(GEP, targetOf(GEP.getPointerOperand()), DL, [&](const Operator &Sub) {
        auto IsToCome = [&](const Value *V) { // Later in this round.
          return isa<PtrToIntInst>(V) && !targetOf(V).isValid();
        };
        Waits |= !Pass && (IsToCome(Sub.getOperand(0)) || IsToCome(Sub.getOperand(1)));
        return distanceByTargets(Sub);
      });
  return Waits || G.setTarget(&GEP, Place);
}

bool GraphBuilder::visitAlloca(const AllocaInst &A) {
  if (G.targetOf(&A).isValid())
    return false;
  unsigned Node = G.addNode();
  G.Nodes[Node].Roots.push_back(&A);
  if (auto Size = A.getAllocationSize(DL); Size && Size->isFixed())
    G.Nodes[Node].ObjectSize = Size->getFixedValue();
  return G.setTarget(&A, G.startOf(&A, Node));
}

bool GraphBuilder::visit(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call);
  switch (I.getOpcode()) {
  case Instruction::Alloca:
    return visitAlloca(cast<AllocaInst>(I));
  case Instruction::GetElementPtr: {
    return visitStep(cast<GEPOperator>(I));
  }
  case Instruction::Load:
    return visitLoadLike(I, cast<LoadInst>(I).getPointerOperand(), I.getType(), 0);
  case Instruction::Store: {
    bool Changed = false;
    SmallVector<PartOfRecord, 8> Parts = partsOfStore(cast<StoreInst>(I), DL);
    for (const PartOfRecord &Part : Parts)
      Changed |= visitStoreLike(I, Part.Value, Part.Ptr, 0, Part.Offset);
    return Parts.empty() ? visitStoreLike(I, cast<StoreInst>(I).getValueOperand(),
                                          cast<StoreInst>(I).getPointerOperand(), 0)
                         : Changed;
  }
  case Instruction::AtomicRMW: {
    auto &RMW = cast<AtomicRMWInst>(I);
    bool Changed = visitLoadLike(I, RMW.getPointerOperand(), I.getType(), 0);
    return Changed | visitStoreLike(I, RMW.getValOperand(), RMW.getPointerOperand(), 0);
  }
  case Instruction::AtomicCmpXchg: {
    auto &X = cast<AtomicCmpXchgInst>(I);
    bool Changed = visitLoadLike(I, X.getPointerOperand(), X.getNewValOperand()->getType(), 0);
    return Changed | visitStoreLike(I, X.getNewValOperand(), X.getPointerOperand(), 0);
  }
  case Instruction::IntToPtr: {
    PointerTarget T = targetOf(I.getOperand(0));
    if (!T.isValid() && !Pass)
      return true; // Its operand may be visited later in this round.
    if (!T.isValid() && !isa<ConstantPointerNull>(I.getOperand(0)))
      T = {externalNode(), 0, 1};
    return G.setTarget(&I, T);
  }
  case Instruction::VAArg:
  case Instruction::LandingPad:
    return containsPointer(I.getType()) && G.setTarget(&I, {externalNode(), 0, 1});
  case Instruction::ExtractValue:
    if (auto Part = partOfLoad(I, DL))
      return visitLoadLike(I, Part->Ptr, I.getType(), 0, Part->Offset);
    return joinOperands(I);
  case Instruction::InsertValue:
    return !isOnlyStored(I) && joinOperands(I);
  case Instruction::PHI:
  case Instruction::Select:
    return !isOnlyReleased(I) && joinOperands(I);
  case Instruction::Freeze:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return joinOperands(I);
  case Instruction::Ret: {
    if (!I.getNumOperands())
      return false;
    GraphSummary::Interface &Interface = S.Functions[I.getFunction()];
    bool Changed = G.join(Interface.Return, targetOf(I.getOperand(0)));
    G.drain();
    return Changed;
  }
  default:
    if (I.isBinaryOp() && I.getType()->isIntOrIntVectorTy())
      return visitIntegerArithmetic(I);
    return false;
  }
}

bool GraphBuilder::copyCells(const CopyLink &Link, bool Backward) {
  PointerTarget From = G.normal(Backward ? Link.To : Link.From).ofAnyObject();
  PointerTarget To = G.normal(Backward ? Link.From : Link.To).ofAnyObject();
  bool Changed = false;
  // From one member of a record to another, as a.sizes = b.sizes; else whatever lies as far apart.
  bool IsOneMove = Link.Size && !From.Stride && !To.Stride && !G.node(From.Node).Skewed;
  if (From.Node == To.Node && (From == To || !IsOneMove)) {
    if ((From == To && !From.Stride) || G.node(From.Node).Cells.empty())
      return false;
    uint64_t Distance = std::abs(From.Offset - To.Offset);
    uint64_t Stride = std::gcd(std::gcd(From.Stride, To.Stride), Distance);
    PointerTarget Moved{From.Node, From.Offset, Stride ? Stride : 1};
    if (Link.Integers && !G.mayHoldIntegers(Moved))
      return false;
    SmallSetVector<StringRef, 4> Names;
    for (auto &[Key, Cell] : G.node(From.Node).Cells)
      Names.insert(Cell.Pointee);
    for (StringRef Name : Names)
      Changed |= G.joinCell(Moved, {{}, false, true, false, false, Name});
    return Changed;
  }
  // A copy of the cells: joining may merge the nodes that they are in.
  SmallVector<std::pair<PointerTarget, MemoryNode::Cell>, 8> Cells;
  for (auto &[Key, Cell] : G.node(From.Node).Cells)
    Cells.push_back({G.placeOfCell(From.Node, Key), Cell});
  for (auto &[Place, Cell] : Cells) {
    Distances Behind(From, Place);
    std::optional<int64_t> First = Behind.notBelow(0);
    if (!First || (Link.Size && *First >= int64_t(Link.Size)))
      continue;
    bool Load = Backward && Cell.Loaded, Store = !Backward;
    if ((Backward && !Cell.Loaded) || (Link.Integers && !Cell.mayBeInteger()))
      continue;
    Changed |= G.joinCell(To.plus(*First, Behind.Every, true),
                          {Cell.Target, Load, Store, Cell.Named, Cell.AsInteger, Cell.Pointee});
  }
  return Changed;
}
