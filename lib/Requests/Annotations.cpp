//===- Annotations.cpp - Reads what a module says of its functions --------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: variables whose names contain a known text, and llvm.global.annotations.
//
//   void *__enzyme_register_derivative_f[] = {f, df};
//   => define double @f(double) !enzyme_derivative !{ptr @df}
//
//   __attribute__((annotate("enzyme_function_like=log1p"))) double g(double);
//   => declare double @g(double) "enzyme_math"="log1p"
//
// Out: attributes and metadata (Ops/Markings). Never: reads a call; guesses what a
// malformed declaration was meant to be.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/Annotations.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Target/GpuRuntime.h"
#include "isozyme/Target/TargetModel.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace isozyme {

namespace {
enum class Registration : uint8_t {
  SplitDerivative,
  Gradient,
  Derivative,
  InactiveFunction,
  InactiveGlobal,
  GlobalShadow,
  NoFree,
  SparseAccumulate,
  FunctionLike,
  AllocationLike,
  ShouldRecompute,
};
struct RegistrationName {
  StringLiteral Text;
  Registration Kind;
  /// What the variable is to be initialised with.
  StringLiteral Form;
};
} // namespace

// The name of a variable contains one of these.
static constexpr RegistrationName Registrations[] = {
    {"__enzyme_register_splitderivative", Registration::SplitDerivative,
     "{function, its augmented form, its derivative from a tape}"},
    {"__enzyme_register_gradient", Registration::Gradient,
     "{function, its augmented form, its gradient}"},
    {"__enzyme_register_derivative", Registration::Derivative, "{function, its derivative}"},
    {"__enzyme_inactivefn", Registration::InactiveFunction, "a function, or an array of them"},
    {"__enzyme_inactive_global", Registration::InactiveGlobal,
     "the address of a global variable, or an array of them"},
    {"__enzyme_register_shadow", Registration::GlobalShadow,
     "{address of a global variable, address of its shadow, a variable of the same type that can "
     "be written to}"},
    {"__enzyme_nofree", Registration::NoFree, "a function, or an array of them"},
    {"__enzyme_sparse_accumulate", Registration::SparseAccumulate,
     "a function, or an array of them"},
    {"__enzyme_function_like", Registration::FunctionLike,
     "{function, \"name of the known function\"}"},
    {"__enzyme_allocation_like", Registration::AllocationLike,
     "{function, number of the operand with the size, \"operands of the freeing function\", "
     "freeing function}"},
    {"__enzyme_shouldrecompute", Registration::ShouldRecompute, "a function, or an array of them"},
};

static const RegistrationName *registrationOf(const GlobalVariable &G) {
  // Most names in a module have no part in this.
  if (!G.getName().contains("__enzyme_"))
    return nullptr;
  const RegistrationName *N = find_if(
      Registrations, [&](const RegistrationName &R) { return G.getName().contains(R.Text); });
  return N == std::end(Registrations) ? nullptr : N;
}

/// What the name of a variable that says nothing was probably to begin with.
static const RegistrationName *misspelled(const GlobalVariable &G) {
  StringRef Name = G.getName();
  if (!Name.starts_with("__enzyme_") || !G.hasInitializer() || registrationOf(G))
    return nullptr;
  const RegistrationName *N = find_if(Registrations, [&](const RegistrationName &R) {
    for (size_t Length = R.Text.size() - 2; Length <= R.Text.size() + 2; ++Length)
      if (Name.take_front(Length).edit_distance(R.Text, /*AllowReplacements=*/true, 3) <= 2)
        return true;
    return false;
  });
  return N == std::end(Registrations) ? nullptr : N;
}

static Function *asFunction(Constant *C) {
  if (Function *Stub = stubBehind(*C))
    return Stub;
  return dyn_cast<Function>(C->stripPointerCastsAndAliases());
}

/// A pointer to a member function of C++: its address as a number, and the displacement of
/// the object. Null if it is none, or virtual, or of another base class.
static Function *asMember(const Constant *C) {
  auto *S = dyn_cast<ConstantStruct>(C);
  if (!S || S->getNumOperands() != 2 || !S->getOperand(0)->getType()->isIntegerTy() ||
      !S->getOperand(1)->isNullValue())
    return nullptr;
  auto *Address = dyn_cast<ConstantExpr>(S->getOperand(0));
  return Address && Address->getOpcode() == Instruction::PtrToInt
             ? asFunction(Address->getOperand(0))
             : nullptr;
}

