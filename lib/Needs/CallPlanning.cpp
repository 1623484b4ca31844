//===- CallPlanning.cpp - What each call does in each sweep ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts the calls of a prepared function: those that move no derivative, those
// that a table differentiates, memory management, and calls of functions with a
// body, for which the request for the callee's derivative is made here.
//
// In: what the calls are (OpView), activity and types.  Out: one CallPlan per
// call, or an error that names the callee, the active operand and its cause.
// Never: looks at names of functions, or writes IR.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Needs/CallPlan.h"
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Needs/GpuTransfers.h"
#include "isozyme/Needs/UnreadMemory.h"
#include "isozyme/Ops/GlobalShadows.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/KnownRuntimes.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Ops/OpTable.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Rules/RuleTable.h"
#include "isozyme/Support/SymbolNames.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Target/GpuRuntime.h"
#include "isozyme/Target/TargetModel.h"
#include "isozyme/Types/TypeResult.h"
#include "isozyme/Values/AddressArithmetic.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace isozyme {

namespace {

class CallPlanner {
public:
  CallPlanner(const PreparedFunction &P, const TypeResult &Types, const ActivityResult &Activity,
              const DiffRequest &R, const UnreadMemory &Unread, CalleeEffects &Effects)
      : P(P), Types(Types), Activity(Activity), R(R), Unread(Unread), Effects(Effects) {}

  Expected<CallPlan> plan(const CallBase &Call);

private:
  bool makesFloatBits(const CallBase &Call) const;
  Expected<CallPlan> sort(const CallBase &Call);
  bool isActive(const Value *V) const { return Activity.isActiveValue(V); }
  bool movesDerivatives(const CallBase &Call) const;
  bool hasRule(const Function &Callee) const;

  Expected<CallPlan> planAllocation(const CallBase &Call) const;
  Expected<CallPlan> planRelease(const CallBase &Call) const;
  CallPlan planShadowlessRelease(const CallBase &Call) const;
  bool isApartFromAllocations(const CallBase &Call) const;
  Expected<CallPlan> planByRule(const CallBase &Call, const OpView &View) const;
  CallPlan planUnlisted(const CallBase &Call) const;
  Expected<CallPlan> planUserCall(const CallBase &Call);
  Expected<CallPlan> planTransfer(const CallBase &Call, const GpuTransfer &Transfer);
  Expected<CallPlan> planDerivative(const CallBase &Call, Function &Callee);
  Expected<ArgActivity> activityOf(const CallBase &Call, const Function &Callee,
                                   unsigned Arg) const;
  Expected<ReturnActivity> returnActivityOf(const CallBase &Call, const Function &Callee) const;
  bool isCertain(const CallBase &Call) const;
  bool reachesOriginal(Function &Callee);
  const DenseSet<const GlobalVariable *> &globalsOf(Function &Callee);

  std::string operandText(const CallBase &Call, unsigned Arg) const;
  Error refuseRuntime(const CallBase &Call, const Function &Callee,
                      const KnownRuntime &Runtime) const;
  Error refuse(DiagId Id, const CallBase &Call, const Twine &What, const Twine &Fix) const;

  const PreparedFunction &P;
  const TypeResult &Types;
  const ActivityResult &Activity;
  const DiffRequest &R;
  const UnreadMemory &Unread;
  CalleeEffects &Effects;
  DenseMap<Function *, bool> Reaches;
  DenseMap<Function *, DenseSet<const GlobalVariable *>> Mentioned;
};

} // namespace

static CallPlan simplePlan(CallPlan::Kind K, const Twine &Reason) {
  CallPlan Plan;
  Plan.K = K;
  Plan.Reason = Reason.str();
  return Plan;
}

/// The function that runs, behind aliases; null for an indirect call.
static Function *calleeOf(const CallBase &Call) {
  Value *Callee = Call.getCalledOperand()->stripPointerCastsAndAliases();
  return dyn_cast<Function>(Callee);
}

/// Intrinsics that access memory, or pass a pointer on, as an instruction does.
static bool isMirrored(const CallBase &Call) {
  return maskedAccess(Call) || passesPointerOn(Call.getIntrinsicID());
}

