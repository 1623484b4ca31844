//===- GraphCalls.cpp - What calls do to the points-to graph --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of a function with a body copies the part of the callee's graph that
// can be reached from arguments, result and globals into this graph, afresh for
// each call: what one caller mixes stays apart in another. A function without a
// body that no table knows may keep, return and write whatever it is given,
// unless its attributes promise otherwise.
//
//===----------------------------------------------------------------------===//

#include "GlobalsOfRoutines.h"
#include "GraphBuilder.h"
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/KnownRuntimes.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OutputCalls.h"
#include "isozyme/Requests/DiffRequest.h"
#include "isozyme/Requests/MarkerNames.h"
#include "isozyme/Support/TypeContents.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numeric>

using namespace llvm;
using namespace isozyme;

const Function *isozyme::bodyOfCallee(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  if (!F || F->isDeclaration() || F->isInterposable() || F->isVarArg() ||
      F->getFunctionType() != Call.getFunctionType())
    return nullptr;
  return &simplifiedForm(*F);
}

bool GraphBuilder::visitCall(const CallBase &Call) {
  OpView View = viewOf(Call, TLI);
  switch (View.Class) {
  case OpClass::Allocate:
    if (!G.targetOf(&Call).isValid()) {
      unsigned Node = G.addNode();
      G.Nodes[Node].Roots.push_back(&Call);
      return G.setTarget(&Call, G.startOf(&Call, Node));
    }
    return false;
  case OpClass::Elementwise:
  case OpClass::Zero:
  case OpClass::Free:
  case OpClass::Control:
    return false;
  case OpClass::Structural:
    return containsPointer(Call.getType()) && joinOperands(Call);
  case OpClass::KnownInactive: { // strchr(p, c) returns a place in p, getenv one of its own.
    if (isMarkedInactive(Call) && bodyOfCallee(Call))
      break; // By the user's word: it may do anything but carry a derivative.
    if (!containsPointer(Call.getType()))
      return false;
    if (const Value *Same = Call.getReturnedArgOperand()) // strcpy(p, s) returns p.
      return G.setTarget(&Call, targetOf(Same));
    if (const Value *Same = stringItself(Call)) // s.append(t) returns s, and has nothing of t.
      return G.setTarget(&Call, targetOf(Same));
    if (isOutput(Call)) // Nor does a stream of what it prints.
      if (const Value *Stream = resultOfOutput(Call); !isa<ConstantPointerNull>(Stream))
        return G.setTarget(&Call, targetOf(Stream));
    if (leadsIntoString(Call)) // Where the text is, the string knows: s.data() reads it there.
      return visitLoadLike(Call, Call.getArgOperand(0), Call.getType(), 0);
    bool Changed = !returnsLibraryMemory(Call) && joinOperands(Call);
    return G.targetOf(&Call).isValid() ? Changed : G.setTarget(&Call, {externalNode(), 0, 1});
  }
  default:
    break;
  }
  if (auto Link = copyLinkOf(Call)) {
    bool Changed = containsPointer(Call.getType()) && G.setTarget(&Call, Link->To);
    if (!Link->From.isValid() || !Link->To.isValid())
      return Changed;
    Changed |= copyCells(*Link, false);
    return Changed | copyCells(*copyLinkOf(Call), true);
  }
  if (gpuTransfer(Call))
    return false;
  if (View.Class == OpClass::Memory && containsPointer(Call.getType()) &&
      !isa<IntrinsicInst>(Call)) // memset(p, 0, n) returns p.
    return G.setTarget(&Call, targetOf(Call.getArgOperand(0)));
  if (auto *I = dyn_cast<IntrinsicInst>(&Call)) {
    bool Handled = false;
    bool Changed = visitIntrinsic(*I, Handled);
    if (Handled)
      return Changed;
  }
  if (Value *Old = reallocatedPointer(Call, TLI)) {
    bool Changed = false;
    if (!G.targetOf(&Call).isValid()) { // Memory of its own, also where the old is null.
      unsigned Node = G.addNode();
      G.Nodes[Node].Roots.push_back(&Call);
      Changed = G.setTarget(&Call, {Node, 0, 0});
    }
    return Changed | G.setTarget(&Call, targetOf(Old));
  }
  if (const Function *Body = isRequest(Call) ? nullptr : bodyOfCallee(Call)) {
    auto Here = S.Functions.find(Body);
    if (Here != S.Functions.end())
      return visitComponentCall(Call, Here->second);
    auto There = Callees.find(Body);
    if (There != Callees.end() && There->second)
      return visitSummarizedCall(Call, *There->second, There->second->Functions.find(Body)->second);
  }
  return visitUnknownCall(Call);
}

