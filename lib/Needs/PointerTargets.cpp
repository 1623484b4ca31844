//===- PointerTargets.cpp - What pointers in memory lead to ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Needs/PointerTargets.h"
#include "isozyme/Needs/HiddenMemory.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Types/AccessTags.h"
#include "isozyme/Values/ReturningBlocks.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// Functions with more memory of their own are not looked at.
constexpr size_t MostLocals = 512;

/// May a value of type \p T be an address, or hold one or a byte of one?
static bool mayHoldAddress(Type *T) {
  if (auto *S = dyn_cast<StructType>(T))
    return any_of(S->elements(), mayHoldAddress);
  if (auto *A = dyn_cast<ArrayType>(T))
    return mayHoldAddress(A->getElementType());
  Type *Scalar = T->getScalarType();
  return Scalar->isPointerTy() || (Scalar->isIntegerTy() && Scalar->getIntegerBitWidth() >= 8);
}

bool PointerTargets::anyOf(const Places &Memory, function_ref<bool(unsigned)> Is) {
  for (unsigned Place : Memory)
    if (Is(Place))
      return true;
  return false;
}

PointerTargets::PointerTargets(const Function &F, const TargetLibraryInfo &TLI, CallQuery Calls,
                               ArrayRef<bool> Own)
    : F(F), TLI(TLI), Calls(std::move(Calls)), Own(Own), FirstLocal(1 + 2 * F.arg_size()) {
  findLocals();
  Holds.resize(FirstLocal + Locals.size());
  StoredTo.resize(FirstLocal);
  if (isUnknown())
    return;
  const SmallPtrSet<const BasicBlock *, 32> Returning = returningBlocks(F);
  do {
    Changed = false;
    for (const BasicBlock &BB : F)
      if (Returning.contains(&BB))
        for_each(BB, [this](const Instruction &I) { look(I); });
  } while (Changed);
  IsDone = true;
}

void PointerTargets::findLocals() {
  auto spans = [this](const CallBase &Call, unsigned Arg) { return spanOf(Call, Arg); };
  for (const Instruction &I : instructions(F)) {
    auto *Local = dyn_cast<AllocaInst>(&I);
    if (!Local && !makesMemory(I))
      continue;
    PlaceOfLocal.insert({&I, FirstLocal + Locals.size()});
    SmallVector<ByteSpan, 2> Found;
    if (Local)
      Found = partsOf(*Local, spans);
    Locals.append(std::max<size_t>(Found.size(), 1), &I);
    if (Found.size() > 1)
      Parts.insert({Local, std::move(Found)});
  }
}

std::optional<ByteSpan> PointerTargets::spanOf(const CallBase &Call, unsigned Arg) const {
  AddressEffects Effects = Calls(Call);
  return Arg < Effects.Spans.size() ? Effects.Spans[Arg] : std::nullopt;
}

SmallVector<std::optional<ByteSpan>, 4> PointerTargets::spans() const {
  SmallVector<std::optional<ByteSpan>, 4> Spans;
  for (const Argument &A : F.args())
    Spans.push_back(
        bytesAccessed(A, [this](const CallBase &Call, unsigned Arg) { return spanOf(Call, Arg); }));
  return Spans;
}

bool PointerTargets::isUnknown() const { return Locals.size() > MostLocals; }

bool PointerTargets::makesMemory(const Instruction &I) const {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isKnownCall(*Call))
    return false;
  if (isAllocation(*Call, TLI))
    return true;
  AddressEffects Effects = Calls(*Call);
  return Effects.Flows && Effects.Flows->usesMade();
}

/// Where it is noted what \p Place holds.
unsigned PointerTargets::holderOf(unsigned Place) const {
  if (!isOutside(Place))
    return Place;
  std::optional<unsigned> Arg = argumentOf(Place);
  return Arg && isOwn(*Arg) ? atArgument(*Arg) : Anywhere;
}

PointerTargets::Places PointerTargets::ofConstant(const Value *V) const {
  Places Found;
  auto *G = dyn_cast<GlobalVariable>(V->stripPointerCastsAndAliases());
  bool IsNoMemory = isa<ConstantData, Function>(V);
  // A table of numbers that nobody writes to.
  if (!IsNoMemory && !(G && G->isConstant() && G->hasDefinitiveInitializer() &&
                       !G->getInitializer()->needsRelocation()))
    Found.set(Anywhere);
  return Found;
}