/// What an initialiser lists: its elements, or the one value that it is.
static SmallVector<Constant *, 4> elementsOf(Constant *C) {
  SmallVector<Constant *, 4> Elements;
  if (Function *Member = asMember(C)) {
    Elements.push_back(Member);
  } else if (isa<ConstantArray, ConstantStruct, ConstantAggregateZero>(C)) {
    for (unsigned I = 0; Constant *Element = C->getAggregateElement(I); ++I)
      if (isa<ConstantArray, ConstantStruct>(Element))
        append_range(Elements, elementsOf(Element));
      else
        Elements.push_back(Element);
  } else {
    Elements.push_back(C);
  }
  return Elements;
}

static std::optional<StringRef> asText(const Constant *C) {
  StringRef Text;
  if (!C->getType()->isPointerTy() || !getConstantStringInfo(C, Text))
    return std::nullopt;
  return Text;
}

/// A number, in a list of pointers as well.
static std::optional<uint64_t> asNumber(const Constant *C) {
  if (C->isNullValue())
    return 0;
  if (auto *Expr = dyn_cast<ConstantExpr>(C); Expr && Expr->isCast())
    return asNumber(Expr->getOperand(0));
  auto *Number = dyn_cast<ConstantInt>(C);
  return Number ? std::optional(Number->getZExtValue()) : std::nullopt;
}

static MDNode *listOf(const Function &F, ArrayRef<Function *> Functions) {
  SmallVector<Metadata *, 2> Operands;
  for (Function *G : Functions)
    Operands.push_back(ValueAsMetadata::get(G));
  return MDNode::get(F.getContext(), Operands);
}

static void setFunctions(Function &F, StringRef Kind, ArrayRef<Function *> Functions) {
  F.setMetadata(Kind, listOf(F, Functions));
}

static void markNoFree(Function &F) {
  F.addFnAttr(marking::NoFree);
  F.addFnAttr(Attribute::NoFree);
}

/// The functions of a derivative's registration: \p Count of them. More may follow: strings
/// that say something about parameters that types said before pointers were opaque.
static std::optional<SmallVector<Function *, 3>> functionsIn(ArrayRef<Constant *> Elements,
                                                             unsigned Count) {
  SmallVector<Function *, 3> Functions;
  if (Elements.size() < Count ||
      !all_of(Elements.drop_front(Count), [](Constant *C) { return asText(C).has_value(); }))
    return std::nullopt;
  for (Constant *C : Elements.take_front(Count)) {
    Functions.push_back(asFunction(C));
    if (!Functions.back())
      return std::nullopt;
  }
  return Functions;
}

/// A derivative of \p Kind of \p F; it has one of each kind.
static Error setDerivative(Function &F, StringRef Kind, ArrayRef<Function *> Functions,
                           const GlobalVariable &G) {
  const MDNode *Known = F.getMetadata(Kind);
  if (Known && Known != listOf(F, Functions))
    return diffError(DiagId::BadRegistration, Place(G),
                     "'" + G.getName() + "' registers another derivative of '" + F.getName() +
                         "', which has one",
                     "leave one of the registrations out");
  setFunctions(F, Kind, Functions);
  return Error::success();
}

static bool applyAllocationLike(ArrayRef<Constant *> Elements) {
  if (Elements.size() != 4)
    return false;
  Function *F = asFunction(Elements[0]), *Free = asFunction(Elements[3]);
  std::optional<uint64_t> Size = asNumber(Elements[1]);
  std::optional<StringRef> FreeArgs = asText(Elements[2]);
  if (!F || !Size || !FreeArgs || (!Free && !Elements[3]->isNullValue()))
    return false;
  F->addFnAttr(marking::Allocator, std::to_string(*Size));
  F->addFnAttr(marking::Deallocator, *FreeArgs);
  if (Free)
    setFunctions(*F, marking::DeallocatorFn, {Free});
  if (std::optional<AllocationLike> A = allocationLike(*F);
      A && (!Free || A->FreeArgs.size() == Free->arg_size()))
    return true;
  F->removeFnAttr(marking::Allocator);
  F->removeFnAttr(marking::Deallocator);
  return false;
}

