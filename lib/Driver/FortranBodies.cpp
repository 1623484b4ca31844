//===- FortranBodies.cpp - Bodies for one type of elements ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   call @_FortranAAssign(%u, %v, ...)            ; arrays of doubles
//   ->  call @_FortranAAssign.real8(%u, %v, ...)
//
// In the copy, isozyme_element_kind() is a constant, and its parameters say what the
// descriptors lead to ("enzyme_type"), for the types of what is only moved.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/FortranBodies.h"
#include "Library/Fortran/ElementKind.h"
#include "isozyme/Driver/ElementsOfDescriptor.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

using fortran::ElementKind;

static constexpr StringLiteral KindFunction = "isozyme_element_kind";
static constexpr StringLiteral SizeFunction = "isozyme_element_size";
static constexpr StringLiteral RankFunction = "isozyme_rank";

/// Which parameters lead to elements: descriptors, by their number.
struct ElementParameters {
  StringLiteral Name;
  SmallVector<unsigned, 3> Descriptors;
};

/// Array constructors have a record that leads to the descriptor, as their first parameter.
static constexpr StringLiteral ConstructorFunction = "_FortranAInitArrayConstructorVector";
static constexpr StringLiteral PushFunctions[] = {"_FortranAPushArrayConstructorValue",
                                                  "_FortranAPushArrayConstructorSimpleScalar"};

/// The helper that bodies share has pointers to elements, and numbers.
static constexpr StringLiteral CopyFunction = "isozyme_copy_elements";
static constexpr unsigned CopyParameters[] = {0, 2}, CopyNumbers[] = {4, 5, 6};

static ArrayRef<ElementParameters> elementParameters() {
  static const ElementParameters Table[] = {
      {"_FortranAAllocatableAllocateSource", {0, 1}},
      {"_FortranAAssign", {0, 1}},
      {"_FortranAAssignTemporary", {0, 1}},
      {"_FortranACopyInAssign", {0, 1}},
      {"_FortranACopyOutAssign", {0, 1}},
      {"_FortranACshift", {0, 1}},
      {"_FortranACshiftVector", {0, 1}},
      {"_FortranAEoshift", {0, 1, 3}},
      {"_FortranAEoshiftVector", {0, 1, 3}},
      {"_FortranAMaxlocDim", {1}},
      {"_FortranAMaxvalDim", {0, 1}},
      {"_FortranAMinlocDim", {1}},
      {"_FortranAMinvalDim", {0, 1}},
      {"_FortranANorm2Dim", {0, 1}},
      {"_FortranAPack", {0, 1, 3}},
      {"_FortranAPointerAllocateSource", {0, 1}},
      {"_FortranAProductDim", {0, 1}},
      {"_FortranAReshape", {0, 1, 3}},
      {"_FortranAShallowCopy", {0, 1}},
      {"_FortranAShallowCopyDirect", {0, 1}},
      {"_FortranASpread", {0, 1}},
      {"_FortranASumDim", {0, 1}},
      {"_FortranATranspose", {0, 1}},
      {"_FortranAUnpack", {0, 1, 3}},
  };
  return Table;
}

namespace {
/// The functions that matter here, in one module. Each may be missing.
struct KnownFunctions {
  explicit KnownFunctions(Module &M)
      : Kind(M.getFunction(KindFunction)), Size(M.getFunction(SizeFunction)),
        Rank(M.getFunction(RankFunction)), Copy(M.getFunction(CopyFunction)),
        BeginConstructor(M.getFunction(ConstructorFunction)) {
    for (const ElementParameters &Row : elementParameters())
      if (const Function *F = M.getFunction(Row.Name))
        Descriptors[F] = Row.Descriptors;
    for (StringRef Name : PushFunctions)
      if (const Function *F = M.getFunction(Name))
        Pushes.insert(F);
  }

  ArrayRef<unsigned> descriptorsOf(const Function &F) const {
    auto It = Descriptors.find(&F);
    return It == Descriptors.end() ? ArrayRef<unsigned>() : It->second;
  }
  bool isAboutElements(const Function &F) const {
    return Descriptors.contains(&F) || Pushes.contains(&F);
  }

  Function *Kind, *Size, *Rank, *Copy, *BeginConstructor;
  DenseMap<const Function *, ArrayRef<unsigned>> Descriptors;
  SmallPtrSet<const Function *, 2> Pushes;
};
} // namespace

/// Type codes of CFI_type_t, as flang numbers them.
static ElementKind kindOfTypeCode(unsigned Code) {
  switch (Code) {
  case 27:
    return ElementKind::Real4;
  case 28:
    return ElementKind::Real8;
  case 34:
    return ElementKind::Complex4;
  case 35:
    return ElementKind::Complex8;
  default: // Integers up to 24, logicals and characters, unsigned.
    bool IsInteger = (Code >= 1 && Code <= 24) || Code == 39 || Code == 40 ||
                     (Code >= 43 && Code <= 49);
    return IsInteger ? ElementKind::Integer : ElementKind::Unknown;
  }
}

