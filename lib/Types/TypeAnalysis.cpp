//===- TypeAnalysis.cpp - Types of one prepared function ------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summarises the functions that can be called, callees first and each strongly
// connected component at once, then analyses the prepared function itself.
//
//===----------------------------------------------------------------------===//

#include "isozyme/Types/TypeAnalysis.h"
#include "TypeResultImpl.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Requests/OperandTrace.h"
#include "isozyme/Values/FortranDescriptors.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <utility>

using namespace llvm;
using namespace isozyme;

/// Addresses of globals are constants: they have a node of their own if used.
static PointerTarget placeIn(const GraphSummary &S, const Value *V, const DataLayout &DL) {
  if (!isa<Constant>(V))
    return S.Graph.targetOf(V);
  APInt Offset(DL.getIndexTypeSizeInBits(V->getType()), 0);
  auto *GV = dyn_cast<GlobalVariable>(V->stripAndAccumulateConstantOffsets(DL, Offset, true));
  auto It = GV ? S.Globals.find(GV) : S.Globals.end();
  return It == S.Globals.end()
             ? PointerTarget()
             : S.Graph.normal({It->second, Offset.getSExtValue(), 0, S.Graph.objectOf(GV)});
}

/// Functions change while derivatives are made, or go, and others come to where they were: of the
/// same code this is the same.
static hash_code printOf(const Function &F) {
  hash_code Print = hash_combine(&F, F.getName(), F.size(), F.getAttributes().getRawPointer());
  SmallVector<std::pair<unsigned, MDNode *>, 4> Notes;
  for (const Instruction &I : instructions(F)) {
    Print = hash_combine(Print, &I, I.getOpcode(), I.getType(), I.getRawSubclassOptionalData());
    for (const Value *Operand : I.operand_values())
      Print = hash_combine(Print, Operand);
    if (auto *GEP = dyn_cast<GetElementPtrInst>(&I))
      Print = hash_combine(Print, GEP->getSourceElementType());
    if (auto *Local = dyn_cast<AllocaInst>(&I))
      Print = hash_combine(Print, Local->getAllocatedType());
    if (auto *Call = dyn_cast<CallBase>(&I))
      Print = hash_combine(Print, Call->getAttributes().getRawPointer());
    I.getAllMetadataOtherThanDebugLoc(Notes);
    for (auto [Kind, Note] : Notes)
      Print = hash_combine(Print, Kind, Note);
  }
  return Print;
}

namespace {

/// What a caller passes, with the number of the parameter that it is for.
using OperandsOfCall = SmallVector<std::pair<unsigned, const Value *>, 8>;

/// Tarjan's algorithm over the calls with a known body, without recursion: a
/// program may have long call chains. What is known of functions that have not changed since, nor
/// what they call, is used again.
class CalleeSummaries {
public:
  using Summary = std::shared_ptr<const GraphSummary>;

  /// Functions may have changed.
  void lookAgain() {
    Table.clear();
    Info.clear();
  }
  void addCalleesOf(const Function &Root, const TargetLibraryInfo &LibraryInfo) {
    TLI = &LibraryInfo;
    for (const Function *F : callees(Root))
      if (!Info.contains(F))
        search(F);
  }
  const SummaryTable &table() const { return Table; }

private:
  struct Visit {
    unsigned Index = 0, Low = 0;
    bool OnStack = false;
    SmallVector<const Function *, 4> Callees;
    unsigned Next = 0;
  };

  static SmallVector<const Function *, 4> callees(const Function &F) {
    SmallSetVector<const Function *, 4> Found;
    for (const Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Body = bodyOfCallee(*Call))
          Found.insert(Body);
    return Found.takeVector();
  }

  void enter(const Function *F) {
    Visit V;
    V.Index = V.Low = ++Count;
    V.OnStack = true;
    V.Callees = callees(*F);
    Info[F] = std::move(V);
    Stack.push_back(F);
    Path.push_back(F);
  }