bool GraphBuilder::visitIntrinsic(const IntrinsicInst &I, bool &Handled) {
  Handled = true;
  switch (I.getIntrinsicID()) {
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
    return false;
  case Intrinsic::masked_load: {
    bool Changed = visitLoadLike(I, I.getArgOperand(0), I.getType(), 0);
    return Changed |
           (containsPointer(I.getType()) && G.setTarget(&I, targetOf(I.getArgOperand(2))));
  }
  case Intrinsic::masked_gather:
  case Intrinsic::masked_expandload:
    return visitLoadLike(I, I.getArgOperand(0), I.getType(), 1);
  case Intrinsic::masked_store:
    return visitStoreLike(I, I.getArgOperand(0), I.getArgOperand(1), 0);
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore:
    return visitStoreLike(I, I.getArgOperand(0), I.getArgOperand(1), 1);
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ptrmask:
  case Intrinsic::threadlocal_address:
    return G.setTarget(&I, targetOf(I.getArgOperand(0)));
  default:
    Handled = I.doesNotAccessMemory() && !containsPointer(I.getType());
    return false;
  }
}

bool GraphBuilder::visitComponentCall(const CallBase &Call, const GraphSummary::Interface &Callee) {
  bool Changed = false;
  const Function *F = Call.getCalledFunction();
  for (const Argument &A : F->args())
    Changed |= G.setTarget(&A, targetOf(Call.getArgOperand(A.getArgNo())));
  return Changed | G.setTarget(&Call, G.normal(Callee.Return));
}

/// The place in the caller of byte 0 of a callee's node, where \p Known is the
/// caller's place for \p T.
static PointerTarget originOf(PointerTarget Known, PointerTarget T) {
  return Known.plus(-T.Offset, T.Stride);
}

/// Is \p Known, where a pointer leads here, another place of the node than \p Expected, where
/// it would lead as the callee has it? Not if one of them is only less exact.
static bool leadsElsewhere(PointerTarget Known, PointerTarget Expected) {
  if (!Known.isValid() || Known.Node != Expected.Node || Known == Expected)
    return false;
  if (!Expected.Stride)
    return true;
  uint64_t Stride = Known.Stride ? std::gcd(Known.Stride, Expected.Stride) : Expected.Stride;
  return (Known.Offset - Expected.Offset) % int64_t(Stride) != 0;
}