/// Marks each of the functions listed; false if something else is listed.
static bool markFunctions(ArrayRef<Constant *> Elements, function_ref<void(Function &)> Mark) {
  if (Elements.empty() || !all_of(Elements, asFunction))
    return false;
  for (Constant *C : Elements)
    Mark(*asFunction(C));
  return true;
}

static bool markVariables(ArrayRef<Constant *> Elements) {
  SmallVector<GlobalVariable *, 4> Variables;
  for (Constant *C : Elements) {
    auto *G =
        C->getType()->isPointerTy() ? dyn_cast<GlobalVariable>(getUnderlyingObject(C)) : nullptr;
    if (!G)
      return false;
    Variables.push_back(G);
  }
  for (GlobalVariable *G : Variables)
    G->addAttribute(marking::Inactive);
  return !Variables.empty();
}

/// A variable, and its shadow for each direction.
static Expected<bool> setShadows(ArrayRef<Constant *> Elements, const GlobalVariable &G) {
  SmallVector<GlobalVariable *, 2> Variables;
  for (Constant *C : Elements) {
    auto *V = dyn_cast<GlobalVariable>(C->stripPointerCasts());
    if (!V || is_contained(Variables, V))
      return false;
    Variables.push_back(V);
  }
  if (Variables.size() < 2)
    return false;
  GlobalVariable &Of = *Variables.front();
  const Accelerator *Machine = acceleratorOf(*G.getParent());
  SmallVector<Metadata *, 2> Shadows;
  for (GlobalVariable *V : ArrayRef(Variables).drop_front()) {
    bool IsFixed = V->isConstant() ||
                   (Machine && Machine->sharingOf(V->getAddressSpace()) == MemorySharing::Constant);
    if (IsFixed || V->isThreadLocal() != Of.isThreadLocal() ||
        V->getValueType() != Of.getValueType())
      return false;
    Shadows.push_back(ValueAsMetadata::get(V));
  }
  MDNode *Node = MDNode::get(G.getContext(), Shadows);
  const MDNode *Known = Of.getMetadata(marking::Shadow);
  if (Known && Known != Node)
    return diffError(DiagId::BadRegistration, Place(G),
                     "'" + G.getName() + "' registers another shadow of '" + Of.getName() +
                         "', which has one",
                     "leave one of the registrations out");
  Of.setMetadata(marking::Shadow, Node);
  return true;
}

/// Marks \p F as being like a function that Isozyme knows.
static Error markLike(Function &F, StringRef Name, const Place &Where, const Twine &Said) {
  F.addFnAttr(marking::Math, Name);
  if (mathFunctionOf(F))
    return Error::success();
  F.removeFnAttr(marking::Math);
  if (isInactiveLibraryName(Name)) {
    F.addFnAttr(marking::Inactive);
    return Error::success();
  }
  if (parseMathName(Name))
    return diffError(DiagId::BadRegistration, Where,
                     Said + " takes '" + F.getName() + "' for '" + Name +
                         "', which has other parameters or another result",
                     "name a function with the same parameters");
  return diffError(DiagId::BadRegistration, Where,
                   Said + " names '" + Name + "', which Isozyme does not know",
                   "name a function such as \"sin\" or \"log1p\"");
}

/// Reads one variable. False if its initialiser has not the form it should have; an error
/// if it has, but cannot be true.
static Expected<bool> apply(const GlobalVariable &G, Registration Kind) {
  if (!G.hasInitializer())
    return false;
  SmallVector<Constant *, 4> Elements = elementsOf(const_cast<Constant *>(G.getInitializer()));
  switch (Kind) {
  case Registration::Gradient:
    if (auto Functions = functionsIn(Elements, 3)) {
      Function &F = *(*Functions)[0];
      if (Error E = setDerivative(F, marking::Augment, {(*Functions)[1]}, G))
        return E;
      if (Error E = setDerivative(F, marking::Gradient, {(*Functions)[2]}, G))
        return E;
      return true;
    }
    return false;
  case Registration::Derivative:
    if (auto Functions = functionsIn(Elements, 2)) {
      if (Error E = setDerivative(*(*Functions)[0], marking::Derivative, {(*Functions)[1]}, G))
        return E;
      return true;
    }
    return false;
  case Registration::SplitDerivative:
    if (auto Functions = functionsIn(Elements, 3)) {
      if (Error E = setDerivative(*(*Functions)[0], marking::SplitDerivative,
                                  {(*Functions)[1], (*Functions)[2]}, G))
        return E;
      return true;
    }
    return false;
  case Registration::InactiveFunction:
    return markFunctions(Elements, [](Function &F) { F.addFnAttr(marking::Inactive); });
  case Registration::InactiveGlobal:
    return markVariables(Elements);
  case Registration::GlobalShadow:
    return setShadows(Elements, G);
  case Registration::NoFree:
    return markFunctions(Elements, markNoFree);
  case Registration::SparseAccumulate:
    return markFunctions(Elements, [](Function &F) { F.addFnAttr(marking::SparseAccumulate); });
  case Registration::ShouldRecompute:
    return markFunctions(Elements, [](Function &F) { F.addFnAttr(marking::ShouldRecompute); });
  case Registration::FunctionLike:
    if (Elements.size() != 2 || !asFunction(Elements[0]) || !asText(Elements[1]))
      return false;
    if (Error E = markLike(*asFunction(Elements[0]), *asText(Elements[1]), Place(G),
                           "'" + G.getName() + "'"))
      return E;
    return true;
  case Registration::AllocationLike:
    return applyAllocationLike(Elements);
  }
  llvm_unreachable("complete switch");
}