  void search(const Function *Start) {
    enter(Start);
    while (!Path.empty()) {
      const Function *F = Path.back();
      Visit &V = Info[F];
      if (V.Next < V.Callees.size()) {
        const Function *Callee = V.Callees[V.Next++];
        auto It = Info.find(Callee);
        if (It == Info.end())
          enter(Callee);
        else if (It->second.OnStack)
          V.Low = std::min(V.Low, It->second.Index);
        continue;
      }
      Path.pop_back();
      if (!Path.empty())
        Info[Path.back()].Low = std::min(Info[Path.back()].Low, V.Low);
      if (V.Low == V.Index)
        summarize(F);
    }
  }

  /// Everything above \p Root on the stack is one component.
  void summarize(const Function *Root) {
    SmallVector<const Function *, 4> Component;
    do {
      Component.push_back(Stack.pop_back_val());
      Info[Component.back()].OnStack = false;
    } while (Component.back() != Root);
    std::reverse(Component.begin(), Component.end());
    Made New;
    for (const Function *F : Component) {
      New.From.push_back({F, printOf(*F)});
      for (const Function *Callee : Info[F].Callees)
        New.Callees.push_back(Table.lookup(Callee));
    }
    Made &Known = Earlier[Component.front()];
    if (!Known.isOfSame(New)) {
      auto Built = std::make_shared<GraphSummary>();
      GraphBuilder(*Built, Table, *TLI, Root->getDataLayout()).build(Component);
      New.Of = std::move(Built);
      Known = std::move(New);
    }
    for (const Function *F : Component)
      Table[F] = Known.Of;
  }

  /// The summary of a component, and what it was made from.
  struct Made {
    SmallVector<std::pair<const Function *, hash_code>, 1> From;
    SmallVector<Summary, 4> Callees; ///< Null for those in the component.
    Summary Of;

    bool isOfSame(const Made &Other) const {
      return Of && From == Other.From && Callees == Other.Callees;
    }
  };

  const TargetLibraryInfo *TLI = nullptr;   ///< While callees are added.
  DenseMap<const Function *, Made> Earlier; ///< By the first function of the component.
  SummaryTable Table;
  DenseMap<const Function *, Visit> Info;
  SmallVector<const Function *, 16> Stack, Path;
  unsigned Count = 0;
};

/// What is known of callers, from one analysis to the next: each function of a chain of calls
/// asks all that are above it.
class CallerSummaries {
public:
  using Summary = std::shared_ptr<const GraphSummary>;

  /// Null if \p F has changed since, or has not been looked at.
  Summary find(const Function &F) const {
    auto It = Known.find(&F);
    return It != Known.end() && It->second.Print == printOf(F) ? It->second.Of : nullptr;
  }
  void add(const Function &F, Summary Of) { Known[&F] = {printOf(F), std::move(Of)}; }

private:
  struct Entry {
    hash_code Print = 0;
    Summary Of;
  };

  DenseMap<const Function *, Entry> Known;
};

/// What the callers of a function know about its arguments: those that call it, and
/// those that ask for its derivative: then
/// its derivatives, too, are only called on behalf of these. Callers that disagree
/// leave Unknown.
class CallerFacts {
public:
  CallerFacts(CalleeSummaries &Callees, CallerSummaries &Kept, const TargetLibraryInfo &TLI,
              const DataLayout &DL)
      : Callees(Callees), Kept(Kept), TLI(TLI), DL(DL) {}

