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
#include "Fortran/KnownFunctions.h"
#include "Library/Fortran/ElementKind.h"
#include "isozyme/Driver/ElementsOfDescriptor.h"
#include "isozyme/Driver/Fortran/FortranCalls.h"
#include "isozyme/Driver/RecordComponents.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/InternalCopy.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include <map>

using namespace llvm;

namespace isozyme {

using fortran::CallKind;
using fortran::ElementKind;
using fortran::floatSize;
using fortran::KnownFunctions;

/// The helper that bodies share has pointers to elements, and numbers.
static constexpr unsigned CopyParameters[] = {0, 2}, CopyShapes[] = {1, 3},
                          CopyNumbers[] = {4, 5, 6};

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

/// Makes copies of bodies for kinds of elements.
class Copier {
public:
  Copier(Module &M, const KnownFunctions &Known, FunctionAnalysisManager &FAM)
      : M(M), Known(Known), FAM(FAM) {}

  Function *copy(Function &F, CallKind Kind) {
    Function *Helper = nullptr; // One for each call where types are not known.
    return copy(F, Kind,
                Kind.Kind == ElementKind::Unknown ? Helper : Helpers[{int(Kind.Kind), Caller}]);
  }

  /// Which function the copies that are made next are for, or null for any. Arrays in records look
  /// like parts of these to one that goes through the records: what it knows of the elements would
  /// contradict what others know.
  const Function *Caller = nullptr;

  /// For an assignment of Kind.Bytes bytes: nothing but these.
  ///
  ///   memmove(to->address, from->address, 24)
  ///
  /// Where one of the arrays may have gaps: element by element, all of which are read first.
  Function *copyOfBytes(Function &F, const CallKind &Kind) {
    auto *New = Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage,
                                 F.getName() + "." + nameOf(Kind.Kind) + ".fixed", M);
    New->copyAttributesFrom(&F);
    becomeInternal(*New);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", New));
    Value *Address[2];
    for (unsigned Parameter : {0, 1}) {
      stateTypes(*New, "Pointer", {Parameter},
                 "{[-1,8]:Integer@" + std::to_string(headerIntegers(*Kind.Ranks[Parameter])) +
                     ", [-1]:Pointer, [-1,0]:");
      Address[Parameter] = B.CreateLoad(B.getPtrTy(), New->getArg(Parameter));
    }
    if (Kind.HasGaps) {
      moveElements(B, *New, Address, Kind);
    } else {
      CallInst *Move =
          B.CreateMemMove(Address[0], MaybeAlign(), Address[1], MaybeAlign(), Kind.Bytes);
      if (Kind.Kind == ElementKind::Integer)
        Move->setMetadata(LLVMContext::MD_tbaa_struct, &integers(Kind.Bytes));
      else
        Move->setMetadata(LLVMContext::MD_tbaa,
                          &tagOf(floatSize(Kind.Kind) == 4 ? "float" : "double"));
    }
    B.CreateRetVoid();
    return New;
  }

  /// Of one dimension.
  void moveElements(IRBuilder<> &B, Function &F, ArrayRef<Value *> Address, const CallKind &Kind) {
    constexpr unsigned StrideAt = 40;
    const uint64_t Float = floatSize(Kind.Kind), Element = *Kind.Size;
    Type *T = Float == 4 ? B.getFloatTy() : B.getDoubleTy();
    SmallVector<Value *, 2> Stride;
    for (unsigned Parameter : {0, 1})
      Stride.push_back(
          B.CreateLoad(B.getInt64Ty(),
                       B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), F.getArg(Parameter), StrideAt)));
    auto Place = [&](unsigned Parameter, uint64_t At) {
      Value *Distance = Kind.IsFixed[Parameter]
                            ? B.getInt64(At - At % Element)
                            : B.CreateMul(Stride[Parameter], B.getInt64(At / Element));
      return B.CreatePtrAdd(B.CreatePtrAdd(Address[Parameter], Distance), B.getInt64(At % Element));
    };
    SmallVector<Value *, 16> Numbers;
    for (uint64_t At = 0; At < Kind.Bytes; At += Float)
      Numbers.push_back(B.CreateLoad(T, Place(1, At)));
    for (auto [K, Number] : enumerate(Numbers))
      B.CreateStore(Number, Place(0, K * Float));
  }

  /// For calls about elements of any kind: \p F does nothing with them.
  void prepareShared(Function &F) {
    Function *Helper = nullptr;
    inlineHelpers(F, CallKind(), Helper);
    simplify(F);
  }

  void simplify(Function &F) {
    FunctionPassManager Passes;
    Passes.addPass(
        SROAPass(SROAOptions::PreserveCFG)); // What distances are counted in is a member.
    Passes.addPass(InstSimplifyPass());
    Passes.addPass(SimplifyCFGPass());
    Passes.addPass(ADCEPass());
    FAM.invalidate(F, Passes.run(F, FAM));
  }

  /// Copies of helpers, in the order in which they were made.
  SmallVector<Function *, 8> MadeHelpers;