bool GraphBuilder::visitSummarizedCall(const CallBase &Call, const GraphSummary &Callee,
                                       const GraphSummary::Interface &Interface) {
  const MemoryGraph &Other = Callee.Graph;
  bool Changed = false;
  // The instance is local while it grows: globalNode and friends may add calls.
  Instance Map = std::move(Instances[&Call]);
  auto Place = [&](PointerTarget T, PointerTarget Mine) {
    T = Other.normal(T);
    if (T.isValid() && Mine.isValid())
      Changed |= G.join(Map[T.Node], originOf(Mine.ofAnyObject(), T));
    G.drain();
  };
  auto Ensure = [&](PointerTarget T, PointerTarget Known) {
    T = Other.normal(T);
    PointerTarget There = G.normal(Map.lookup(T.Node));
    if (!There.isValid() && !Known.isValid())
      There = Map[T.Node] = {G.addNode(), 0, 0};
    // One node of the callee may be several places here, as that of a list in an array is:
    // each leads on to others.
    bool LeadsOn = !Other.node(T.Node).Cells.empty();
    if (!There.isValid() || (LeadsOn && leadsElsewhere(Known, There.plus(T))))
      Place(T, Known);
    return G.normal(Map[T.Node]).plus(T);
  };
  for (auto [K, Formal] : enumerate(Interface.Formals))
    Place(Formal, targetOf(Call.getArgOperand(K)));
  for (auto &[GV, Node] : Callee.Globals)
    Place({Node, 0, 0}, G.normal({globalNode(GV), 0, 0}));
  if (Callee.External != PointerTarget::None)
    Place({Callee.External, 0, 1}, {externalNode(), 0, 1});
  if (Interface.Return.isValid())
    Changed |= G.setTarget(&Call, Ensure(Interface.Return, G.targetOf(&Call)));
  for (auto [K, Formal] : enumerate(Interface.IntegerFormals))
    if (Formal.isValid())
      Changed |= joinInteger(Call.getArgOperand(K), Ensure(Formal, {}), true);
  if (Interface.IntegerReturn.isValid())
    Changed |= joinInteger(&Call, Ensure(Interface.IntegerReturn, {}), false);
  for (unsigned K = 0; K != Map.size(); ++K) {
    unsigned Node = (Map.begin() + K)->first;
    const MemoryNode &N = Other.node(Node);
    for (auto &[Key, Cell] : N.Cells) {
      PointerTarget Mine = G.normal((Map.begin() + K)->second).plus(Other.placeOfCell(Node, Key));
      PointerTarget Content;
      if (Cell.Target.isValid())
        Content = Ensure(Cell.Target, G.contentOf(Mine, Cell.Pointee));
      Changed |= G.joinCell(
          Mine, {Content, Cell.Loaded, Cell.Stored, Cell.Named, Cell.AsInteger, Cell.Pointee});
    }
    MemoryNode &Mine = G.Nodes[G.normal((Map.begin() + K)->second).Node];
    bool Allocates = any_of(N.Roots, [](const Value *R) { return isa<CallBase>(R); });
    if (Allocates && !is_contained(Mine.Roots, &Call)) {
      Mine.Roots.push_back(&Call);
      G.startOf(&Call, G.find((Map.begin() + K)->second.Node));
    }
  }
  Instances[&Call] = std::move(Map);
  for (const CopyLink &Link : copiesBy(Call, Callee)) {
    Changed |= copyCells(Link, false);
    Changed |= copyCells(Link, true);
  }
  return Changed;
}

/// Where the objects of a callee that have a number there start here.
static DenseMap<unsigned, PointerTarget>
knownObjects(const CallBase &Call, const MemoryGraph &Callee,
             function_ref<PointerTarget(const Value *)> TargetOf) {
  DenseMap<unsigned, PointerTarget> Known;
  for (const Argument &A : Call.getCalledFunction()->args())
    if (unsigned Object = Callee.targetOf(&A).Object)
      Known[Object] = originOf(TargetOf(Call.getArgOperand(A.getArgNo())), Callee.targetOf(&A));
  return Known;
}

/// Is \p Object what a call made, in node \p Node of \p G?
static bool isMadeByCall(unsigned Object, const MemoryGraph &G, unsigned Node) {
  return any_of(G.node(Node).Roots, [&](const Value *Root) {
    return isa<CallBase>(Root) && G.objectOf(Root) == Object;
  });
}