  void addTo(GraphBuilder &Builder, const Function &Built, const Function &Original,
             AskedOfCallers Asked = AskedOfCallers::All) {
    if (Original.hasFnAttribute(marking::ServesLaterCallers))
      return;
    SmallVector<std::pair<const CallBase *, OperandsOfCall>, 8> Calls;
    for (const Use &U : Original.uses()) {
      if (isCalledAlias(*U.getUser()))
        return;
      auto *Call = dyn_cast<CallBase>(U.getUser());
      // Its address may be anywhere: where it is called by that, and the derivative goes
      // on, there is a direct call (Prepare/IndirectCalls).
      if (!Call || (Call->isArgOperand(&U) && !calledEntryPoint(*Call)) ||
          Call->getFunction()->hasFnAttribute(marking::PutAside))
        continue;
      if (bodyOfCallee(*Call) == &Original && Call->isCallee(&U))
        Calls.push_back({Call, operandsOf(*Call)});
      else if (std::optional<OperandsOfCall> Operands = operandsOfRequest(*Call, Original))
        Calls.push_back({Call, std::move(*Operands)});
      else
        return;
    }
    bool AllTell = Asked == AskedOfCallers::All && !Calls.empty();
    for (auto &[Call, Operands] : Calls) {
      const GraphSummary *Caller = summaryOf(*Call->getFunction());
      AllTell &= Caller != nullptr;
      for (auto [Parameter, Operand] : Caller ? Operands : OperandsOfCall())
        Builder.addFactsOfCaller(Built, Parameter, placeIn(*Caller, Operand, DL), Caller->Graph,
                                 Asked);
      if (Caller && bodyOfCallee(*Call) == &Original)
        Builder.addFactsOfCaller(Built, std::nullopt, placeIn(*Caller, Call, DL), Caller->Graph,
                                 Asked);
    }
    if (AllTell)
      Builder.allCallersTold();
  }

private:
  /// Another name, or one of that, which is not the function's own (callByOwnNames), or is passed
  /// on. Else nobody calls it.
  static bool isCalledAlias(const User &Of) {
    return isa<GlobalAlias>(Of) && any_of(Of.users(), [](const User *By) {
             return isa<CallBase>(By) || isCalledAlias(*By);
           });
  }

  static OperandsOfCall operandsOf(const CallBase &Call) {
    OperandsOfCall Operands;
    for (const Use &U : Call.args())
      Operands.push_back({unsigned(Operands.size()), U.get()});
    return Operands;
  }

  /// What a call of __enzyme_autodiff and the like says of the arguments of \p F: the
  /// arguments themselves, and shadows, which look the same. Nothing if it is no such call.
  static std::optional<OperandsOfCall> operandsOfRequest(CallBase &Call, const Function &F) {
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || !entryPoint(Callee->getName()))
      return std::nullopt;
    Expected<MarkerCall> Read = parseMarkerCall(Call);
    if (!Read) {
      consumeError(Read.takeError());
      return std::nullopt;
    }
    if (Read->Request.Fn != &F)
      return std::nullopt;
    OperandsOfCall Operands;
    for (auto [K, Argument] : enumerate(Read->Arguments)) {
      if (Argument.Primal)
        Operands.push_back({unsigned(K), Argument.Primal});
      for (const Value *Shadow : Argument.Shadows)
        Operands.push_back({unsigned(K), Shadow});
    }
    return Operands;
  }

  /// Null for a caller that is being analysed (recursion) and beyond the limit.
  const GraphSummary *summaryOf(const Function &Caller) {
    auto [It, New] = Summaries.try_emplace(&Caller, nullptr);
    if (!New || Summaries.size() > MaxCallers) {
      LacksCallers |= !It->second;
      return It->second.get();
    }
    if (CallerSummaries::Summary Known = Kept.find(Caller))
      return (It->second = std::move(Known)).get();
    CallerSummaries::Summary Made = summarize(Caller);
    return (Summaries[&Caller] = std::move(Made)).get();
  }

  CallerSummaries::Summary summarize(const Function &Caller) {
    bool OthersLack = std::exchange(LacksCallers, false);
    Callees.addCalleesOf(Caller, TLI);
    auto Summary = std::make_shared<GraphSummary>();
    GraphBuilder Builder(*Summary, Callees.table(), TLI, DL);
    Builder.buildOnBehalfOfCallee();
    Builder.build({&Caller}, [&](GraphBuilder &B) {
      B.addDebugInfo(Caller);
      addTo(B, Caller, preparedFrom(Caller));
    });
    if (!LacksCallers)
      Kept.add(Caller, Summary);
    LacksCallers |= OthersLack;
    return Summary;
  }