private:
  Function *copy(Function &F, CallKind Kind, Function *&Helper) {
    Function *Copy = clone(F, Kind.Kind);
    inlineHelpers(*Copy, Kind, Helper);
    // Behind the address there are integers, for each dimension; and then the table of the type of
    // records, or what is none of the descriptor's, where it is a component of a record.
    const bool HasTwoTypes = Known.TwoTypes.contains(&F);
    const uint64_t MostDimensions = Kind.Kind == ElementKind::Unknown ? 1 : 15;
    for (auto [K, Parameter] : enumerate(Known.descriptorsOf(F))) {
      StringRef Type = typeOf(HasTwoTypes ? Kind.Kinds[K] : Kind.Kind);
      std::optional<uint64_t> Rank = K < Kind.Ranks.size() ? Kind.Ranks[K] : std::nullopt;
      const uint64_t Header = headerIntegers(Rank.value_or(Kind.Table ? 0 : MostDimensions));
      std::string Facts = "{[-1]:Pointer, [-1,8]:Integer@" + std::to_string(Header);
      if ((Kind.Components || Kind.Table) && Rank)
        Facts += ", [-1," + std::to_string(8 + Header) + "]:Pointer, [-1," +
                 std::to_string(16 + Header) + "]:Integer@8";
      if (Kind.Components && Rank == 0)
        Facts += factsOf(*Kind.Components);
      stateTypes(*Copy, Type.empty() ? "Pointer" : Type, {unsigned(Parameter)},
                 Facts + (Type.empty() ? ", [-1,0]:" : ", [-1,0,-1]:"));
    }
    if (Known.Pushes.contains(&F))
      stateTypes(*Copy, typeOf(Kind.Kind), {0}, "{[-1]:Pointer, [-1,0]:Pointer, [-1,0,0,-1]:");
    simplify(*Copy);
    return Copy;
  }

  /// How many bytes of a descriptor are behind the address.
  static uint64_t headerIntegers(uint64_t Dimensions) { return 16 + 24 * Dimensions; }

  /// What the components of one record are, in the words of statedFacts.
  static std::string factsOf(const RecordComponents &Components) {
    std::string Facts;
    raw_string_ostream OS(Facts);
    for (const RecordComponent &C : Components) {
      auto At = [&](uint64_t Distance) -> raw_ostream & {
        return OS << ", [-1,0," << C.Offset + Distance;
      };
      if (C.How != RecordComponent::Data) {
        At(0) << "]:Pointer";
        if (!C.Type)
          At(0) << ",-1]:" << typeOf(C.Kind);
        At(8) << "]:Integer@" << headerIntegers(C.Rank);
        if (C.Type) {
          At(8 + headerIntegers(C.Rank)) << "]:Pointer";
          At(16 + headerIntegers(C.Rank)) << "]:Integer@8";
        }
      } else if (C.Kind == ElementKind::Integer) {
        At(0) << "]:Integer@" << C.ElementSize * C.Count;
      } else {
        uint64_t Float = floatSize(C.Kind);
        for (uint64_t Distance = 0; Distance < C.ElementSize * C.Count; Distance += Float)
          At(Distance) << "]:" << typeOf(C.Kind);
      }
    }
    return Facts;
  }

  Function *clone(Function &F, ElementKind Kind) {
    Function *Copy = &internalCopyOf(F);
    Copy->setName(F.getName() + "." + nameOf(Kind));
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
      if (Kind.Kind != ElementKind::Unknown) // Else callers tell, who know more than elements.
        stateTypes(*Helper, "Pointer", CopyShapes, "{[-1]:Pointer, [-1,0]:");
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
        } else if (std::optional<unsigned> Which = Known.asksForRank(*Callee)) {
          int Rank = Kind.MayBeComponent && *Which < Kind.Ranks.size()
                         ? int(Kind.Ranks[*Which].value_or(-1))
                         : -1;
          Call->replaceAllUsesWith(ConstantInt::getSigned(Call->getType(), Rank));
          Call->eraseFromParent();
        } else if (std::optional<unsigned> Which = Known.asksForKind(*Callee)) {
          ElementKind Its = *Which < Kind.Kinds.size() ? Kind.Kinds[*Which] : ElementKind::Unknown;
          Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), int(Its)));
          Call->eraseFromParent();
        } else if (Callee == Known.Deep) {
          Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), Kind.Components.has_value()));
          Call->eraseFromParent();
        } else if (Callee == Known.Table && Kind.Table) {
          Call->replaceAllUsesWith(const_cast<GlobalVariable *>(Kind.Table));
          Call->eraseFromParent();
        } else if (Callee == Known.Record) {
          Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), Kind.Fields.has_value()));
          Call->eraseFromParent();
        } else if (Kind.Fields && Callee == Known.CopyAll) {
          assignComponents(*Call, *Kind.Fields);
          Call->eraseFromParent();
        } else if (Callee == Known.Copy) {
          Call->setCalledFunction(helperFor(*Callee, Kind, Helper));
        } else if (Kind.Components && Known.isForComponents(*Callee)) {
          if (Callee == Known.AssignAll)
            assignComponents(*Call, *Kind.Components);
          else if (Callee == Known.InitializeAll)
            initializeComponents(*Call, *Kind.Components);
          else
            releaseComponents(*Call, *Kind.Components, Calls);
          Call->eraseFromParent();
        } else if (!Callee->isDeclaration() && !is_contained(MadeHelpers, Callee)) {
          Calls.push_back(Call);
        }
      }
    } while (!Calls.empty());
  }

  /// In front of \p Call, which is about one record. \p Calls: to be inlined.
  void releaseComponents(CallBase &Call, const RecordComponents &Components,
                         SmallVectorImpl<CallBase *> &Calls) {
    IRBuilder<> B(&Call);
    for (const RecordComponent &C : Components) {
      if (C.How != RecordComponent::Allocatable)
        continue;
      Value *Component =
          B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Call.getArgOperand(0), C.Offset);
      if (C.Type)
        B.CreateCall(forComponent(*Known.ReleaseRecords, C), Component);
      else
        Calls.push_back(B.CreateCall(Known.ReleaseOne, Component));
    }
  }

  /// A descriptor without memory, of each component that has one (Descriptor.h).
  void initializeComponents(CallBase &Call, const RecordComponents &Components) {
    constexpr unsigned Version = 20240719;
    IRBuilder<> B(&Call);
    for (const RecordComponent &C : Components) {
      if (C.InitialValue)
        setInitialValue(B, *Call.getArgOperand(0), C);
      if (C.How == RecordComponent::Data)
        continue;
      unsigned Attribute = C.How == RecordComponent::Pointer ? 1 : 2;
      uint64_t At = C.Offset;
      auto Append = [&](Constant *Member, uint64_t Bytes) {
        B.CreateStore(Member,
                      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Call.getArgOperand(0), At));
        At += Bytes;
      };
      Append(ConstantPointerNull::get(B.getPtrTy()), 8);
      Append(B.getInt64(C.ElementSize), 8);
      Append(B.getInt32(Version), 4);
      for (unsigned Byte : {C.Rank, unsigned(C.TypeCode), Attribute, unsigned(bool(C.Type))})
        Append(B.getInt8(Byte), 1);
      if (C.Type) {
        At = C.Offset + 8 + headerIntegers(C.Rank);
        Append(C.Type, 8);
        Append(B.getInt64(0), 8);
      }
    }
  }

  void setInitialValue(IRBuilder<> &B, Value &Record, const RecordComponent &C) {
    Type *Byte = B.getInt8Ty();
    auto Place = [&](Value *Start, uint64_t At) {
      return B.CreateConstInBoundsGEP1_64(Byte, Start, At);
    };
    bool IsInteger = C.Kind == ElementKind::Integer;
    uint64_t Bytes = C.ElementSize * C.Count, Step = IsInteger ? Bytes : floatSize(C.Kind);
    for (uint64_t At = 0; At < Bytes; At += Step)
      if (IsInteger)
        B.CreateMemCpy(Place(&Record, C.Offset), MaybeAlign(), C.InitialValue, MaybeAlign(), Bytes);
      else
        B.CreateStore(
            B.CreateLoad(Step == 4 ? B.getFloatTy() : B.getDoubleTy(), Place(C.InitialValue, At)),
            Place(&Record, C.Offset + At));
  }

  void assignComponents(CallBase &Call, const RecordComponents &Components) {
    IRBuilder<> B(&Call);
    for (const RecordComponent &C : Components) {
      auto In = [&](unsigned Record, uint64_t At) {
        return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Call.getArgOperand(Record), At);
      };
      auto Move = [&](Type *T, uint64_t At) {
        B.CreateStore(B.CreateLoad(T, In(1, At)), In(0, At));
      };
      auto MoveIntegers = [&](uint64_t At, uint64_t Bytes) {
        B.CreateMemCpy(In(0, At), MaybeAlign(), In(1, At), MaybeAlign(), Bytes)
            ->setMetadata(LLVMContext::MD_tbaa_struct, &integers(Bytes));
      };
      if (C.How == RecordComponent::Allocatable) {
        Function *Assignment =
            C.Type ? forComponent(*Known.AssignRecords, C) : componentAssignment(C);
        B.CreateCall(Assignment, {In(0, C.Offset), In(1, C.Offset)});
      } else if (C.How == RecordComponent::Pointer) {
        Move(B.getPtrTy(), C.Offset);
        MoveIntegers(C.Offset + 8, headerIntegers(C.Rank));
        if (C.Type) {
          Move(B.getPtrTy(), C.Offset + 8 + headerIntegers(C.Rank));
          MoveIntegers(C.Offset + 16 + headerIntegers(C.Rank), 8);
        }
      } else if (C.Kind == ElementKind::Integer) {
        MoveIntegers(C.Offset, C.ElementSize * C.Count);
      } else {
        uint64_t Float = floatSize(C.Kind), Bytes = C.ElementSize * C.Count;
        if (Bytes > MostFloats * Float)
          B.CreateMemCpy(In(0, C.Offset), MaybeAlign(), In(1, C.Offset), MaybeAlign(), Bytes)
              ->setMetadata(LLVMContext::MD_tbaa, &tagOf(Float == 4 ? "float" : "double"));
        else
          for (uint64_t At = 0; At < Bytes; At += Float)
            Move(Float == 4 ? B.getFloatTy() : B.getDoubleTy(), C.Offset + At);
      }
    }
  }

  /// More numbers of a component are moved at once.
  static constexpr uint64_t MostFloats = 16;

  /// What says that bytes are of \p Type. Its root is its own, so that it says nothing of what else
  /// may access them.
  MDNode &tagOf(StringRef Type) {
    MDBuilder MD(M.getContext());
    MDNode *Scalar = MD.createTBAAScalarTypeNode(Type, MD.createTBAARoot("isozyme components"));
    return *MD.createTBAAStructTagNode(Scalar, Scalar, 0);
  }

  MDNode &integers(uint64_t Bytes) {
    return *MDBuilder(M.getContext()).createTBAAStructNode({{0, Bytes, &tagOf("bool")}});
  }

  Function *componentAssignment(const RecordComponent &C) {
    std::tuple<int, unsigned, const Function *> Key = {int(C.Kind), C.Rank, Caller};
    Function *Made = Assignments.lookup(Key);
    return Made ? Made : Assignments[Key] = forComponent(*Known.AssignOne, C);
  }

  /// A copy of \p F for an allocatable component, where questions are about its elements.
  Function *forComponent(Function &F, const RecordComponent &C) {
    CallKind Kind;
    Kind.Kind = C.Kind;
    Kind.Rank = C.Rank;
    Kind.Ranks.assign(2, C.Rank);
    Kind.MayBeComponent = true;
    if (C.Inside) {
      Kind.Size = C.ElementSize;
      Kind.Components = *C.Inside;
    }
    Function *New = copy(F, Kind);
    MadeHelpers.push_back(New);
    return New;
  }

  Module &M;
  const KnownFunctions &Known;
  FunctionAnalysisManager &FAM;
  DenseMap<std::pair<int, const Function *>, Function *> Helpers; ///< By kind.
  /// By kind and rank.
  DenseMap<std::tuple<int, unsigned, const Function *>, Function *> Assignments;
};

} // namespace