PointerTargets::Places PointerTargets::ofArgument(const Argument &A) const {
  const DataLayout &DL = F.getDataLayout();
  Places Found;
  // A number that is handed over may be an address, too, if there is room for one.
  if (A.getType()->isPointerTy())
    Found.set(atArgument(A.getArgNo()));
  else if (mayHoldAddress(A.getType()) &&
           DL.getTypeSizeInBits(A.getType()) >= DL.getPointerSizeInBits())
    Found.set(Anywhere);
  return Found;
}

PointerTargets::Places PointerTargets::ofObject(const Value *Object) const {
  auto *Local = dyn_cast<AllocaInst>(Object);
  auto Known = Local ? Parts.find(Local) : Parts.end();
  if (Known == Parts.end() || isUnknown())
    return of(Object);
  Places Found;
  for (size_t Part = 0; Part < Known->second.size(); ++Part)
    Found.set(PlaceOfLocal.lookup(Local) + Part);
  return Found;
}

/// The part of \p Local that is accessed through the address \p At bytes from its beginning.
PointerTargets::Places PointerTargets::ofPart(const AllocaInst &Local, int64_t At) const {
  Places Found;
  auto Known = Parts.find(&Local);
  const unsigned First = PlaceOfLocal.lookup(&Local);
  if (Known == Parts.end()) {
    Found.set(First);
    return Found;
  }
  for (auto [Number, Part] : enumerate(Known->second))
    if (Part.First <= At && At < Part.End)
      Found.set(First + Number);
  return Found;
}

PointerTargets::Places PointerTargets::ofElement(const GetElementPtrInst &Address) const {
  const DataLayout &DL = F.getDataLayout();
  APInt At(DL.getIndexTypeSizeInBits(Address.getType()), 0);
  auto *Local = dyn_cast<AllocaInst>(
      Address.stripAndAccumulateConstantOffsets(DL, At, /*AllowNonInbounds=*/true));
  return Local ? ofPart(*Local, At.getSExtValue()) : of(Address.getPointerOperand());
}

PointerTargets::Places PointerTargets::of(const Value *V) const {
  if (isa<Constant>(V)) {
    if (auto *E = dyn_cast<ConstantExpr>(V); E && E->getOpcode() != Instruction::IntToPtr)
      return of(E->getOperand(0));
    return ofConstant(V);
  }
  if (auto *A = dyn_cast<Argument>(V); A && !isUnknown())
    return ofArgument(*A);
  if (auto *Local = dyn_cast<AllocaInst>(V); Local && !isUnknown())
    return ofPart(*Local, 0);
  Places Found;
  if (auto It = PlaceOfLocal.find(V); It != PlaceOfLocal.end() && nameOf(It->second))
    Found.set(It->second);
  else if (auto It = Of.find(V); It != Of.end())
    Found = It->second;
  if (isUnknown() || (IsDone && Found.empty() && V->getType()->isPtrOrPtrVectorTy()))
    Found.set(Anywhere);
  return Found;
}

PointerTargets::Places PointerTargets::heldBy(const Places &Memory) const {
  Places Found;
  for (unsigned Place : Memory) {
    Found |= Holds[holderOf(Place)];
    if (Place == Anywhere)
      Found.set(Anywhere);
    else if (isOutside(Place)) // Of an argument: odd numbers are what it leads to.
      Found.set(Place % 2 ? Place + 1 : Place);
  }
  return Found;
}

PointerTargets::Places PointerTargets::reachedFrom(Places Memory) const {
  bool Grows = true;
  while (Grows)
    Grows = Memory |= heldBy(Memory);
  return Memory;
}

PointerTargets::Places PointerTargets::reachedFromOutside() const {
  Places Outside;
  Outside.set(Anywhere);
  return reachedFrom(std::move(Outside));
}

PointerTargets::Places PointerTargets::behind(const Places &Memory) const {
  return reachedFrom(heldBy(Memory));
}

void PointerTargets::put(const Places &Memory, const Places &Addresses) {
  for (unsigned Place : Memory) {
    Changed |= Holds[holderOf(Place)] |= Addresses;
    if (isOutside(Place))
      StoredTo[Place] |= Addresses;
  }
}

PointerTargets::Places PointerTargets::ofOperands(const Instruction &I) const {
  Places Found;
  for (const Value *Operand : I.operands())
    if (mayHoldAddress(Operand->getType()))
      Found |= of(Operand);
  return Found;
}

PointerTargets::Places PointerTargets::argumentsOf(const CallBase &Call) const {
  Places Found;
  for (const Use &Arg : Call.data_ops())
    if (mayHoldAddress(Arg->getType()))
      Found |= of(Arg);
  return Found;
}