/// The copies that \p Callee makes, of memory that the caller knows of.
SmallVector<CopyLink, 2> GraphBuilder::copiesBy(const CallBase &Call, const GraphSummary &Callee) {
  SmallVector<CopyLink, 2> Copied;
  DenseMap<unsigned, PointerTarget> Known =
      knownObjects(Call, Callee.Graph, [&](const Value *V) { return targetOf(V); });
  // What it has made is no other object that the caller passes.
  auto Passed = [&](PointerTarget Theirs) {
    PointerTarget Mine = passedPlace(Call, Theirs);
    if (!Mine.isValid() || !Theirs.Object)
      return Mine;
    PointerTarget Start = G.normal(Known.lookup(Theirs.Object));
    if (Start.isValid() && Start.Node == Mine.Node)
      Mine.Object = Start.Object;
    else if (isMadeByCall(Theirs.Object, Callee.Graph, Theirs.Node))
      Mine.Object = G.objectOf(&Call);
    return Mine;
  };
  for (const CopyLink &Link : Callee.Copies)
    if (CopyLink Mine{Passed(Link.From), Passed(Link.To), Link.Size, Link.Integers, Link.Numbers};
        Mine.From.isValid() && Mine.To.isValid())
      Copied.push_back(Mine);
  return Copied;
}

/// As callers see \p Link: whichever element it is about.
static CopyLink forCallers(CopyLink Link) {
  // Fewer differ then.
  Link.From = Link.From.backAndForth();
  Link.To = Link.To.backAndForth();
  bool IsOneMove = Link.Size && !Link.From.Stride && !Link.To.Stride;
  if (Link.From.Node != Link.To.Node || IsOneMove)
    return Link;
  // How far things move is all that counts, not from which element.
  uint64_t Distance = std::abs(Link.From.Offset - Link.To.Offset);
  PointerTarget Moved = Link.From.ofAnyObject().plus(0, std::gcd(Link.To.Stride, Distance));
  return {Moved, Moved, 0, Link.Integers, Link.Numbers};
}

/// Does \p Link only say that things stay where they are?
static bool movesNothing(const CopyLink &Link) {
  return Link.From.Node == Link.To.Node && !Link.From.Stride &&
         (!Link.Size || Link.From.Offset == Link.To.Offset);
}

static bool addNew(SmallVectorImpl<CopyLink> &Links, const CopyLink &Link) {
  bool Known = any_of(Links, [&](const CopyLink &Other) {
    return Other.From == Link.From && Other.To == Link.To && Other.Size == Link.Size &&
           Other.Integers <= Link.Integers && Other.Numbers <= Link.Numbers;
  });
  if (!Known && !movesNothing(Link))
    Links.push_back(Link);
  return !Known;
}

/// What \p First and then \p Next copy, if anything.
static std::optional<CopyLink> chained(const CopyLink &First, const CopyLink &Next) {
  CopyLink Both{First.From, Next.To, First.Size, First.Integers || Next.Integers,
                First.Numbers || Next.Numbers};
  Distances Between(First.To, Next.From);
  int64_t Size = First.Size, NextSize = Next.Size;
  if (Size && NextSize && !Between.meets(1 - NextSize, Size))
    return std::nullopt;
  bool IsSame = Size && Size == NextSize && !Between.meets(1 - Size, 0) && !Between.meets(1, Size);
  if (!IsSame) {
    Both.From = First.From.plus(Between.At, Between.Every);
    Both.Size = 0;
  }
  return forCallers(Both);
}

/// As callers see a move of numbers if there are many: of whatever is in the one node, to
/// anywhere in the other.
static CopyLink anywhere(const CopyLink &Link) {
  return {Link.From.plus(0, 1), Link.To.plus(0, 1), 0, true, true};
}

/// What the links \p Direct, one after the other, copy by way of memory that callers do not know
/// of. Nothing if that is too much to follow.
std::optional<SmallVector<CopyLink, 8>>
GraphBuilder::linksByWayOf(ArrayRef<CopyLink> Direct,
                           function_ref<bool(PointerTarget)> IsOwn) const {
  constexpr unsigned MaxChains = 512;
  SmallVector<CopyLink, 8> Chains, Found;
  for (const CopyLink &Link : Direct)
    if (!IsOwn(Link.From) && IsOwn(Link.To))
      Chains.push_back(Link);
  for (unsigned I = 0; I < Chains.size() && Chains.size() < MaxChains; ++I)
    for (CopyLink Next : Direct) {
      PointerTarget Before = Chains[I].To;
      bool IsOther = Before.Object && Next.From.Object && Before.Object != Next.From.Object;
      if (Next.From.Node != Before.Node || IsOther)
        continue;
      // Objects there may lie otherwise to each other than their offsets say.
      Next.From = Next.From.plus(0, G.node(Next.From.Node).SkewStep);
      if (std::optional<CopyLink> Chain = chained(Chains[I], Next))
        addNew(IsOwn(Next.To) ? Chains : Found, *Chain);
    }
  if (Chains.size() >= MaxChains)
    return std::nullopt;
  return Found;
}