static StringRef nameOf(ElementKind Kind) {
  switch (Kind) {
  case ElementKind::Unknown:
    return "bytes";
  case ElementKind::Integer:
    return "integer";
  case ElementKind::Real4:
    return "real4";
  case ElementKind::Real8:
    return "real8";
  case ElementKind::Complex4:
    return "complex4";
  case ElementKind::Complex8:
    return "complex8";
  }
  llvm_unreachable("a kind of elements");
}

/// In the words of statedFacts; empty: nothing to be said.
static StringRef typeOf(ElementKind Kind) {
  switch (Kind) {
  case ElementKind::Unknown:
    return "";
  case ElementKind::Integer:
    return "Integer";
  case ElementKind::Real4:
  case ElementKind::Complex4:
    return "Float@float";
  case ElementKind::Real8:
  case ElementKind::Complex8:
    return "Float@double";
  }
  llvm_unreachable("a kind of elements");
}

namespace {

struct CallKind {
  ElementKind Kind = ElementKind::Unknown;
  /// Of elements of unknown kind, where it is known. What is behind the dimensions of their
  /// descriptors is the table of their type.
  std::optional<uint64_t> Size, Rank;
  bool GoesDeep = false; ///< More than bytes are assigned.
};

/// Makes copies of bodies for kinds of elements.
class Copier {
public:
  Copier(Module &M, const KnownFunctions &Known, FunctionAnalysisManager &FAM)
      : M(M), Known(Known), FAM(FAM) {}

  Function *copy(Function &F, CallKind Kind) {
    Function *Helper = nullptr; // One for each call where types are not known.
    return copy(F, Kind, Kind.Kind == ElementKind::Unknown ? Helper : Helpers[int(Kind.Kind)]);
  }

  /// Copies of helpers, in the order in which they were made.
  SmallVector<Function *, 8> MadeHelpers;

private:
  Function *copy(Function &F, CallKind Kind, Function *&Helper) {
    Function *Copy = clone(F, Kind.Kind);
    inlineHelpers(*Copy, Kind, Helper);
    // Behind the address there are integers, for as many dimensions as there can be.
    uint64_t Dimensions = Kind.Kind == ElementKind::Unknown ? Kind.Rank.value_or(1) : 15;
    std::string Integers =
        "{[-1]:Pointer, [-1,8]:Integer@" + std::to_string(16 + 24 * Dimensions);
    StringRef Type = typeOf(Kind.Kind);
    stateTypes(*Copy, Type.empty() ? "Pointer" : Type, Known.descriptorsOf(F),
               Integers + (Type.empty() ? ", [-1,0]:" : ", [-1,0,-1]:"));
    if (Known.Pushes.contains(&F))
      stateTypes(*Copy, typeOf(Kind.Kind), {0}, "{[-1]:Pointer, [-1,0]:Pointer, [-1,0,0,-1]:");
    simplify(*Copy);
    return Copy;
  }

  Function *clone(Function &F, ElementKind Kind) {
    ValueToValueMapTy Map;
    Function *Copy = CloneFunction(&F, Map);
    Copy->setName(F.getName() + "." + nameOf(Kind));
    Copy->setLinkage(GlobalValue::InternalLinkage);
    Copy->setVisibility(GlobalValue::DefaultVisibility);
    Copy->setComdat(nullptr);
    return Copy;
  }

  void stateTypes(Function &F, StringRef Type, ArrayRef<unsigned> Parameters, StringRef Path) {
    if (Type.empty())
      return;
    for (unsigned K : Parameters)
      F.addParamAttr(K, Attribute::get(M.getContext(), marking::Type, (Path + Type + "}").str()));
  }

  Function *helperFor(Function &Callee, CallKind Kind, Function *&Helper) {
    if (!Helper) {
      Helper = clone(Callee, Kind.Kind);
      MadeHelpers.push_back(Helper);
      inlineHelpers(*Helper, Kind, Helper);
      stateTypes(*Helper, typeOf(Kind.Kind), CopyParameters, "{[-1]:Pointer, [-1,-1]:");
      stateTypes(*Helper, "Integer", CopyNumbers, "{[-1]:");
      simplify(*Helper);
    }
    return Helper;
  }