/// A text that is one or two letters off is a slip; one that is not ours at all is somebody else's.
static Error checkAnnotation(const GlobalValue &What, StringRef Text) {
  const StringRef AllKnown[] = {marking::Inactive, marking::ShouldRecompute,
                                marking::SparseAccumulate, marking::NoFree,
                                "enzyme_function_like="};
  StringRef Word = Text.contains('=') ? Text.take_front(Text.find('=') + 1) : Text;
  if (is_contained(AllKnown, Word))
    return Error::success();
  for (StringRef Known : AllKnown) {
    if (Word.edit_distance(Known, /*AllowReplacements=*/true, 3) > 2)
      continue;
    auto *F = dyn_cast<Function>(&What);
    return diffError(DiagId::BadRegistration, F ? Place(*F) : Place(cast<GlobalVariable>(What)),
                     "the annotation '" + Text + "' of '" + What.getName() + "' says nothing",
                     "did you mean '" + Known + "'?");
  }
  return Error::success();
}

/// An element of llvm.global.annotations: { what, text, file, line, arguments }.
static Error applyAnnotation(const Constant &Element) {
  if (Element.getNumOperands() < 2)
    return Error::success();
  auto *What = dyn_cast<GlobalValue>(Element.getOperand(0)->stripPointerCasts());
  std::optional<StringRef> Text = asText(cast<Constant>(Element.getOperand(1)));
  if (!What || !Text)
    return Error::success();
  if (isa<Function, GlobalVariable>(What))
    if (Error E = checkAnnotation(*What, *Text))
      return E;
  if (auto *G = dyn_cast<GlobalVariable>(What); G && *Text == marking::Inactive)
    G->addAttribute(marking::Inactive);
  auto *F = dyn_cast<Function>(What);
  if (!F)
    return Error::success();
  if (*Text == marking::Inactive || *Text == marking::ShouldRecompute ||
      *Text == marking::SparseAccumulate)
    F->addFnAttr(*Text);
  else if (*Text == marking::NoFree)
    markNoFree(*F);
  else if (Text->consume_front("enzyme_function_like="))
    return markLike(*F, *Text, Place(*F), "'enzyme_function_like'");
  return Error::success();
}

/// Annotations of local variables, parameters and members of structures: calls of these.
static bool annotatesLocals(const Function &F) {
  return F.getIntrinsicID() == Intrinsic::var_annotation ||
         F.getIntrinsicID() == Intrinsic::ptr_annotation;
}

/// Only what is global can be annotated; there, ours would be ignored in silence.
static Error checkLocalAnnotations(const Function &F) {
  Error All = Error::success();
  SmallPtrSet<const MDNode *, 4> Said;
  for (const User *U : F.users()) {
    auto *Call = dyn_cast<CallBase>(U);
    auto *Word = Call ? dyn_cast<Constant>(Call->getArgOperand(1)) : nullptr;
    std::optional<StringRef> Text = Word ? asText(Word) : std::nullopt;
    if (!Text || !Text->starts_with("enzyme_") ||
        !Said.insert(Call->getDebugLoc().getAsMDNode()).second)
      continue;
    All = joinErrors(
        std::move(All),
        diffError(DiagId::BadRegistration, Place(*Call),
                  "the annotation '" + *Text + "' of a " +
                      (F.getIntrinsicID() == Intrinsic::var_annotation
                           ? "local variable or parameter"
                           : "member") +
                      " says nothing",
                  "annotate a function or a global variable; an argument is held constant by "
                  "'enzyme_const' in the call"));
  }
  return All;
}