/// The moves \p Direct of what the source calls numbers that go by way of memory that callers do
/// not know of. Too many to follow: what comes in there may go out anywhere.
SmallVector<CopyLink, 8>
GraphBuilder::numbersByWayOf(ArrayRef<CopyLink> Direct,
                             function_ref<bool(PointerTarget)> IsOwn) const {
  SmallVector<CopyLink, 8> Numbers;
  auto IsInside = [&](const CopyLink &Link) { return IsOwn(Link.From) || IsOwn(Link.To); };
  if (none_of(Direct, [&](const CopyLink &Link) { return Link.Numbers && IsInside(Link); }))
    return Numbers;
  if (std::optional<SmallVector<CopyLink, 8>> Found = linksByWayOf(Direct, IsOwn)) {
    copy_if(*Found, std::back_inserter(Numbers), [](const CopyLink &Link) { return Link.Numbers; });
    return Numbers;
  }
  for (const CopyLink &In : Direct)
    for (const CopyLink &Out : Direct)
      if (!IsOwn(In.From) && IsOwn(In.To) && IsOwn(Out.From) && !IsOwn(Out.To))
        addNew(Numbers, forCallers(anywhere({In.From, Out.To})));
  return Numbers;
}

/// Hands copies on to callers, each once, and those by way of memory that callers do not know of.
/// Too many to follow: whatever is copied may be anywhere.
void GraphBuilder::noteCopies() {
  constexpr unsigned MaxCopies = 128;
  SmallVector<CopyLink, 8> Direct, Numbers;
  auto Add = [&](const CopyLink &Link) {
    bool Many = Link.Numbers && Numbers.size() >= MaxCopies;
    addNew(Link.Numbers ? Numbers : Direct, forCallers(Many ? anywhere(Link) : Link));
  };
  for (ArrayRef<CopyLink> Links : {ArrayRef<CopyLink>(Copies), ArrayRef<CopyLink>(NumberMoves)})
    for (CopyLink Link : Links) {
      if (!Link.From.isValid() || !Link.To.isValid())
        continue;
      Link.From = G.normal(Link.From);
      Link.To = G.normal(Link.To);
      Add(Link);
    }
  noteIntegerMoves(Add);
  SmallVector<bool> OfOthers = memoryOfOthers();
  auto IsOwn = [&](PointerTarget Place) { return !OfOthers[G.find(Place.Node)]; };
  S.Copies.assign(Direct.begin(), Direct.end());
  std::optional<SmallVector<CopyLink, 8>> Found = linksByWayOf(Direct, IsOwn);
  if (Found)
    for (const CopyLink &Link : *Found)
      addNew(S.Copies, Link);
  SmallVector<CopyLink, 8> All(Direct);
  append_range(All, Numbers);
  append_range(Numbers, numbersByWayOf(All, IsOwn));
  if (!Found || S.Copies.size() > MaxCopies) {
    for (const CopyLink &Link : Direct)
      for (PointerTarget Place : {Link.From, Link.To})
        G.unify(Place.Node, externalNode());
    S.Copies.truncate(std::min<size_t>(S.Copies.size(), MaxCopies));
  }
  append_range(S.Copies, Numbers);
  for (CopyLink &Link : S.Copies) {
    Link.From = G.normal(Link.From);
    Link.To = G.normal(Link.To);
  }
  G.drain();
}