bool CallPlanner::movesDerivatives(const CallBase &Call) const {
  if (!Activity.isActiveInstruction(&Call) && !isActive(&Call))
    return false;
  // A pure function of active operands with an inactive result (a comparison). What releases
  // memory takes the shadow along.
  bool Pure =
      !isModSet(visibleEffects(Effects.of(Call))) && !isActive(&Call) && !Effects.releases(Call);
  return !Pure;
}

/// Has the user written a derivative of \p Callee, for this mode?
bool CallPlanner::hasRule(const Function &Callee) const {
  CustomRules Rules = customRules(Callee);
  // Either derivative in forward mode will do: the request says which one is called.
  return R.isReverse() ? Rules.hasReverse() : Rules.Forward || Rules.hasSplitForward();
}

Expected<CallPlan> CallPlanner::plan(const CallBase &Call) {
  Expected<CallPlan> Plan = sort(Call);
  if (Plan)
    Plan->Effects = Effects.of(Call);
  return Plan;
}

/// Is the result of \p Call the bits of a float that takes part, as that of llvm.abs may be?
bool CallPlanner::makesFloatBits(const CallBase &Call) const {
  return Call.getType()->isIntOrIntVectorTy() && isActive(&Call) && Types.typeOf(&Call).isFloat();
}

Expected<CallPlan> CallPlanner::sort(const CallBase &Call) {
  // What the user says of a function comes before what tables know of it.
  if (Function *Callee = calleeOf(Call); Callee && hasRule(*Callee) && movesDerivatives(Call))
    return planUserCall(Call);
  OpView View = viewOf(Call, P.libraryInfo());
  switch (View.Class) {
  case OpClass::Allocate:
    return planAllocation(Call);
  case OpClass::Free:
    if (isActive(freedPointer(Call, P.libraryInfo())))
      return planRelease(Call);
    return planShadowlessRelease(Call);
  case OpClass::KnownInactive:
    return simplePlan(CallPlan::Inactive, "moves no derivative");
  case OpClass::Zero:
    if (makesFloatBits(Call))
      return refuse(DiagId::NoInstructionDerivative, Call,
                    "the bits of a differentiated float pass through integer arithmetic ('" +
                        Call.getCalledFunction()->getName() + "')",
                    "compute on the float itself");
    return simplePlan(CallPlan::Inactive, "its derivative is zero");
  default:
    break;
  }
  if (!movesDerivatives(Call))
    return simplePlan(CallPlan::Inactive, "nothing active goes through it");
  if (isMirrored(Call))
    return simplePlan(CallPlan::Structural, "is done on the shadow likewise");
  switch (View.Class) {
  case OpClass::Unlisted:
    return planUnlisted(Call);
  case OpClass::Elementwise:
    return planByRule(Call, View);
  case OpClass::Structural:
    return simplePlan(CallPlan::Structural, "is linear");
  case OpClass::Memory:
    return simplePlan(CallPlan::BulkMemory, "moves memory that has a shadow");
  default:
    return planUserCall(Call);
  }
}

/// A dependence needs no formula.
Expected<CallPlan> CallPlanner::planByRule(const CallBase &Call, const OpView &View) const {
  const Rule *Row = ruleOf(View.Id);
  for (unsigned Wrt = 0; Row && Wrt < View.Operands.size() && !R.Dependence; ++Wrt)
    if (isUnknown(Row->Partials[Wrt]) && isActive(View.Operands[Wrt]))
      return refuse(DiagId::NoDerivative, Call,
                    "the derivative of '" + View.Callee->getName() + "' by its argument " +
                        Twine(Wrt + 1) + " is not known, and this argument takes part",
                    "pass a constant there, or register the derivative of a function of your "
                    "own that calls it (__enzyme_register_gradient_...)");
  return simplePlan(CallPlan::ByRule, "has a rule");
}

/// The shadow is zeroed, so its size must be known at run time at least.
Expected<CallPlan> CallPlanner::planAllocation(const CallBase &Call) const {
  if (!isActive(&Call))
    return simplePlan(CallPlan::Inactive, "its memory needs no shadow");
  if (!allocationSize(Call, P.libraryInfo()))
    return refuse(DiagId::Allocation, Call,
                  "the memory that this call allocates needs a shadow, but its size is not known",
                  "allocate with malloc, calloc, aligned_alloc or new, or declare the function "
                  "with __attribute__((alloc_size(...)))");
  return simplePlan(CallPlan::Allocate, "its memory needs a shadow");
}