static const GlobalVariable *annotationList(const Module &M) {
  const GlobalVariable *List = M.getGlobalVariable("llvm.global.annotations");
  return List && List->hasInitializer() ? List : nullptr;
}

/// Says of the functions whose calls are hints about types that they do nothing, so that
/// a hint keeps the optimiser from nothing. They stay where they are: the type analysis
/// reads them.
static void markTypeHints(Module &M) {
  for (Function &F : M) {
    if (!typeHintOf(F) || !F.isDeclaration())
      continue;
    F.addFnAttr(marking::Inactive);
    F.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    for (Attribute::AttrKind Kind :
         {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree, Attribute::NoSync})
      F.addFnAttr(Kind);
    for (unsigned K = 0; K < F.arg_size(); ++K)
      if (F.getArg(K)->getType()->isPointerTy())
        F.addParamAttr(K, Attribute::getWithCaptureInfo(M.getContext(), CaptureInfo::none()));
  }
}

/// What a front end has written as metadata itself.
static Error checkMetadata(const Function &F) {
  CustomRules R = customRules(F);
  struct {
    StringRef Kind;
    bool Read;
  } const Kinds[] = {{marking::Augment, R.Augment != nullptr},
                     {marking::Gradient, R.Reverse && R.Augment},
                     {marking::Derivative, R.Forward != nullptr},
                     {marking::SplitDerivative, R.hasSplitForward()}};
  for (auto &[Kind, Read] : Kinds)
    if (F.hasMetadata(Kind) && !Read)
      return diffError(DiagId::BadRegistration, Place(F),
                       "the metadata '" + Kind + "' of '" + F.getName() +
                           "' does not name the functions of a derivative",
                       "let it hold them; 'enzyme_gradient' goes with 'enzyme_augment'");
  return Error::success();
}

bool hasAnnotations(const Module &M) {
  return annotationList(M) ||
         any_of(M, [](const Function &F) { return typeHintOf(F) || annotatesLocals(F); }) ||
         any_of(M.globals(),
                [](const GlobalVariable &G) { return registrationOf(G) || misspelled(G); });
}

Error applyAnnotations(Module &M) {
  Error All = Error::success();
  markTypeHints(M);
  for (const GlobalVariable &G : M.globals()) {
    if (const RegistrationName *Meant = misspelled(G))
      All = joinErrors(std::move(All),
                       diffError(DiagId::BadRegistration, Place(G),
                                 "the variable '" + G.getName() + "' registers nothing",
                                 "did you mean '" + Twine(Meant->Text) + "'?"));
    const RegistrationName *N = registrationOf(G);
    if (!N)
      continue;
    Expected<bool> Read = apply(G, N->Kind);
    if (Read && *Read)
      continue;
    All = joinErrors(std::move(All),
                     !Read ? Read.takeError()
                           : diffError(DiagId::BadRegistration, Place(G),
                                       "'" + G.getName() + "' has no meaning with this initialiser",
                                       "initialise it with " + N->Form));
  }
  for (const Function &F : M)
    if (F.hasMetadata())
      All = joinErrors(std::move(All), checkMetadata(F));
  for (const Function &F : M)
    if (annotatesLocals(F))
      All = joinErrors(std::move(All), checkLocalAnnotations(F));
  if (const GlobalVariable *List = annotationList(M))
    for (const Use &Element : List->getInitializer()->operands())
      All = joinErrors(std::move(All), applyAnnotation(*cast<Constant>(Element)));
  return All;
}

static SmallVector<GlobalVariable *, 4> registrationsOf(Module &M) {
  SmallVector<GlobalVariable *, 4> Variables;
  for (GlobalVariable &G : M.globals())
    if (registrationOf(G) && G.hasInitializer())
      Variables.push_back(&G);
  return Variables;
}

void keepRegistrations(Module &M) {
  SmallVector<GlobalVariable *, 4> Variables = registrationsOf(M);
  appendToUsed(M, SmallVector<GlobalValue *, 4>(Variables.begin(), Variables.end()));
}