/// A request for a derivative mixes nothing: it is only there while callers are asked
/// what they know. Nor does the derivative that another request has become: it keeps
/// addresses of several things together, and would blur what the caller knows. Code that
/// is itself differentiated holds no request unless that one could not be lowered, and then
/// it may do anything.
bool GraphBuilder::isRequest(const CallBase &Call) const {
  const Function *F = Call.getCalledFunction();
  if (!F || IsDifferentiated)
    return false;
  bool Lowered = OnBehalfOfCallee && isMadeByIsozyme(*F) && !isMadeByIsozyme(*Call.getFunction());
  return Lowered || entryPoint(F->getName()).has_value();
}

bool GraphBuilder::visitUnknownCall(const CallBase &Call) {
  if (isRequest(Call)) {
    for (const Use &U : Call.args()) // Global variables get their node.
      targetOf(U.get());
    return false;
  }
  // With active data the derivative does not go on from there: nothing is to be assumed.
  if (isUnlisted(Call)) {
    if (!containsPointer(Call.getType()) || G.targetOf(&Call).isValid())
      return false;
    unsigned Node = G.addNode();
    G.Nodes[Node].Roots.push_back(&Call);
    return G.setTarget(&Call, {Node, 0, 0});
  }
  bool Changed = false;
  bool Returns = containsPointer(Call.getType()) && !Call.returnDoesNotAlias();
  // What a kernel keeps, it keeps in memory that the host does not look at.
  const Function *Callee = Call.getCalledFunction();
  bool MayKeep = !Call.onlyReadsMemory() && !(Callee && Callee->hasFnAttribute(marking::Launcher));
  for (const Use &U : Call.args()) {
    PointerTarget T = targetOf(U.get());
    unsigned K = Call.getArgOperandNo(&U);
    if (!T.isValid() || (!U->getType()->isIntegerTy() && Call.doesNotCapture(K)))
      continue;
    if (MayKeep) {
      unsigned External = externalNode();
      if (G.find(T.Node) != External) {
        G.unify(T.Node, External);
        Changed = true;
      }
    } else if (Returns) {
      Changed |= G.setTarget(&Call, T.plus(0, 1));
    }
  }
  if (Returns)
    Changed |= G.setTarget(&Call, {externalNode(), 0, 1});
  else if (containsPointer(Call.getType()) && !G.targetOf(&Call).isValid()) {
    unsigned Node = G.addNode();
    G.Nodes[Node].Roots.push_back(&Call);
    Changed |= G.setTarget(&Call, {Node, 0, 0});
  }
  return Changed;
}

void GraphBuilder::importFacts(const CallBase &Call, const GraphSummary &Callee) {
  MapVector<unsigned, CallEffect> Effects;
  DenseMap<unsigned, PointerTarget> Known =
      knownObjects(Call, Callee.Graph, [&](const Value *V) { return targetOf(V); });
  for (auto &[Node, Target] : Instances[&Call]) {
    const MemoryNode &N = Callee.Graph.node(Node);
    PointerTarget Place = G.normal(Target);
    for (auto &[Key, Type] : N.Facts) {
      auto [Stride, Offset, Size, Rank, Object] = Key;
      PointerTarget Start = Object ? Known.lookup(Object) : PointerTarget();
      if (!Start.isValid() || G.find(Start.Node) != Place.Node)
        Start = Place;
      G.addFact(Start.plus(placeOfFact(Key, Type)), Size, Type, Rank);
    }
    G.Nodes[Place.Node].addUses(N);
    CallEffect &E = Effects[Place.Node];
    E = {Place.Node, E.ReadsData || N.ReadsData, E.WritesData || N.WritesData,
         E.ReadsPointer || N.ReadsPointer, E.WritesPointer || N.WritesPointer};
  }
  for (auto &[Node, E] : Effects)
    if (E.ReadsData || E.WritesData || E.ReadsPointer || E.WritesPointer)
      G.Effects[&Call].push_back(E);
}