/// Does \p Call only tell the compiler or the processor something?
static bool isNoAccess(const CallBase &Call) {
  if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return Call.arg_empty() && !StringRef(Asm->getConstraintString()).contains("memory");
  auto *II = dyn_cast<IntrinsicInst>(&Call);
  return II && (isa<DbgInfoIntrinsic, AssumeInst>(II) || II->isLifetimeStartOrEnd() ||
                II->getIntrinsicID() == Intrinsic::prefetch || II->doesNotAccessMemory());
}

/// Does the library, or LLVM, say that \p Call leaves addresses alone?
bool PointerTargets::isKnownCall(const CallBase &Call) const {
  if (isNoAccess(Call) || isa<MemSetInst>(Call))
    return true;
  switch (viewOf(Call, TLI).Class) {
  case OpClass::Elementwise:
  case OpClass::Zero:
  case OpClass::Free:
    return true;
  default:
    return false;
  }
}

PointerTargets::Places PointerTargets::ofCall(const CallBase &Call) {
  if (auto *Move = dyn_cast<MemTransferInst>(&Call)) {
    put(of(Move->getRawDest()), heldBy(of(Move->getRawSource())));
    return {};
  }
  Places Found;
  if (isKnownCall(Call)) {
    if (!Call.getType()->isVoidTy())
      Found = argumentsOf(Call);
    return Found;
  }
  auto Local = PlaceOfLocal.find(&Call);
  const Function *Callee = Call.getCalledFunction();
  if (Local != PlaceOfLocal.end() && Callee && Callee->isDeclaration())
    return of(&Call);
  if (AddressEffects Effects = Calls(Call); Effects.Flows)
    return passThrough(Call, *Effects.Flows);
  Found = argumentsOf(Call);
  Found.set(Anywhere);
  Found = reachedFrom(std::move(Found));
  put(Found, Found);
  if (Local != PlaceOfLocal.end())
    Changed |= Holds[Local->second] |= Found;
  return Found;
}

/// What the result of \p Call leads to; addresses that it leaves in memory are noted.
PointerTargets::Places PointerTargets::passThrough(const CallBase &Call,
                                                   const AddressFlows &Flows) {
  std::vector<Places> Sources(Flows.Made + 1);
  Sources[Anywhere] = reachedFromOutside();
  Sources[Anywhere] |= reachedFrom(Exposed);
  for (unsigned Arg = 0; Arg < Call.arg_size(); ++Arg)
    if (mayHoldAddress(Call.getArgOperand(Arg)->getType())) {
      Sources[atArgument(Arg)] = of(Call.getArgOperand(Arg));
      Sources[behindThat(Arg)] = behind(Sources[atArgument(Arg)]);
    }
  if (auto Local = PlaceOfLocal.find(&Call); Local != PlaceOfLocal.end())
    Sources[Flows.Made].set(Local->second);
  auto into = [&](unsigned Sink) {
    Places From;
    for (unsigned Source : Flows.Into[Sink].set_bits())
      From |= Sources[Source];
    return From;
  };
  for (auto [Sink, Memory] : enumerate(Sources))
    if (Flows.Into[Sink].any())
      put(Memory, into(Sink));
  return into(Flows.result());
}

std::optional<AddressFlows> PointerTargets::flows() const {
  if (isUnknown())
    return std::nullopt;
  AddressFlows Flows(FirstLocal);
  auto note = [&](const Places &Addresses, unsigned Sink) {
    for (unsigned Place : Addresses)
      if (isOutside(Place))
        Flows.Into[Sink].set(Place);
      else if (!isa<AllocaInst>(Locals[Place - FirstLocal])) // Those end when the function returns.
        Flows.Into[Sink].set(Flows.Made);
  };
  for (unsigned Place = 0; Place < FirstLocal; ++Place)
    note(StoredTo[Place], Place);
  for (unsigned Local = 0; Local < Locals.size(); ++Local)
    if (!isa<AllocaInst>(Locals[Local]))
      note(Holds[FirstLocal + Local], Flows.Made);
  if (mayHoldAddress(F.getReturnType()))
    for (const BasicBlock &BB : F)
      if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
        note(of(Return->getReturnValue()), Flows.result());
  return Flows;
}