  /// Helpers work for bodies of all kinds: what they move has the type that it has here.
  void inlineHelpers(Function &F, CallKind Kind, Function *&Helper) {
    SmallVector<CallBase *, 16> Calls;
    do {
      for (CallBase *Call : Calls) {
        InlineFunctionInfo Info;
        InlineFunction(*Call, Info);
      }
      Calls.clear();
      for (Instruction &I : make_early_inc_range(instructions(F))) {
        auto *Call = dyn_cast<CallBase>(&I);
        Function *Callee = Call ? Call->getCalledFunction() : nullptr;
        if (!Callee)
          continue;
        if (Callee == Known.Kind) {
          Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), int(Kind.Kind)));
          Call->eraseFromParent();
        } else if (Callee == Known.Size || Callee == Known.Rank) {
          std::optional<uint64_t> Number = Callee == Known.Size ? Kind.Size : Kind.Rank;
          Call->replaceAllUsesWith(Number ? ConstantInt::get(Call->getType(), *Number)
                                          : Call->getArgOperand(0));
          Call->eraseFromParent();
        } else if (Callee == Known.Copy) {
          Call->setCalledFunction(helperFor(*Callee, Kind, Helper));
        } else if (!Callee->isDeclaration() && Callee != Helper) {
          Calls.push_back(Call);
        }
      }
    } while (!Calls.empty());
  }

  void simplify(Function &F) {
    FunctionPassManager Passes;
    Passes.addPass(InstSimplifyPass());
    Passes.addPass(SimplifyCFGPass());
    Passes.addPass(ADCEPass());
    FAM.invalidate(F, Passes.run(F, FAM));
  }

  Module &M;
  const KnownFunctions &Known;
  FunctionAnalysisManager &FAM;
  DenseMap<int, Function *> Helpers; ///< By kind.
};

} // namespace

/// What tells the type of the elements that \p Call is about.
static SmallVector<Value *, 4> descriptorsOf(const CallBase &Call, const Function &Callee,
                                             const KnownFunctions &Known) {
  SmallVector<Value *, 4> Descriptors;
  for (unsigned K : Known.descriptorsOf(Callee))
    Descriptors.push_back(Call.getArgOperand(K));
  if (!Known.Pushes.contains(&Callee))
    return Descriptors;
  for (User *U : Call.getArgOperand(0)->stripPointerCasts()->users())
    if (auto *Begin = dyn_cast<CallBase>(U);
        Begin && Known.BeginConstructor && Begin->getCalledFunction() == Known.BeginConstructor)
      Descriptors.push_back(Begin->getArgOperand(1));
  return Descriptors;
}

static CallKind kindOfCall(ArrayRef<Value *> Descriptors) {
  for (Value *Descriptor : Descriptors) {
    std::optional<unsigned> Code = byteOfDescriptor(Descriptor, DescriptorByte::TypeCode);
    if (!Code)
      continue;
    constexpr unsigned DerivedType = 42;
    if (*Code != DerivedType)
      return {kindOfTypeCode(*Code), {}, {}, false};
    if (const GlobalVariable *Table = derivedTypeOf(Descriptor))
      return {ElementKind::Unknown, elementSizeOf(Descriptor),
              byteOfDescriptor(Descriptor, DescriptorByte::Rank), assignmentGoesDeep(*Table)};
  }
  return {};
}

FortranBodies::FortranBodies(Module &M, FunctionAnalysisManager &FAM, ArrayRef<Function *> Lent)
    : FAM(FAM) {
  KnownFunctions Known(M);
  Copier Make(M, Known, FAM);
  for (Function *F : Lent) {
    if (!Known.isAboutElements(*F))
      continue;
    DenseMap<int, Function *> ByKind;
    SmallVector<CallBase *, 8> Calls;
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == F)
        Calls.push_back(Call);
    for (CallBase *Call : Calls) {
      CallKind Kind = kindOfCall(descriptorsOf(*Call, *F, Known));
      Function *Copy = nullptr;
      if (Kind.GoesDeep)
        Copy = Function::Create(F->getFunctionType(), GlobalValue::ExternalLinkage,
                                F->getName() + ".deep", M);
      else if (Kind.Kind == ElementKind::Unknown)
        Copy = Make.copy(*F, Kind);
      else if (Function *&Shared = ByKind[int(Kind.Kind)])
        Copy = Shared;
      else
        Copy = Shared = Make.copy(*F, Kind);
      Copies[Copy] = F;
      Call->setCalledFunction(Copy);
    }
  }
  Helpers = std::move(Make.MadeHelpers);
  for (Function *F : {Known.Size, Known.Rank}) { // In bodies that are not copied.
    if (!F)
      continue;
    for (User *U : make_early_inc_range(F->users())) {
      auto *Call = cast<CallBase>(U);
      Call->replaceAllUsesWith(Call->getArgOperand(0));
      Call->eraseFromParent();
    }
    F->eraseFromParent();
  }
}

FortranBodies::~FortranBodies() {
  for (auto &[Copy, Original] : Copies) {
    FAM.clear(*Copy, Copy->getName());
    Copy->replaceAllUsesWith(Original);
    Copy->eraseFromParent();
  }
}

} // namespace isozyme