void GraphBuilder::noteUnknownEffects(const CallBase &Call) {
  if (Call.doesNotAccessMemory() || isRequest(Call))
    return;
  MapVector<unsigned, CallEffect> Effects;
  bool OnlyReads = Call.onlyReadsMemory();
  auto Add = [&](unsigned Node, bool Reads, bool Writes) {
    CallEffect &E = Effects[Node];
    E = {Node, E.ReadsData || Reads, E.WritesData || Writes, E.ReadsPointer || Reads,
         E.WritesPointer || Writes};
  };
  for (const Use &U : Call.args()) {
    PointerTarget T = targetOf(U.get());
    if (!T.isValid())
      continue;
    unsigned K = Call.getArgOperandNo(&U);
    Add(G.find(T.Node), !Call.onlyWritesMemory(K) || !U->getType()->isPointerTy(),
        !OnlyReads && !(U->getType()->isPointerTy() && Call.onlyReadsMemory(K)));
  }
  bool Unlisted = isUnlisted(Call);
  if (!Unlisted && !Call.onlyAccessesArgMemory() && S.External != PointerTarget::None)
    Add(externalNode(), true, !OnlyReads);
  // A function of the program that it runs finds in global variables what it needs.
  const Function *Callee = Call.getCalledFunction();
  if (Callee && runsProgram(*Callee)) {
    const GlobalsOfRoutines Reached(Call);
    for (auto &[GV, Node] : S.Globals)
      if (Reached.mayUse(*GV))
        Add(G.find(Node), true, true);
  }
  // What arguments lead to, in turn: the attributes of the argument do not reach it.
  for (unsigned K = 0; K != Effects.size(); ++K)
    for (auto &[Key, Cell] : G.node((Effects.begin() + K)->first).Cells)
      if (Cell.Target.isValid())
        Add(G.find(Cell.Target.Node), true, !OnlyReads);
  for (auto &[Node, E] : Effects) {
    MemoryNode &N = G.Nodes[Node];
    N.Opaque |= !Unlisted;
    N.ReadsData |= E.ReadsData;
    N.WritesData |= E.WritesData;
    N.ReadsPointer |= E.ReadsPointer;
    N.WritesPointer |= E.WritesPointer;
    G.Effects[&Call].push_back(E);
  }
}

/// What \p Body, which the call runs, says of its operands. False if nothing is known of it.
bool GraphBuilder::factsOfBody(const CallBase &Call, const Function &Body) {
  if (S.Functions.contains(&Body)) {
    for (const Argument &A : Body.args())
      if (A.getType()->isIntOrIntVectorTy())
        S.Scalars.addCopy(Call.getArgOperand(A.getArgNo()), &A);
    return true;
  }
  auto There = Callees.find(&Body);
  if (There == Callees.end() || !There->second)
    return false;
  importFacts(Call, *There->second);
  for (const CopyLink &Link : copiesBy(Call, *There->second))
    (Link.Numbers ? NumberMoves : Copies).push_back(Link);
  const auto &Interface = There->second->Functions.find(&Body)->second;
  for (auto [K, Type] : enumerate(Interface.FormalTypes))
    if (Call.getArgOperand(K)->getType()->isIntOrIntVectorTy() && !Interface.FormalTreated[K])
      S.Scalars.addEvidence(Call.getArgOperand(K), Type, Interface.FormalUsed[K]);
  if (Call.getType()->isIntOrIntVectorTy() && !Interface.ReturnTreated)
    S.Scalars.addEvidence(&Call, Interface.ReturnType, Interface.ReturnUsed);
  importKeptIntegers(Call);
  if (Interface.ReturnsBits)
    S.BitsReturned.insert(&Call);
  return true;
}