/// What tells the type of the elements that \p Call is about.
static SmallVector<Value *, 4> descriptorsOf(const CallBase &Call, const Function &Callee,
                                             const KnownFunctions &Known) {
  SmallVector<Value *, 4> Descriptors;
  for (unsigned K : Known.descriptorsOf(Callee))
    Descriptors.push_back(Call.getArgOperand(K));
  if (&Callee == Known.ValueAt) // Those of the values that are on the stack.
    for (User *U : Call.getArgOperand(0)->users())
      if (auto *Push = dyn_cast<CallBase>(U);
          Push && Push->getCalledFunction() &&
          Push->getCalledFunction()->getName().starts_with(fortran::PushValueFunction))
        Descriptors.push_back(Push->getArgOperand(1));
  if (!Known.Pushes.contains(&Callee))
    return Descriptors;
  for (User *U : Call.getArgOperand(0)->stripPointerCasts()->users())
    if (auto *Begin = dyn_cast<CallBase>(U);
        Begin && Known.BeginConstructor && Begin->getCalledFunction() == Known.BeginConstructor)
      Descriptors.push_back(Begin->getArgOperand(1));
  return Descriptors;
}

/// Is there more to do with the elements than \p F does in a copy for their kind?
static bool isBeyond(const Function &F, const CallKind &Kind, const KnownFunctions &Known) {
  if (Known.OnlyBounds.contains(&F))
    return false;
  if (Known.OneType.contains(&F))
    return Kind.Kind == ElementKind::Unknown || Kind.IsMixed;
  if (&F == Known.PushValue || &F == Known.ValueAt)
    return Kind.GoesDeep || none_of(Kind.Ranks, [](auto Rank) { return Rank == 0; });
  if (&F == Known.PushDescriptor)
    return Kind.Kind == ElementKind::Unknown;
  if (Kind.Components && Known.GoingDeep.contains(&F))
    return Known.Makes.contains(&F) &&
           any_of(*Kind.Components, [](const RecordComponent &C) { return C.HasOtherValue; });
  if (Kind.IsUnknown && Known.HasMadeTypes && Known.Makes.contains(&F))
    return true;
  return Kind.GoesDeep || Known.isForRecords(F);
}