/// A number that the source calls so leads nowhere, until an address is made of it again: that may
/// be any that was made to a number. Nothing: \p I may move bytes of any kind.
std::optional<PointerTargets::Places> PointerTargets::ofNumber(const Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    const MDNode *Tag = L->getMetadata(LLVMContext::MD_tbaa);
    if (!Tag || typeNamedBy(Tag, F.getDataLayout()).kind() != ConcreteType::Integer)
      return std::nullopt;
    Changed |= Exposed |= heldBy(of(L->getPointerOperand()));
    return Places();
  }
  if (auto *Number = dyn_cast<PtrToIntInst>(&I)) {
    if (keepsToItself(Number->getOperandUse(0), TLI)) // For a distance.
      return Places();
    Changed |= Exposed |= of(Number->getPointerOperand());
    return std::nullopt;
  }
  if (isa<IntToPtrInst>(I)) {
    Places Found = ofOperands(I);
    Found |= Exposed;
    Found.set(Anywhere);
    return Found;
  }
  switch (I.getOpcode()) {
  case Instruction::Mul:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return Places();
  default:
    return std::nullopt;
  }
}

/// What the result of \p I leads to, by what is known so far.
PointerTargets::Places PointerTargets::computedBy(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return ofCall(*Call);
  if (I.getType()->isIntOrIntVectorTy() || isa<IntToPtrInst>(I))
    if (std::optional<Places> Found = ofNumber(I))
      return *Found;
  if (auto *L = dyn_cast<LoadInst>(&I))
    return heldBy(of(L->getPointerOperand()));
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    if (mayHoldAddress(S->getValueOperand()->getType()))
      put(of(S->getPointerOperand()), of(S->getValueOperand()));
    return {};
  }
  Places Found;
  if (I.mayReadOrWriteMemory() || I.isEHPad()) { // Exchanges, lists of arguments, exceptions.
    Found = ofOperands(I);
    Found.set(Anywhere);
    Found = reachedFrom(std::move(Found));
    put(Found, Found);
    return Found;
  }
  if (auto *GEP = dyn_cast<GetElementPtrInst>(&I))
    return ofElement(*GEP);
  return ofOperands(I);
}

void PointerTargets::look(const Instruction &I) {
  if (isa<AllocaInst>(I))
    return;
  Places Found = computedBy(I);
  if (!Found.empty() && mayHoldAddress(I.getType()))
    Changed |= Of[&I] |= Found;
}

std::optional<PointerTargets::Places> PointerTargets::writtenBy(const Instruction &Write) const {
  if (std::optional<MemoryLocation> To = MemoryLocation::getOrNone(&Write); To && To->Ptr)
    return of(To->Ptr);
  auto *Call = dyn_cast<CallBase>(&Write);
  if (auto *Bulk = dyn_cast<AnyMemIntrinsic>(&Write))
    return of(Bulk->getRawDest());
  if (!Call)
    return std::nullopt;
  if (isNoAccess(*Call))
    return Places();
  if (isKnownCall(*Call)) // One that releases memory writes to it, as others that know it see it.
    return argumentsOf(*Call);
  AddressEffects Effects = Calls(*Call);
  if (!Effects.Writes)
    return std::nullopt;
  Places Found;
  for (unsigned Arg = 0; Arg < Call->arg_size() && Effects.Writes->any(); ++Arg) {
    const Places Near = of(Call->getArgOperand(Arg));
    if (Effects.Writes->test(atArgument(Arg)))
      Found |= Near;
    if (Effects.Writes->test(behindThat(Arg)))
      Found |= behind(Near);
  }
  return Found;
}

bool PointerTargets::hasOutside(const Places &Memory) const {
  return anyOf(Memory, [&](unsigned Place) { return isOutside(Place); });
}

bool PointerTargets::mayMeet(const Places &A, const Places &B) const {
  auto mayBeOne = [&](unsigned One, unsigned Other) {
    if (!isOutside(One) || !isOutside(Other) || One == Anywhere || Other == Anywhere)
      return isOutside(One) && isOutside(Other);
    std::optional<unsigned> Owner = argumentOf(One), OtherOwner = argumentOf(Other);
    return Owner == OtherOwner || !(isOwn(*Owner) || isOwn(*OtherOwner));
  };
  return A.intersects(B) || anyOf(A, [&](unsigned One) {
           return anyOf(B, [&](unsigned Other) { return mayBeOne(One, Other); });
         });
}

const Value *PointerTargets::nameOf(unsigned Place) const {
  if (!isOutside(Place)) {
    const Value *Local = Locals[Place - FirstLocal];
    auto *Call = dyn_cast<CallBase>(Local);
    return !Call || isAllocation(*Call, TLI) ? Local : nullptr;
  }
  return Place % 2 ? F.getArg(Place / 2) : nullptr;
}

std::optional<unsigned> PointerTargets::argumentOf(unsigned Place) const {
  if (!isOutside(Place) || Place == Anywhere)
    return std::nullopt;
  return (Place - 1) / 2;
}

} // namespace isozyme