/// To its own memory the call is one of a function: what is copied has a derivative by a rule.
void GraphBuilder::noteTransfer(const CallBase &Call, const GpuTransfer &Transfer) {
  MapVector<unsigned, CallEffect> Effects;
  auto Add = [&](const Value *V, bool Reads, bool Writes) {
    PointerTarget T = V ? targetOf(V) : PointerTarget();
    if (!T.isValid())
      return;
    const unsigned Node = G.find(T.Node);
    MemoryNode &N = G.Nodes[Node];
    N.ReadsData |= Reads;
    N.WritesData |= Writes;
    CallEffect &E = Effects[Node];
    E = {Node, E.ReadsData || Reads, E.WritesData || Writes, false, false};
  };
  Add(Transfer.From, true, false);
  Add(Transfer.To, false, true);
  for (auto &[Node, E] : Effects)
    G.Effects[&Call].push_back(E);
}

void GraphBuilder::factsOfCall(const CallBase &Call) {
  OpView View = viewOf(Call, TLI);
  bool ByBody =
      View.Class == OpClass::KnownInactive && isMarkedInactive(Call) && bodyOfCallee(Call);
  switch (ByBody ? OpClass::Call : View.Class) {
  case OpClass::Allocate:
    if (Call.hasFnAttr(marking::TapeMemory))
      G.Nodes[G.find(G.targetOf(&Call).Node)].Tape = true;
    return;
  case OpClass::KnownInactive:
    if (isNumber(Call))
      S.Scalars.addEvidence(&Call, ConcreteType::Integer);
    return;
  case OpClass::Control:
  case OpClass::Structural:
    return;
  case OpClass::Free:
    // Who frees memory has to free its shadow too: callers see a write.
    for (const Use &U : Call.args())
      for (PointerTarget T : targetsOfReleased(*U.get())) {
        MemoryNode &N = G.Nodes[G.find(T.Node)];
        N.WritesPointer = N.Freed = true;
        N.Tape |= Call.hasFnAttr(marking::TapeMemory);
      }
    return;
  case OpClass::Elementwise:
  case OpClass::Zero:
    for (const Use &U : Call.args()) // Not addresses in integers: umax(a, b) writes nothing.
      if (PointerTarget T = targetOf(U.get()); T.isValid() && U->getType()->isPointerTy())
        outputOfMath(View, Call, T);
    return;
  default:
    break;
  }
  std::optional<GpuTransfer> Transfer = gpuTransfer(Call);
  if (Transfer)
    noteTransfer(Call, *Transfer);
  if (Transfer && !Transfer->From)
    return;
  if (auto Link = copyLinkOf(Call)) {
    if (Link->From.isValid() && Link->To.isValid())
      Copies.push_back(*Link);
    uint64_t Size = Link->UpTo ? 0 : Link->Size;
    bulkTagFacts(Call, Link->From, Size);
    bulkTagFacts(Call, Link->To, Size);
    PointerTarget Start = Link->To.isValid() ? Link->To : Link->From;
    if (const MDNode *Tag = Call.getMetadata(LLVMContext::MD_tbaa_struct); Tag && Start.isValid())
      readStructTag(Tag, Size, DL, [&](int64_t At, uint64_t Size, ConcreteType T, FactRank Rank) {
        G.addFact(Start.plus(At), Size, T, Rank);
      });
    return;
  }
  bool IsFill =
      isa<MemSetInst>(Call) || (View.Class == OpClass::Memory && !isa<IntrinsicInst>(Call));
  if (IsFill) { // memset: any type may be all zeros.
    auto *Length = dyn_cast<ConstantInt>(Call.getArgOperand(2));
    PointerTarget To = targetOf(Call.getArgOperand(0));
    uint64_t Size = Length ? Length->getZExtValue() : 0;
    if (To.isValid())
      Fills.push_back({{}, To, Size});
    bulkTagFacts(Call, To, Size);
    return;
  }
  if (auto *I = dyn_cast<IntrinsicInst>(&Call))
    if (factsOfIntrinsic(*I))
      return;
  if (reallocatedPointer(Call, TLI)) {
    if (PointerTarget T = targetOf(&Call); T.isValid())
      G.Nodes[G.find(T.Node)].WritesPointer = true;
    return;
  }
  const Function *Body = isRequest(Call) ? nullptr : bodyOfCallee(Call);
  if (!Body || !factsOfBody(Call, *Body))
    noteUnknownEffects(Call);
}
