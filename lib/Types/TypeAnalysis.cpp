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
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace isozyme;

namespace {

/// Tarjan's algorithm over the calls with a known body, without recursion: a
/// program may have long call chains.
class CalleeSummaries {
public:
  CalleeSummaries(const TargetLibraryInfo &TLI, const DataLayout &DL) : TLI(TLI), DL(DL) {}

  void addCalleesOf(const Function &Root) {
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
    auto Summary = std::make_shared<GraphSummary>();
    GraphBuilder(*Summary, Table, TLI, DL).build(Component);
    for (const Function *F : Component)
      Table[F] = Summary;
  }

  const TargetLibraryInfo &TLI;
  const DataLayout &DL;
  SummaryTable Table;
  DenseMap<const Function *, Visit> Info;
  SmallVector<const Function *, 16> Stack, Path;
  unsigned Count = 0;
};

/// What the callers of a function know about its arguments. Only for functions
/// that nothing but direct calls uses: then their derivatives, too, are only
/// called on behalf of these callers. Callers that disagree leave Unknown.
class CallerFacts {
public:
  CallerFacts(CalleeSummaries &Callees, const TargetLibraryInfo &TLI, const DataLayout &DL)
      : Callees(Callees), TLI(TLI), DL(DL) {}

  void addTo(GraphBuilder &Builder, const Function &Built, const Function &Original) {
    SmallVector<const CallBase *, 8> Calls;
    for (const User *U : Original.users()) {
      auto *Call = dyn_cast<CallBase>(U);
      if (!Call || bodyOfCallee(*Call) != &Original || is_contained(Call->args(), &Original))
        return;
      Calls.push_back(Call);
    }
    for (const CallBase *Call : Calls)
      if (const MemoryGraph *Caller = graphOf(*Call->getFunction()))
        Builder.addFactsOfCaller(Built, *Call, *Caller);
  }

private:
  /// Null for a caller that is being analysed (recursion) and beyond the limit.
  const MemoryGraph *graphOf(const Function &Caller) {
    auto [It, New] = Graphs.try_emplace(&Caller, nullptr);
    if (!New)
      return It->second ? &It->second->Graph : nullptr;
    if (Graphs.size() > MaxCallers)
      return nullptr;
    Callees.addCalleesOf(Caller);
    auto Summary = std::make_unique<GraphSummary>();
    GraphBuilder(*Summary, Callees.table(), TLI, DL).build({&Caller}, [&](GraphBuilder &B) {
      addTo(B, Caller, Caller);
    });
    std::unique_ptr<GraphSummary> &Kept = Graphs[&Caller];
    Kept = std::move(Summary);
    return &Kept->Graph;
  }

  /// Functions above the one of interest that are looked at.
  static constexpr unsigned MaxCallers = 256;
  CalleeSummaries &Callees;
  const TargetLibraryInfo &TLI;
  const DataLayout &DL;
  DenseMap<const Function *, std::unique_ptr<GraphSummary>> Graphs;
};

} // namespace

TypeResult isozyme::analyzeTypes(const PreparedFunction &P) {
  const DataLayout &DL = P.function().getDataLayout();
  auto I = std::make_shared<TypeResult::Impl>();
  I->F = &P.function();
  CalleeSummaries Callees(P.libraryInfo(), DL);
  Callees.addCalleesOf(P.function());
  GraphBuilder Builder(I->Summary, Callees.table(), P.libraryInfo(), DL);
  Builder.build({&P.function()});
  if (!Builder.leavesUnknown())
    return TypeResult(std::move(I));
  // Generic code, as a copy of n bytes: ask what its callers know.
  CallerFacts Callers(Callees, P.libraryInfo(), DL);
  I->Summary = GraphSummary();
  GraphBuilder(I->Summary, Callees.table(), P.libraryInfo(), DL)
      .build({&P.function()}, [&](GraphBuilder &Again) {
        Callers.addTo(Again, P.function(), P.original());
      });
  return TypeResult(std::move(I));
}

const MemoryGraph &TypeResult::memory() const { return I->Summary.Graph; }

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

/// Addresses of globals are constants: they have a node of their own if used.
static PointerTarget placeOf(const GraphSummary &S, const Value *V, const DataLayout &DL) {
  if (!isa<Constant>(V))
    return S.Graph.targetOf(V);
  APInt Offset(DL.getIndexTypeSizeInBits(V->getType()), 0);
  auto *GV = dyn_cast<GlobalVariable>(V->stripAndAccumulateConstantOffsets(DL, Offset, true));
  auto It = GV ? S.Globals.find(GV) : S.Globals.end();
  return It == S.Globals.end()
             ? PointerTarget()
             : S.Graph.normal({It->second, Offset.getSExtValue(), 0});
}

PointerTarget TypeResult::placeOf(const Value *Ptr) const {
  return ::placeOf(I->Summary, Ptr, I->F->getDataLayout());
}

/// By all that the function does with the memory that \p Ptr may point to.
static MemoryLayout layoutByUse(const TypeResult &Types, const Value *Ptr, uint64_t Size,
                                const DataLayout &DL) {
  PointerTarget Whole = Types.placeOf(Ptr);
  auto *GEP = dyn_cast<GEPOperator>(Ptr);
  if (!GEP || !Size)
    return Types.memory().layoutOf(Whole, Size);
  SmallVector<PointerTarget, 4> Places = placesOfElement(
      *GEP, Types.placeOf(GEP->getPointerOperand()), Whole, DL);
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

MemoryLayout TypeResult::layoutOf(const Value *Ptr, uint64_t Size) const {
  const DataLayout &DL = I->F->getDataLayout();
  MemoryLayout L = layoutByUse(*this, Ptr, Size, DL);
  if (!Size || all_of(L.Runs, [](const TypedRun &Run) { return Run.Type.isKnown(); }))
    return L;
  // A pointer that leads to a record or to a plain array makes one node of both,
  // in which the members of one lie over the elements of the other.
  std::optional<MemoryLayout> Declared = declaredLayout(*Ptr, Size, DL);
  return Declared && agree(L, *Declared) ? *Declared : L;
}