  /// Functions above the one of interest that are looked at.
  static constexpr unsigned MaxCallers = 256;
  CalleeSummaries &Callees;
  CallerSummaries &Kept;
  const TargetLibraryInfo &TLI;
  const DataLayout &DL;
  DenseMap<const Function *, CallerSummaries::Summary> Summaries;
  bool LacksCallers = false; ///< What is being summarised.
};

} // namespace

struct TypeSummaries::Impl {
  CalleeSummaries Callees;
  CallerSummaries Callers;
};

TypeSummaries::TypeSummaries() : I(std::make_unique<Impl>()) {}
TypeSummaries::~TypeSummaries() = default;
void TypeSummaries::clear() {
  I->Callees.lookAgain();
  I->Callers = {};
}

TypeResult isozyme::analyzeTypes(const PreparedFunction &P, TypeSummaries &Known) {
  const DataLayout &DL = P.function().getDataLayout();
  auto I = std::make_shared<TypeResult::Impl>();
  I->F = &P.function();
  CalleeSummaries &Callees = Known.I->Callees;
  Callees.addCalleesOf(P.function(), P.libraryInfo());
  GraphBuilder Builder(I->Summary, Callees.table(), P.libraryInfo(), DL);
  Builder.buildDifferentiated(P.original());
  Builder.build({&P.function()});
  AskedOfCallers Asked = AskedOfCallers::Disguises;
  if (Builder.leavesUnknown() || Builder.guessesForeignPointers() ||
      Builder.guessesForeignIntegers() || Builder.movesForeignFloats() ||
      Builder.movesForeignWords() || Builder.copiesForeignPointersByLook())
    Asked = AskedOfCallers::All;
  else if (Builder.treatsForeignMemory() || Builder.movesForeignPointers())
    Asked = AskedOfCallers::Floats;
  else if (!Builder.declaresForeignIntegers())
    return TypeResult(std::move(I));
  // Generic code, as a copy of n bytes: ask debug information and what callers know.
  CallerFacts Callers(Callees, Known.I->Callers, P.libraryInfo(), DL);
  I->Summary = GraphSummary();
  GraphBuilder More(I->Summary, Callees.table(), P.libraryInfo(), DL);
  More.buildDifferentiated(P.original());
  More.build({&P.function()}, [&](GraphBuilder &Again) {
    Again.addDebugInfo(P.function());
    Callers.addTo(Again, P.function(), P.original(), Asked);
  });
  return TypeResult(std::move(I));
}

const MemoryGraph &TypeResult::memory() const { return I->Summary.Graph; }

SmallVector<std::pair<unsigned, unsigned>, 2> TypeResult::copiedAddresses() const {
  SmallVector<std::pair<unsigned, unsigned>, 2> Copied;
  const MemoryGraph &G = memory();
  auto MayHoldAddresses = [&](PointerTarget Place, uint64_t Size) {
    MemoryLayout L = G.layoutOf(Place, Size);
    return !L.Period || any_of(L.Runs, [](const TypedRun &Run) {
      return Run.Type.kind() == ConcreteType::Pointer || !Run.Type.isKnown();
    });
  };
  for (const CopyLink &Link : I->Summary.Copies)
    if (Link.From.isValid() && Link.To.isValid() && MayHoldAddresses(Link.From, Link.Size))
      Copied.push_back({G.find(Link.From.Node), G.find(Link.To.Node)});
  return Copied;
}