/// A release that is put off takes along its other operands, sizes and the like.
static bool canBePutOff(const CallBase &Call) {
  constexpr unsigned MostOperands = 3;
  return Call.arg_size() <= MostOperands &&
         all_of(Call.args(),
                [](const Use &U) {
                  Type *T = U->getType();
                  return T->isPointerTy() || (T->isIntegerTy() && T->getIntegerBitWidth() <= 64);
                }) &&
         isa<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// Does no iteration of the loop around \p Call, or of one around that, make memory? Then all that
/// they release was there at once.
bool CallPlanner::isApartFromAllocations(const CallBase &Call) const {
  const Loop *L = P.loops().getLoopFor(Call.getParent());
  auto mayAllocate = [&](const Instruction &I) {
    auto *Other = dyn_cast<CallBase>(&I);
    if (!Other || isa<IntrinsicInst>(Other))
      return false;
    OpClass Class = viewOf(*Other, P.libraryInfo()).Class;
    return Class != OpClass::Free && Class != OpClass::Elementwise && Class != OpClass::Zero;
  };
  return !L || none_of(L->getOutermostLoop()->blocks(),
                       [&](const BasicBlock *BB) { return any_of(*BB, mayAllocate); });
}

/// Indices and the like: what lies there is read again in the reverse sweep, if it is still there.
/// A function that makes and releases memory in a loop, or that is called, would hold memory for
/// each time.
CallPlan CallPlanner::planShadowlessRelease(const CallBase &Call) const {
  const Function *Callee = calleeOf(Call);
  if (!R.isReverse() || R.isSplit() || !isa<CallInst>(Call) || !Call.getType()->isVoidTy() ||
      !canBePutOff(Call) || !isApartFromAllocations(Call) ||
      Callee->hasFnAttribute(marking::ReleasesLater) ||
      TargetModel(*Callee->getParent()).isAccelerator())
    return simplePlan(CallPlan::Inactive, "releases memory without shadow");
  CallPlan Plan = simplePlan(CallPlan::Free, "releases memory without shadow, later");
  Plan.Shadowless = true;
  return Plan;
}

Expected<CallPlan> CallPlanner::planRelease(const CallBase &Call) const {
  const Function *Callee = calleeOf(Call);
  if (Callee && Callee->hasFnAttribute(marking::ReleasesLater))
    return simplePlan(CallPlan::Free, "releases memory that has a shadow, later");
  if (!canBePutOff(Call))
    return refuse(DiagId::Allocation, Call,
                  "memory with a shadow is released by a call that cannot be put off",
                  "release it by a function of at most three pointers and integers");
  return simplePlan(CallPlan::Free, "releases memory that has a shadow");
}

/// Only at run time is it known whether control comes here.
CallPlan CallPlanner::planUnlisted(const CallBase &Call) const {
  std::string Type;
  raw_string_ostream(Type) << *Call.getFunctionType();
  return simplePlan(CallPlan::Stop, "in '" + nameInSource(P.original().getName()) +
                                        "', the pointer called leads to none of the functions of "
                                        "type '" +
                                        Type +
                                        "' that this file takes the address of, so that there is "
                                        "no derivative; define the function here, or " +
                                        linkTimeAdvice(P.original()) + " [IZ205]");
}

/// A library of which more is known than that it has no body. Its functions are not to be marked
/// inactive: what they compute is the very thing that is to be differentiated.
Error CallPlanner::refuseRuntime(const CallBase &Call, const Function &Callee,
                                 const KnownRuntime &Runtime) const {
  bool IsMarked = Callee.hasFnAttribute(marking::Inactive);
  return refuse(DiagId::NoDerivative, Call,
                Twine("'") + Callee.getName().split('.').first + "' belongs to " + Runtime.Name +
                    ", which Isozyme does not differentiate" +
                    (IsMarked
                         ? ", and to mark it inactive would lose the derivative of all that it "
                           "runs"
                         : ""),
                Runtime.Advice);
}

/// What to write if a name that may be anybody's is meant as that of a library: psi, sinc.
static std::string likeAdvice(const Function &F) {
  const std::optional<MathName> Known = parseMathName(F.getName());
  if (!Known || !Known->NeedsMark)
    return "";
  const std::string Name = F.getName().str();
  return ", say that it is the known function of this name if it is (void "
         "*__enzyme_function_like_" +
         Name + "[] = {(void *)" + Name + ", \"" + Name + "\"}; docs/rules.md)";
}

Expected<CallPlan> CallPlanner::planUserCall(const CallBase &Call) {
  if (Call.isInlineAsm())
    return refuse(
        DiagId::NoDerivative, Call, "inline assembly takes part in the derivative",
        "write it in the language, or put it into a function of its own that is not "
        "inlined and register that function's derivative (__enzyme_register_gradient_...)");
  Function *Callee = calleeOf(Call);
  if (!Callee && Call.hasFnAttr(marking::NoCandidate))
    return planUnlisted(Call);
  if (!Callee)
    return refuse(DiagId::IndirectCall, Call,
                  "a call through a function pointer takes part in the derivative, and this file "
                  "takes the address of no function of its type that has a body here or a known "
                  "derivative, or of more than 64",
                  "define the functions that it may call in this file, call them by name, or " +
                      linkTimeAdvice(P.original()));
  if (Callee == &P.function())
    Callee = &P.original();
  if (std::optional<GpuTransfer> Transfer = gpuTransfer(Call))
    return planTransfer(Call, *Transfer);
  if (Callee->getIntrinsicID() == Intrinsic::init_trampoline) // flang's
    return refuse(DiagId::NoDerivative, Call,
                  "the internal procedure '" +
                      nameInSource(Call.getArgOperand(1)->stripPointerCasts()->getName()) +
                      "' is passed on by code that is made when the program runs, and it is not "
                      "seen what calls it",
                  "pass it to procedures of this file that call it or hand it on as an argument; "
                  "else make it a procedure of the module, with what it uses of this one as "
                  "arguments");
  if (Callee->isIntrinsic())
    return refuse(DiagId::NoDerivative, Call,
                  "no derivative is known for the intrinsic '" + Callee->getName() + "'",
                  "write it with ordinary operations, or keep differentiated data away from it");
  if (reallocatedPointer(Call, P.libraryInfo()))
    return refuse(DiagId::Allocation, Call, "memory with derivatives is resized here",
                  "allocate new memory, copy, and free the old");
  if (entryPoint(Callee->getName())) // Those that could be made are calls of derivatives by now.
    return refuse(DiagId::NoInnerDerivative, Call,
                  "a derivative of this derivative is asked for, and it is not made: it needs "
                  "itself, or has an error of its own",
                  "mend that error first; where a function asks for its own derivative, write one "
                  "function for each order");
  bool OutOfSight = Callee->isDeclaration() && !hasRule(*Callee);
  if (const KnownRuntime *Runtime = OutOfSight ? knownRuntime(Callee->getName()) : nullptr)
    return refuseRuntime(Call, *Callee, *Runtime);
  // What follows the prefix is for the reader only.
  StringRef Suffix = Callee->getName().starts_with("_Z") ? "..." : Callee->getName();
  if (OutOfSight)
    return refuse(DiagId::NoDerivative, Call,
                  "no derivative is known for '" + Callee->getName() + "', which has no body here",
                  "define it in this file, " + linkTimeAdvice(P.original()) + likeAdvice(*Callee) +
                      ", register its derivative (__enzyme_register_gradient_" + Suffix +
                      "), or, if nothing that it computes has a part in the result, mark it "
                      "inactive (__enzyme_inactivefn_" +
                      Suffix + ")");
  if (Callee->isVarArg())
    return refuse(
        DiagId::NoDerivative, Call,
        "'" + Callee->getName() + "' takes a variable number of arguments",
        "give it a fixed list of parameters, or, if nothing that it computes has a part in "
        "the result, mark it inactive (__enzyme_inactivefn_" +
            Suffix + ")");
  if (Call.arg_size() < Callee->arg_size() && !isCertain(Call))
    return simplePlan(CallPlan::Stop, "'" + nameInSource(Callee->getName()) +
                                          "' is called with fewer arguments than it takes [IZ201]");
  if (Call.arg_size() != Callee->arg_size() || Call.getType() != Callee->getReturnType())
    return refuse(DiagId::NoDerivative, Call,
                  "'" + Callee->getName() + "' is called with a type that is not its own",
                  "declare it with the prototype of its definition");

  return planDerivative(Call, *Callee);
}

/// Does every run of the function come to \p Call? Of the functions that a pointer may lead to,
/// some pass theirs on with other arguments: a run does not come to these.
bool CallPlanner::isCertain(const CallBase &Call) const {
  Function &F = P.function();
  auto &Tree = P.analyses().getResult<PostDominatorTreeAnalysis>(F);
  return Tree.dominates(Call.getParent(), &F.getEntryBlock());
}

/// The type that a hint states of all elements of the memory behind \p V; null for none.
static Type *statedNumbers(const Value *V) {
  for (const User *U : getUnderlyingObject(V)->users()) {
    auto *Call = dyn_cast<CallBase>(U);
    const Function *F = Call ? Call->getCalledFunction() : nullptr;
    std::optional<TypeHint> Hint = F ? typeHintOf(*F) : std::nullopt;
    auto *Bytes =
        Hint && Call->arg_size() == 2 ? dyn_cast<ConstantInt>(Call->getArgOperand(1)) : nullptr;
    if (!Bytes || !Bytes->isNegative())
      continue;
    if (*Hint == TypeHint::Double)
      return Type::getDoubleTy(V->getContext());
    if (*Hint == TypeHint::Float)
      return Type::getFloatTy(V->getContext());
  }
  return nullptr;
}

/// The type of the numbers that \p Transfer copies; null where it copies none.
static Expected<Type *> copiedNumbers(const PreparedFunction &P, const TypeResult &Types,
                                      const CallBase &Call, const GpuTransfer &Transfer) {
  auto *Length = dyn_cast<ConstantInt>(Transfer.Bytes);
  for (uint64_t Size : {Length ? Length->getZExtValue() : 0, uint64_t(0)})
    for (const Value *End : {Transfer.To, Transfer.From}) {
      MemoryLayout L = Types.layoutOf(End, Size);
      if (!L.Period || !all_of(L.Runs, [](const TypedRun &R) { return R.Type.isKnown(); }))
        continue;
      const ConcreteType First = L.Runs.front().Type;
      if (First.isFloat() && all_of(L.Runs, [&](const TypedRun &R) { return R.Type == First; }))
        return First.floatType();
      if (all_of(L.Runs, [](const TypedRun &R) { return R.Type == ConcreteType::Integer; }))
        return nullptr;
      return diffError(DiagId::NoDerivative, P.placeOf(&Call),
                       "'" + Call.getCalledFunction()->getName() +
                           "' copies records or addresses that take part in the derivative",
                       "copy arrays of numbers of one type");
    }
  for (const Value *End : {Transfer.To, Transfer.From})
    if (Type *Stated = statedNumbers(End))
      return Stated;
  return diffError(DiagId::UnknownType, P.placeOf(&Call),
                   "cannot deduce what the memory that '" + Call.getCalledFunction()->getName() +
                       "' copies holds: nothing in this function or its callers reads or writes "
                       "it as numbers",
                   "say so by a call of __enzyme_double(pointer, bytes)");
}

Expected<CallPlan> CallPlanner::planTransfer(const CallBase &Call, const GpuTransfer &Transfer) {
  Type *Number = nullptr;
  if (Transfer.From) {
    Expected<Type *> Copied = copiedNumbers(P, Types, Call, Transfer);
    if (!Copied)
      return Copied.takeError();
    if (!*Copied)
      return simplePlan(CallPlan::Inactive, "copies no numbers that take part");
    Number = *Copied;
  }
  return planDerivative(Call, transferWithRules(*Call.getCalledFunction(), Number));
}

/// The request for the derivative of \p Callee, as this call needs it.
Expected<CallPlan> CallPlanner::planDerivative(const CallBase &Call, Function &Callee) {
  CallPlan Plan = simplePlan(CallPlan::Differentiate, "moves derivatives");
  DiffRequest &Request = Plan.Callee;
  Request.Fn = &Callee;
  Request.Mode = R.isReverse() ? DiffMode::Augment : DiffMode::Forward;
  Request.Width = R.Width;
  Request.Level = R.Level;
  Request.TapeOutlives = R.TapeOutlives;
  Request.Dependence = R.Dependence;
  for (unsigned Arg = 0; Arg < Callee.arg_size(); ++Arg) {
    Expected<ArgActivity> A = activityOf(Call, Callee, Arg);
    if (!A)
      return A.takeError();
    Request.Args.push_back(*A);
  }
  Expected<ReturnActivity> Return = returnActivityOf(Call, Callee);
  if (!Return)
    return Return.takeError();
  Request.Return = *Return;
  for (unsigned Arg = 0; Arg < Callee.arg_size(); ++Arg)
    if (Request.hasShadow(Arg))
      Request.setCheck(Arg, Activity.checkBehind(Call.getArgOperand(Arg)));
  for (GlobalVariable *G : Activity.globals())
    if (globalsOf(Callee).contains(G))
      Request.Globals.push_back(G);
  // The augmented call returns the primal result in any case.
  Request.ReturnPrimal = !R.isReverse() && !Call.getType()->isVoidTy();
  // Nothing is known yet of what happens between the two halves.
  if (R.isReverse())
    Request.MayOverwrite.assign(Request.Args.size(), true);
  Plan.Recursive = !hasRule(Callee) && reachesOriginal(Callee);
  return Plan;
}

/// Integers of 32 bits and more, and structures of them, may be the bits of floats unless it
/// is known what they are.
static bool holdsNoFloat(ConcreteType Held, const Type &T) {
  return !Held.isFloat() && (Held.isKnown() || (T.isIntegerTy() && T.getIntegerBitWidth() < 32));
}

/// Are \p Call and \p Other calls of the same function?
static bool isLikeCall(const CallBase *Call, const Value &Other) {
  auto *Same = dyn_cast<CallBase>(&Other);
  return Call && Same && Call->getCalledFunction() &&
         Call->getCalledFunction() == Same->getCalledFunction();
}

/// Does \p I move a number by a constant or a counter, or choose it?
static bool movesNumber(const User &I) {
  auto *Op = dyn_cast<BinaryOperator>(&I);
  return isa<SelectInst, PHINode>(I) ||
         (Op && any_of(Op->operands(), [](const Use &U) { return isa<ConstantInt, PHINode>(U); }));
}

/// Is the integer \p V, an argument or the result of a call, only counted with, as a hash table
/// does with that of a key that is an address? What is compared, multiplied or divided is no
/// address any more, an index is none, nor is the distance of two that the same function returns:
/// size(), before and after.
static bool isOnlyCountedWith(const Value &V) {
  constexpr unsigned MostValues = 64;
  auto IsLike = [&](const Value &Other) { return isLikeCall(dyn_cast<CallBase>(&V), Other); };
  SmallSetVector<const Value *, 8> Work;
  Work.insert(&V);
  for (unsigned K = 0; K != Work.size(); ++K)
    for (const Use &U : Work[K]->uses()) {
      const User *By = U.getUser();
      auto *Op = dyn_cast<BinaryOperator>(By);
      auto *GEP = dyn_cast<GetElementPtrInst>(By);
      bool IsIndex = GEP && !isa<ConstantPointerNull>(GEP->getPointerOperand());
      if (isa<ICmpInst>(By) || IsIndex ||
          (Op && (is_contained({Instruction::URem, Instruction::UDiv, Instruction::Mul},
                               Op->getOpcode()) ||
                  isDistance(*Op, nullptr, IsLike))))
        continue;
      auto *Call = dyn_cast<CallBase>(By);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      bool IsPassed = Callee && !Callee->isDeclaration() && Call->isArgOperand(&U) &&
                      Callee->getFunctionType() == Call->getFunctionType();
      if (Work.size() == MostValues || !(IsPassed || movesNumber(*By)))
        return false;
      Work.insert(IsPassed ? Callee->getArg(Call->getArgOperandNo(&U)) : cast<Value>(By));
    }
  return true;
}

Expected<ArgActivity> CallPlanner::activityOf(const CallBase &Call, const Function &Callee,
                                              unsigned Arg) const {
  if (!isActive(Call.getArgOperand(Arg)) || isMarkedInactive(Call, Arg))
    return ArgActivity::Const;
  Type *T = Callee.getArg(Arg)->getType();
  if (Unread.contains(Call.getArgOperand(Arg)) && !hasRule(Callee))
    return ArgActivity::DupNoNeed;
  if (!R.isReverse() && (isFloatLike(T) || containsPointer(T)))
    return ArgActivity::Dup;
  if (containsPointer(T)) {
    if (!isFloatLike(T))
      return ArgActivity::Dup;
    return refuse(DiagId::NoDerivative, Call,
                  operandText(Call, Arg) + " of '" + Callee.getName() +
                      "' holds pointers and numbers in one value",
                  "pass the structure by pointer");
  }
  if (isFloatLike(T))
    return ArgActivity::Active;
  ConcreteType Held = Types.typeOf(Call.getArgOperand(Arg));
  if (Held.kind() == ConcreteType::Pointer &&
      (Callee.isDeclaration() || !isOnlyCountedWith(*Callee.getArg(Arg))))
    return refuse(DiagId::NoShadowMemory, Call,
                  operandText(Call, Arg) + " of '" + Callee.getName() +
                      "' carries the address of differentiated memory in an integer",
                  "pass it as a pointer, or a pointer to what holds it");
  // Reverse halves take all parameters, and do not use all.
  bool Unused = !Callee.isDeclaration() && Callee.getArg(Arg)->use_empty();
  if (Unused || holdsNoFloat(Held, *T))
    return ArgActivity::Const; // Plain integers: conservatively active, no derivative.
  return refuse(DiagId::NoDerivative, Call,
                operandText(Call, Arg) + " of '" + Callee.getName() +
                    "' carries a floating-point number in an integer",
                "pass it as a floating-point parameter, or by pointer");
}

Expected<ReturnActivity> CallPlanner::returnActivityOf(const CallBase &Call,
                                                       const Function &Callee) const {
  Type *T = Call.getType();
  if (T->isVoidTy() || !isActive(&Call))
    return ReturnActivity::Const;
  if (!R.isReverse() && (isFloatLike(T) || containsPointer(T)))
    return ReturnActivity::Dup;
  if (containsPointer(T) && isFloatLike(T))
    return refuse(DiagId::NoDerivative, Call,
                  "the result of '" + Callee.getName() +
                      "' holds pointers and numbers in one value",
                  "return the structure through a pointer parameter");
  if (containsPointer(T))
    return ReturnActivity::Dup;
  if (isFloatLike(T))
    return ReturnActivity::Active;
  ConcreteType Held = Types.typeOf(&Call);
  if (Held.kind() == ConcreteType::Pointer && !isOnlyCountedWith(Call))
    return refuse(DiagId::NoShadowMemory, Call,
                  "the result of '" + Callee.getName() +
                      "' carries the address of differentiated memory in an integer",
                  "return it as a pointer");
  if (holdsNoFloat(Held, *T))
    return ReturnActivity::Const;
  return refuse(DiagId::NoDerivative, Call,
                "the result of '" + Callee.getName() +
                    "' carries a floating-point number in an integer",
                "return it as a floating-point number");
}

/// The global variables that \p Callee and everything it mentions refer to.
const DenseSet<const GlobalVariable *> &CallPlanner::globalsOf(Function &Callee) {
  auto [It, New] = Mentioned.try_emplace(&Callee);
  if (New)
    It->second = mentionedGlobals(Callee);
  return It->second;
}

/// Can \p Callee, through direct calls, come back to the function planned here?
bool CallPlanner::reachesOriginal(Function &Callee) {
  if (auto It = Reaches.find(&Callee); It != Reaches.end())
    return It->second;
  DenseSet<Function *> Seen;
  SmallVector<Function *, 16> Work{&Callee};
  bool Found = false;
  while (!Work.empty() && !Found) {
    Function *F = Work.pop_back_val();
    if (!Seen.insert(F).second)
      continue;
    Found = F == &P.original() || F == &P.function();
    for (Instruction &I : instructions(F))
      if (auto *Inner = dyn_cast<CallBase>(&I))
        if (Function *Next = calleeOf(*Inner))
          Work.push_back(Next);
  }
  return Reaches[&Callee] = Found;
}

std::string CallPlanner::operandText(const CallBase &Call, unsigned Arg) const {
  std::string Text = "argument " + std::to_string(Arg + 1);
  std::string Name = P.sourceName(Call.getArgOperand(Arg));
  return Name.empty() ? Text : Text + " (" + Name + ")";
}

/// The error, with a note on what makes the call part of the derivative.
Error CallPlanner::refuse(DiagId Id, const CallBase &Call, const Twine &What,
                          const Twine &Fix) const {
  Place Where = P.placeOf(&Call);
  Error E = diffError(Id, Where, What, Fix);
  for (unsigned Arg = 0; Arg < Call.arg_size(); ++Arg) {
    const Value *V = Call.getArgOperand(Arg);
    if (!isActive(V))
      continue;
    std::string Text = operandText(Call, Arg) + " of this call " + Activity.whyActive(P, V);
    return withNote(std::move(E), Where, Text);
  }
  return E;
}

Expected<CallPlanSet> planCalls(const PreparedFunction &P, const TypeResult &Types,
                                const ActivityResult &Activity, const DiffRequest &R,
                                const UnreadMemory &Unread, CalleeEffects &Effects) {
  CallPlanSet Plans;
  CallPlanner Planner(P, Types, Activity, R, Unread, Effects);
  for (BasicBlock &BB : P.function()) {
    for (Instruction &I : BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (!P.reachesReturn(&BB)) {
        Plans[Call] = simplePlan(CallPlan::Inactive, "the function does not return from here");
        continue;
      }
      Expected<CallPlan> Plan = Planner.plan(*Call);
      if (!Plan)
        return Plan.takeError();
      Plans[Call] = std::move(*Plan);
    }
  }
  return Plans;
}

raw_ostream &operator<<(raw_ostream &OS, CallPlan::Kind K) {
  switch (K) {
  case CallPlan::Inactive:
    return OS << "inactive";
  case CallPlan::ByRule:
    return OS << "by rule";
  case CallPlan::Structural:
    return OS << "structural";
  case CallPlan::BulkMemory:
    return OS << "bulk memory";
  case CallPlan::Allocate:
    return OS << "allocate";
  case CallPlan::Free:
    return OS << "free";
  case CallPlan::Differentiate:
    return OS << "differentiate";
  case CallPlan::Stop:
    return OS << "stop";
  }
  llvm_unreachable("complete switch");
}

/// Where more is known of what a call overwrites than LLVM knows.
static void printFoundEffects(const CallBase &Call, const CallPlan &Plan, raw_ostream &OS) {
  bool IsFunction = Plan.K == CallPlan::Differentiate || Plan.K == CallPlan::Inactive;
  bool MayWrite = isModSet(visibleEffects(Call.getMemoryEffects()));
  bool Elsewhere = isModSet(Plan.Effects.getModRef(IRMemLocation::Other));
  if (!IsFunction || !MayWrite || Elsewhere)
    return;
  if (!isModSet(visibleEffects(Plan.Effects)))
    OS << "   overwrites nothing";
  else if (isModSet(Call.getMemoryEffects().getModRef(IRMemLocation::Other)))
    OS << "   overwrites what it is passed";
}

void printCallPlans(const PreparedFunction &P, const CallPlanSet &Calls, raw_ostream &OS) {
  if (Calls.empty())
    return;
  OS << "  calls\n";
  for (auto &[Call, Plan] : Calls) {
    OS << "    ";
    if (Call->isInlineAsm())
      OS << "asm";
    else
      Call->getCalledOperand()->printAsOperand(OS, /*PrintType=*/false);
    OS << "   " << Plan.K << "   ";
    if (Plan.K != CallPlan::Differentiate)
      OS << Plan.Reason;
    else
      OS << Plan.Callee.str() << (Plan.Recursive ? "   recursive" : "");
    printFoundEffects(*Call, Plan, OS);
    OS << '\n';
  }
}

} // namespace isozyme