void eraseRegistrations(Module &M) {
  SmallVector<GlobalVariable *, 4> Variables = registrationsOf(M);
  if (Variables.empty())
    return;
  removeFromUsedLists(M,
                      [&](Constant *C) { return is_contained(Variables, C->stripPointerCasts()); });
  for (GlobalVariable *G : Variables) {
    G->removeDeadConstantUsers();
    if (G->use_empty())
      G->eraseFromParent();
  }
}

/// While it can still be seen, notes which parameters of registered functions are structs.
static void noteParameters(Function &F) {
  CustomRules R = customRules(F);
  for (Function *G : {&F, R.Augment, R.Reverse, R.Forward, R.SplitAugment, R.SplitForward})
    if (G && (R.hasReverse() || R.Forward || R.hasSplitForward()))
      noteStructParts(*G);
}

/// Of a load that is volatile until the derivatives exist.
static constexpr StringLiteral HeldMetadata = "isozyme.held";

/// What is read from a variable that carries no derivative must not become what has been
/// stored there, which may.
static bool holdInactiveLoads(Module &M) {
  bool Changed = false;
  if (none_of(M.globals(), [](const GlobalVariable &G) { return isMarkedInactive(G); }))
    return Changed;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() || !Load->getType()->isFPOrFPVectorTy())
        continue;
      auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Load->getPointerOperand()));
      if (!G || G->isConstant() || !isMarkedInactive(*G))
        continue;
      Load->setVolatile(true);
      Load->setMetadata(HeldMetadata, MDNode::get(M.getContext(), {}));
      Changed = true;
    }
  return Changed;
}

/// A weak function may be another one when the program is linked: nobody looks into it. LLVM's
/// pipeline for AMD takes the program to be complete, and makes functions internal but for those
/// that are listed as used.
bool pinMarked(Module &M) {
  bool Changed = holdInactiveLoads(M);
  SmallPtrSet<GlobalValue *, 8> UsedBefore;
  SmallVector<GlobalValue *, 8> Before, Pinned;
  collectUsedGlobalVariables(M, Before, /*CompilerUsed=*/false);
  UsedBefore.insert_range(Before);
  for (Function &F : M) {
    noteParameters(F);
    if (F.isDeclaration() || F.hasFnAttribute(PinnedAttribute) || !hasMarkedMeaning(F))
      continue;
    bool Inline = F.hasFnAttribute(Attribute::AlwaysInline);
    bool IsListed = TargetModel(M).isAccelerator() && !UsedBefore.contains(&F);
    F.addFnAttr(PinnedAttribute, std::to_string(F.getLinkage()) + (Inline ? " inline" : "") +
                                     (IsListed ? " listed" : ""));
    F.removeFnAttr(Attribute::AlwaysInline);
    F.setLinkage(GlobalValue::WeakAnyLinkage);
    if (IsListed)
      Pinned.push_back(&F);
    Changed = true;
  }
  appendToUsed(M, Pinned);
  return Changed;
}

void unpinMarked(Module &M) {
  removeFromUsedLists(M, [](Constant *C) {
    auto *F = dyn_cast<Function>(C->stripPointerCasts());
    return F && F->getFnAttribute(PinnedAttribute).getValueAsString().ends_with(" listed");
  });
  for (Function &F : M) {
    // Calls that were marked where they stand, and loads.
    for (Instruction &I : instructions(F))
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->hasMetadata(HeldMetadata)) {
        Load->setVolatile(false);
        Load->setMetadata(HeldMetadata, nullptr);
      } else if (auto *Call = dyn_cast<CallBase>(&I);
                 Call && Call->getAttributes().hasFnAttr(PinnedAttribute)) {
        Call->removeFnAttr(Attribute::NoInline);
        Call->removeFnAttr(PinnedAttribute);
      }
    F.removeFnAttr(marking::Parameters);
    if (!F.hasFnAttribute(PinnedAttribute))
      continue;
    StringRef Text = F.getFnAttribute(PinnedAttribute).getValueAsString();
    Text.consume_back(" listed");
    bool Inline = Text.consume_back(" inline");
    unsigned Linkage = 0;
    if (!F.isDeclaration() && !Text.getAsInteger(10, Linkage))
      F.setLinkage(GlobalValue::LinkageTypes(Linkage));
    if (Inline)
      F.addFnAttr(Attribute::AlwaysInline);
    F.removeFnAttr(PinnedAttribute);
  }
}

} // namespace isozyme