ConcreteType TypeResult::typeOf(const Value *V) const {
  Type *T = V->getType()->getScalarType();
  if (T->isFloatingPointTy())
    return ConcreteType::ofFloat(T);
  if (T->isPointerTy())
    return ConcreteType::Pointer;
  if (isa<Constant>(V))
    return T->isIntegerTy() ? ConcreteType::Anything : ConcreteType::Unknown;
  // An i1, i33 and so on is too odd to be a copy of a float or pointer.
  if (T->isIntegerTy() && T->getIntegerBitWidth() % 8)
    return ConcreteType::Integer;
  return I->Summary.Scalars.typeOf(V);
}

bool TypeResult::isPointerForFloat(const Value &V) const {
  const ScalarTypes &Scalars = I->Summary.Scalars;
  return V.getType()->isPointerTy() && Scalars.isPointerMove(&V) &&
         Scalars.typeOf(&V).kind() != ConcreteType::Pointer;
}

bool TypeResult::isMovedInTurn(const Value &V) const {
  return V.getType()->isIntOrIntVectorTy() && !isa<Constant>(V) &&
         I->Summary.Scalars.isMovedInTurn(&V);
}

bool TypeResult::returnsBits(const CallBase &Call) const {
  return I->Summary.BitsReturned.contains(&Call);
}

/// Does the tag of \p S say that all it stores is a number? (By the rules of C, it is then
/// read as one, whatever else was or will be in the same bytes; unless it is the bits of a float.)
static bool isTaggedInteger(const StoreInst &S, uint64_t Bytes) {
  if (isMarkedNumber(S))
    return true;
  const MDNode *Tag = S.getMetadata(LLVMContext::MD_tbaa);
  bool Found = isDescriptorInteger(S);
  if (Tag)
    readAccessTag(Tag, Bytes, S.getDataLayout(),
                  [&](int64_t At, uint64_t Size, ConcreteType T, FactRank Rank) {
                    Found |= Rank != FactRank::Declared && At == 0 && Size >= Bytes &&
                             T.kind() == ConcreteType::Integer;
                  });
  return Found;
}

ConcreteType TypeResult::typeOfStored(const StoreInst &S) const {
  const Value *V = S.getValueOperand();
  uint64_t Bytes = S.getDataLayout().getTypeStoreSize(V->getType());
  ConcreteType T = isa<Constant>(V) ? ConcreteType::Anything : typeOf(V);
  // An address that comes from where integers hold addresses is one where it goes, too.
  auto *From = dyn_cast<LoadInst>(V);
  bool IsAddress = From && T.kind() == ConcreteType::Pointer &&
                   memory().mayBeDisguised(placeOf(From->getPointerOperand()), Bytes);
  if (V->getType()->isIntOrIntVectorTy() && !T.isFloat() && !IsAddress &&
      isTaggedInteger(S, Bytes) && !memory().mayBeDisguised(placeOf(S.getPointerOperand()), Bytes))
    return ConcreteType::Integer;
  bool Told = T.isKnown() && T.kind() != ConcreteType::Anything;
  return Told ? T : layoutOf(S.getPointerOperand(), Bytes).uniform();
}

PointerTarget TypeResult::placeOf(const Value *Ptr) const {
  return placeIn(I->Summary, Ptr, I->F->getDataLayout());
}

SmallVector<PointerTarget, 4> TypeResult::placesOf(const Value *Ptr, uint64_t Size) const {
  const DataLayout &DL = I->F->getDataLayout();
  SmallVector<PointerTarget, 4> Places;
  for (const Value *Address : chosenAddresses(*Ptr)) {
    PointerTarget Whole = placeOf(Address);
    auto *GEP = dyn_cast<GEPOperator>(Address);
    if (GEP && Size)
      append_range(Places,
                   placesOfElement(*GEP, placeOf(GEP->getPointerOperand()), Whole, Size, DL));
    else if (Whole.isValid() || Address == Ptr)
      Places.push_back(Whole);
  }
  return Places.empty() ? SmallVector<PointerTarget, 4>{placeOf(Ptr)} : Places;
}