FortranBodies::FortranBodies(Module &M, FunctionAnalysisManager &FAM, ArrayRef<Function *> Lent)
    : FAM(FAM) {
  KnownFunctions Known(M);
  Copier Make(M, Known, FAM);
  for (Function *F : Lent) {
    if (!Known.isAboutElements(*F))
      continue;
    // And by what may be a component, bytes, and ranks, or -1.
    std::map<std::tuple<const Function *, int, std::vector<int64_t>>, Function *> ByKind;
    SmallVector<CallBase *, 8> Calls;
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == F)
        Calls.push_back(Call);
    for (CallBase *Call : Calls) {
      SmallVector<Value *, 4> Descriptors = descriptorsOf(*Call, *F, Known);
      CallKind Kind = fortran::kindOfCall(*Call, Descriptors, Known.Makes.contains(F));
      if (Known.Assigns.contains(F))
        fortran::findFixedBytes(Kind, Descriptors, *F);
      if (Kind.HasOnlyBytes && Known.isForRecords(*F))
        Kind.Components.emplace(); // None that the call has to do with.
      if (Known.OnlyMemory.contains(F) && !isBeyond(*F, Kind, Known) && !Kind.Components)
        continue;
      std::vector<int64_t> Key = {Kind.MayBeComponent, int64_t(Kind.Bytes), Kind.IsFixed[0],
                                  Kind.IsFixed[1]};
      for (std::optional<uint64_t> Rank : Kind.Ranks)
        Key.push_back(Rank ? int64_t(*Rank) : -1);
      for (ElementKind Its : Kind.Kinds)
        Key.push_back(Known.TwoTypes.contains(F) ? int64_t(Its) : 0);
      Function *Copy = nullptr;
      Make.Caller = Known.HasDeepTypes ? Call->getFunction() : nullptr;
      if (isBeyond(*F, Kind, Known))
        Copy = Function::Create(F->getFunctionType(), GlobalValue::ExternalLinkage,
                                F->getName() + ".deep", M);
      else if (Kind.Kind == ElementKind::Unknown)
        Copy = Make.copy(*F, Kind);
      else if (Function *&Shared = ByKind[{Make.Caller, int(Kind.Kind), Key}])
        Copy = Shared;
      else
        Copy = Shared = Kind.Bytes ? Make.copyOfBytes(*F, Kind) : Make.copy(*F, Kind);
      Copies[Copy] = F;
      Call->setCalledFunction(Copy);
    }
  }
  // What is for records only goes from bodies that are not copied.
  for (Function *F : Lent)
    if (Known.OnlyMemory.contains(F))
      Make.prepareShared(*F);
  Helpers = std::move(Make.MadeHelpers);
  for (Function *F : {Known.Size, Known.Rank, Known.Deep, Known.Record, Known.Table, Known.Ranks[0],
                      Known.Ranks[1]}) {
    if (!F)
      continue;
    for (User *U : make_early_inc_range(F->users())) {
      auto *Call = cast<CallBase>(U);
      bool AsksWhether = F == Known.Deep || F == Known.Record;
      Value *Unknown = AsksWhether ? ConstantInt::getFalse(F->getContext())
                       : F == Known.Table
                           ? ConstantPointerNull::get(cast<PointerType>(F->getReturnType()))
                       : Call->arg_empty() ? ConstantInt::getAllOnesValue(Call->getType())
                                           : Call->getArgOperand(0);
      Call->replaceAllUsesWith(Unknown);
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