/// By all that the function does with the memory that \p Ptr may point to.
static MemoryLayout layoutByUse(const TypeResult &Types, const Value *Ptr, uint64_t Size) {
  SmallVector<PointerTarget, 4> Places = Types.placesOf(Ptr, Size);
  MemoryLayout Result = Types.memory().layoutOf(Places.front(), Size);
  for (PointerTarget Place : drop_begin(Places)) {
    MemoryLayout Other = Types.memory().layoutOf(Place, Size);
    bool Same = equal(Result.Runs, Other.Runs, [](const TypedRun &A, const TypedRun &B) {
      return A.Offset == B.Offset && A.Size == B.Size && A.Type == B.Type;
    });
    if (!Same) {
      Result.Runs.assign(1, {0, Size, ConcreteType::Unknown});
      break;
    }
  }
  return Result;
}

/// The elements of an array in a record, of which \p Ptr is one: v[i] in
/// struct { int n; double v[9]; }. Indexing stays in the array that it starts from.
static MemoryLayout layoutOfElements(const TypeResult &Types, const Value *Ptr, uint64_t Size) {
  PointerTarget Place = Types.placeOf(Ptr), Start = Place;
  while (Start.isValid() && Start.Stride) {
    auto *Phi = dyn_cast<PHINode>(Ptr); // One of LCSSA form.
    auto *GEP = dyn_cast<GEPOperator>(Ptr);
    if (!GEP && (!Phi || Phi->getNumIncomingValues() != 1))
      break;
    Ptr = GEP ? GEP->getPointerOperand() : Phi->getIncomingValue(0);
    Start = Types.placeOf(Ptr);
  }
  if (!Start.isValid() || Start.Stride || Start.Node != Place.Node)
    return {};
  return Types.memory().elementLayout(Place, Start.Offset, Size);
}

/// No byte is taken for a float by one and for something else by the other.
static bool agree(const MemoryLayout &Used, const MemoryLayout &Declared) {
  for (const TypedRun &A : Used.Runs)
    for (const TypedRun &B : Declared.Runs) {
      bool Overlap = A.Offset < B.Offset + B.Size && B.Offset < A.Offset + A.Size;
      if (Overlap && A.Type.isKnown() && !A.Type.join(B.Type).isKnown())
        return false;
    }
  return true;
}

const TaggedRecords *TypeResult::Impl::records() const {
  if (F->hasFnAttribute(marking::Synthesised)) // Derivatives access shadows without tags.
    return nullptr;
  if (!Records)
    Records.emplace(*F);
  return &*Records;
}

std::optional<MemoryLayout> TypeResult::layoutOfPointee(const MDNode &Tag) const {
  const TaggedRecords *Records = I->records();
  return Records ? Records->layoutOfPointee(&Tag) : std::nullopt;
}

MemoryLayout TypeResult::layoutOf(const Value *Ptr, uint64_t Size) const {
  const DataLayout &DL = I->F->getDataLayout();
  MemoryLayout L = layoutByUse(*this, Ptr, Size);
  auto IsKnown = [](const MemoryLayout &Of) {
    return Of.Period && all_of(Of.Runs, [](const TypedRun &Run) { return Run.Type.isKnown(); });
  };
  if (IsKnown(L) || (Size && !L.Period))
    return L;
  if (MemoryLayout Elements = layoutOfElements(*this, Ptr, Size);
      Size ? IsKnown(Elements) && !memory().mayBeDisguised(placeOf(Ptr), Size) : Elements.Period)
    return Elements;
  if (!Size)
    return L;
  // A pointer that leads to a record or to a plain array makes one node of both,
  // in which the members of one lie over the elements of the other.
  std::optional<MemoryLayout> Declared = declaredLayout(*Ptr, Size, DL);
  bool Disguised = memory().mayBeDisguised(placeOf(Ptr), Size);
  if (const TaggedRecords *Records = Declared || Disguised ? nullptr : I->records())
    Declared = Records->layoutAt(Ptr, Size);
  return Declared && !Disguised && agree(L, *Declared) ? *Declared : L;
}
