//===- Watch.cpp - Variables whose derivatives are printed ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: a prepared function and its activity.  Out: the values and accesses that
// -isozyme-watch names.
//
//   #dbg_value(double %v, !"x")                   %v is x
//   #dbg_value(ptr %p, !"p", "struct point *")    load (gep %p, 0, 1) is p[%lld].y
//
// Never: emits IR, or changes what is computed.
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Watch.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Needs/NeedSet.h"
#include "isozyme/Support/DebugTypes.h"
#include "isozyme/Support/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace isozyme {

const WatchedPlace *WatchSet::value(const Value *V) const {
  auto It = Values.find(V);
  return It == Values.end() ? nullptr : &It->second;
}

const WatchedPlace *WatchSet::access(const Instruction *I) const {
  auto It = Accesses.find(I);
  return It == Accesses.end() ? nullptr : &It->second;
}

void WatchSet::print(raw_ostream &OS) const {
  if (Values.empty() && Accesses.empty())
    return;
  OS << "  watched\n";
  for (auto &[V, Place] : Values)
    OS << "    " << operandName(V) << " as " << Place.Name << '\n';
  for (auto &[I, Place] : Accesses) {
    const Value *Ptr = getLoadStorePointerOperand(I);
    OS << "    " << I->getOpcodeName() << ' ' << (Ptr ? operandName(Ptr) : "") << " as "
       << Place.Name << '\n';
  }
}

/// What the user wrote, as names are compared: `a[i].v` and `a->v` are `a.v`.
static SmallVector<std::string, 2> watchedNames() {
  SmallVector<std::string, 2> Names;
  SmallVector<StringRef, 2> Parts;
  StringRef(options().Watch).split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    std::string Name;
    bool Inside = false;
    for (size_t I = 0; I < Part.size(); ++I) {
      if (Part[I] == '[' || Part[I] == ']')
        Inside = Part[I] == '[';
      else if (!Inside && Part.substr(I).starts_with("->"))
        Name += '.', ++I;
      else if (!Inside && Part[I] != ' ' && Part[I] != '*')
        Name += Part[I];
    }
    if (!Name.empty())
      Names.push_back(Name);
  }
  return Names;
}

static bool isWatchedVariable(StringRef Variable) {
  return any_of(watchedNames(), [&](StringRef Name) { return Name.split('.').first == Variable; });
}

/// Is \p Place, of a watched variable, one of those that are meant?
static bool isMeant(StringRef Place) {
  std::string Plain;
  bool Inside = false;
  for (char C : Place) {
    if (C == '[' || C == ']')
      Inside = C == '[';
    else if (!Inside)
      Plain += C;
  }
  return any_of(watchedNames(), [&](StringRef Name) {
    return Plain == Name || StringRef(Plain).starts_with(Name.str() + ".");
  });
}

namespace {
/// A part of a variable: ".v", ".inner.w" or ".t[2]".
struct NamedPart {
  std::string Name;
  const DIType *Type = nullptr;
};
} // namespace

/// What lies at \p Offset of a structure; all of anything else.
static NamedPart memberAt(const DIType *T, uint64_t Offset) {
  T = bareType(T);
  auto *C = dyn_cast_or_null<DICompositeType>(T);
  if (!C || C->getTag() == dwarf::DW_TAG_union_type)
    return {"", C ? nullptr : T};
  if (C->getTag() == dwarf::DW_TAG_array_type) {
    const DIType *Element = bareType(C->getBaseType());
    uint64_t Bytes = Element ? Element->getSizeInBits() / 8 : 0;
    if (!Bytes)
      return {};
    NamedPart Inner = memberAt(Element, Offset % Bytes);
    return {"[" + std::to_string(Offset / Bytes) + "]" + Inner.Name, Inner.Type};
  }
  for (const DINode *N : C->getElements()) {
    auto *Member = dyn_cast<DIDerivedType>(N);
    if (!Member || Member->isStaticMember())
      continue;
    uint64_t Start = Member->getOffsetInBits() / 8, Bytes = Member->getSizeInBits() / 8;
    if (Offset < Start || Offset >= Start + Bytes)
      continue;
    NamedPart Inner = memberAt(Member->getBaseType(), Offset - Start);
    if (Member->getTag() != dwarf::DW_TAG_inheritance)
      Inner.Name = "." + Member->getName().str() + Inner.Name;
    return Inner;
  }
  return {};
}

namespace {
/// A variable that a value is the value of, or the memory of.
struct Described {
  const DILocalVariable *Variable;
  uint64_t Offset = 0; ///< Bytes, of a part of it.
  bool IsMemory = false;
};

/// A distance in memory: Known + Stride * (something); Stride is 0 where nothing varies.
struct Distance {
  uint64_t Known = 0, Stride = 0;
};
} // namespace

static std::optional<Described> watchedVariable(const Value *V) {
  if ((!isa<Instruction>(V) && !isa<Argument>(V)) || !V->isUsedByMetadata())
    return std::nullopt;
  auto *Known = const_cast<Value *>(V);
  for (DbgVariableRecord *Record : findDVRDeclares(Known))
    if (Record->getExpression()->getNumElements() == 0 &&
        isWatchedVariable(Record->getVariable()->getName()))
      return Described{Record->getVariable(), 0, true};
  for (DbgVariableRecord *Record : findDVRValues(Known)) {
    const DIExpression *E = Record->getExpression();
    if (Record->getNumVariableLocationOps() != 1 ||
        !isWatchedVariable(Record->getVariable()->getName()))
      continue;
    if (E->getNumElements() == 0)
      return Described{Record->getVariable()};
    if (auto Part = E->getFragmentInfo(); Part && E->getNumElements() == 3)
      return Described{Record->getVariable(), Part->OffsetInBits / 8};
  }
  return std::nullopt;
}

/// One step from an address towards what it was computed from; \p Way collects the distance.
static const Value *stepBack(const Value *Ptr, const DataLayout &DL, Distance &Way) {
  if (auto *Gep = dyn_cast<GEPOperator>(Ptr)) {
    unsigned Bits = DL.getIndexTypeSizeInBits(Gep->getType());
    SmallMapVector<Value *, APInt, 4> Varying;
    APInt Constant(Bits, 0);
    if (Gep->getType()->isVectorTy() || !Gep->collectOffset(DL, Bits, Varying, Constant))
      return nullptr;
    Way.Known += Constant.getSExtValue();
    for (auto &[V, Scale] : Varying)
      Way.Stride = std::gcd(Way.Stride, Scale.abs().getZExtValue());
    return Gep->getPointerOperand();
  }
  if (isa<PHINode, SelectInst>(Ptr)) {
    const Value *Object = getUnderlyingObject(Ptr);
    if (Object == Ptr) {
      SmallVector<const Value *, 2> Objects;
      getUnderlyingObjects(Ptr, Objects);
      Object = Objects.size() == 1 ? Objects.front() : nullptr;
    }
    Way.Stride = 1; // Anything.
    return Object == Ptr ? nullptr : Object;
  }
  return nullptr;
}

/// The type of the elements of an array, and how many there are in each dimension.
static const DIType *elementOf(const DIType *T, SmallVectorImpl<uint64_t> &Counts) {
  auto *Array = dyn_cast_or_null<DICompositeType>(bareType(T));
  if (!Array || Array->getTag() != dwarf::DW_TAG_array_type)
    return bareType(T);
  for (const DINode *N : Array->getElements()) {
    auto *Range = dyn_cast<DISubrange>(N);
    auto *Count = Range ? dyn_cast_if_present<ConstantInt *>(Range->getCount()) : nullptr;
    Counts.push_back(Count ? std::max<int64_t>(Count->getSExtValue(), 0) : 0);
  }
  return bareType(Array->getBaseType());
}

/// Names what is at \p Way behind the start of memory with elements of type \p Element: of an
/// array with \p Counts in each dimension (0: any), or of one alone. Returns its type.
static const DIType *namePlace(WatchedPlace &Place, const DIType *Element, bool IsArray,
                               Distance Way, ArrayRef<uint64_t> Counts) {
  uint64_t Bytes = Element ? Element->getSizeInBits() / 8 : 0;
  if (!Bytes) {
    Place.Name += "+%lld";
    Place.Indices.push_back({1, 0});
    return nullptr;
  }
  if (IsArray) {
    uint64_t Stride = Bytes;
    for (uint64_t Count : Counts.drop_front(std::min<size_t>(1, Counts.size())))
      Stride *= Count;
    for (size_t Dimension = 0; Dimension < std::max<size_t>(1, Counts.size()); ++Dimension) {
      Place.Name += "[%lld]";
      Place.Indices.push_back({Stride, Dimension ? Counts[Dimension] : 0});
      if (Dimension + 1 < Counts.size())
        Stride /= std::max<uint64_t>(Counts[Dimension + 1], 1);
    }
  }
  if (!isa<DICompositeType>(Element))
    return Element;
  // A member is known where all that varies are whole elements.
  if (Way.Stride % Bytes == 0) {
    NamedPart Member = memberAt(Element, Way.Known % Bytes);
    Place.Name += Member.Name;
    return Member.Type;
  }
  Place.Name += "+%lld";
  Place.Indices.push_back({1, Bytes});
  return nullptr;
}

/// Names what is at \p Way behind where a pointer of type \p T leads.
static const DIType *namePointee(WatchedPlace &Place, const DIType *T, Distance Way) {
  SmallVector<uint64_t, 2> Counts;
  const DIType *Element = elementOf(pointeeType(T), Counts);
  if (!Counts.empty()) // A pointer to rows counts rows first.
    Counts.insert(Counts.begin(), 0);
  bool One = Element && isa<DICompositeType>(Element) && Way.Stride == 0 &&
             Way.Known < Element->getSizeInBits() / 8;
  return namePlace(Place, Element, !One, Way, Counts);
}

/// A place in memory, and its type where that is known.
namespace {
struct TypedPlace {
  WatchedPlace Place;
  const DIType *Type = nullptr;
};
} // namespace

static TypedPlace placeOfVariable(const Described &Of, Distance Way) {
  TypedPlace Found;
  WatchedPlace &Place = Found.Place;
  Place.Name = Of.Variable->getName().str();
  SmallVector<uint64_t, 2> Counts;
  const DIType *T = Of.Variable->getType();
  if (Of.IsMemory) {
    const DIType *Element = elementOf(T, Counts);
    Found.Type = namePlace(Place, Element, !Counts.empty(), Way, Counts);
    return Found;
  }
  // A pointer, or a member of a structure that is one.
  if (Of.Offset || !isa_and_nonnull<DIDerivedType>(bareType(T))) {
    NamedPart Member = memberAt(T, Of.Offset);
    Place.Name += Member.Name;
    T = Member.Type;
  }
  Found.Type = namePointee(Place, T, Way);
  return Found;
}

/// What \p Ptr leads to, if it is computed from a watched variable.
static std::optional<TypedPlace> watchedMemory(const Value *Ptr, const DataLayout &DL) {
  Distance Way;
  for (unsigned Depth = 0; Ptr && Depth < 16; ++Depth) {
    if (auto Of = watchedVariable(Ptr)) {
      TypedPlace Found = placeOfVariable(*Of, Way);
      Found.Place.Base = const_cast<Value *>(Ptr);
      return Found;
    }
    if (auto *G = dyn_cast<GlobalVariable>(Ptr)) {
      SmallVector<DIGlobalVariableExpression *, 1> Known;
      G->getDebugInfo(Known);
      if (Known.empty() || !isWatchedVariable(Known.front()->getVariable()->getName()))
        return std::nullopt;
      TypedPlace Found;
      Found.Place.Base = const_cast<GlobalVariable *>(G);
      Found.Place.Name = Known.front()->getVariable()->getName().str();
      SmallVector<uint64_t, 2> Counts;
      const DIType *Element = elementOf(Known.front()->getVariable()->getType(), Counts);
      Found.Type = namePlace(Found.Place, Element, !Counts.empty(), Way, Counts);
      return Found;
    }
    if (auto *Load = dyn_cast<LoadInst>(Ptr)) { // p->data[i]: the pointer is in p's memory.
      std::optional<TypedPlace> Found = watchedMemory(Load->getPointerOperand(), DL);
      if (!Found || !Found->Place.Indices.empty())
        return std::nullopt; // Indices are counted from one base.
      Found->Place.Base = const_cast<LoadInst *>(Load);
      Found->Type = namePointee(Found->Place, Found->Type, Way);
      return Found;
    }
    Ptr = stepBack(Ptr, DL, Way);
  }
  return std::nullopt;
}

WatchSet findWatches(const PreparedFunction &P, const ActivityResult &Activity) {
  WatchSet Set;
  if (options().Watch.empty())
    return Set;
  auto look = [&](const Value &V) {
    if (V.getType()->isPtrOrPtrVectorTy() || !Activity.isActiveValue(&V))
      return;
    auto Of = watchedVariable(&V);
    if (!Of || Of->IsMemory)
      return;
    WatchedPlace Place;
    Place.Name = Of->Variable->getName().str() + memberAt(Of->Variable->getType(), Of->Offset).Name;
    if (isMeant(Place.Name))
      Set.Values[&V] = Place;
  };
  const DataLayout &DL = P.function().getDataLayout();
  for (const Argument &A : P.function().args())
    look(A);
  for (const Instruction &I : instructions(P.function())) {
    look(I);
    auto *RMW = dyn_cast<AtomicRMWInst>(&I);
    const Value *Ptr = RMW ? RMW->getPointerOperand() : getLoadStorePointerOperand(&I);
    if (!Ptr || !Activity.isActiveInstruction(&I) ||
        (!RMW && getLoadStoreType(&I)->isPtrOrPtrVectorTy()))
      continue;
    if (auto Found = watchedMemory(Ptr, DL);
        Found && isMeant(Found->Place.Name) && Activity.isActiveValue(Found->Place.Base))
      Set.Accesses[&I] = Found->Place;
  }
  return Set;
}

/// What a function and its copies have in common.
static auto sourceOf(const DISubprogram &Program) {
  return std::tuple(Program.getFile(), Program.getLine(), Program.getName());
}

void WatchReport::note(const PreparedFunction &P, const ActivityResult &Activity,
                       const WatchSet &Watches) {
  if (options().Watch.empty())
    return;
  AnyFunction = true;
  AnyDebugInfo |= describesVariables(P.original());
  for (auto &[V, Place] : Watches.Values)
    Found.insert(StringRef(Place.Name).split('.').first.split('[').first.str());
  for (auto &[I, Place] : Watches.Accesses)
    Found.insert(StringRef(Place.Name).split('.').first.split('[').first.split('+').first.str());
  std::set<std::string> Live;
  for (const Instruction &I : instructions(P.function()))
    for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      std::string Name = Record.getVariable()->getName().str();
      Known.insert(Name);
      if (!Record.isKillLocation() && !isa<Constant>(Record.getVariableLocationOp(0)))
        Live.insert(Name);
    }
  const DISubprogram *Own = P.original().getSubprogram();
  // Unoptimised code has been copied and simplified: its own variables are those before.
  for (const Function &F : *P.original().getParent()) {
    const DISubprogram *Program = F.getSubprogram();
    if (!Own || !Program || sourceOf(*Program) != sourceOf(*Own))
      continue;
    for (const Instruction &I : instructions(F))
      for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
        Known.insert(Record.getVariable()->getName().str());
  }
  if (Own)
    for (const Metadata *N : Own->getRetainedNodes())
      if (auto *V = dyn_cast<DILocalVariable>(N))
        Known.insert(V->getName().str());
  for (const std::string &Name : Known)
    (Live.count(Name) ? Without : Removed).insert(Name);
}

void WatchReport::warnOfMissing(const Place &Where) const {
  for (StringRef Asked : watchedNames()) {
    if (!AnyFunction)
      return;
    std::string Variable = Asked.split('.').first.str();
    if (Found.count(Variable))
      continue;
    std::string Text = "nothing of '" + Asked.str() + "' can be watched: ";
    if (!AnyDebugInfo)
      Text += "the program was compiled without debug information; compile it with -g";
    else if (Without.count(Variable))
      Text += "the variable carries no derivative here";
    else if (Removed.count(Variable))
      Text += "the optimiser has removed the variable (-O0 keeps the most)";
    else {
      Text += "no differentiated function has a variable of this name";
      SmallVector<std::string, 4> Near;
      unsigned Best = std::min<size_t>(2, Variable.size() / 2); // Of short names, all are near.
      for (const std::string &Name : Known) {
        unsigned Distance = StringRef(Name).edit_distance(Variable, true, Best + 1);
        if (Distance < Best)
          Near.clear();
        Best = std::min(Best, Distance);
        if (Distance <= Best)
          Near.push_back("'" + Name + "'");
      }
      if (Near.empty())
        for (const std::string &Name : Known)
          if (Near.size() < 8)
            Near.push_back("'" + Name + "'");
      if (!Near.empty())
        Text += "; there is " + join(Near, ", ");
    }
    warn(DiagId::WatchedNotFound, Where, Text);
  }
}

} // namespace isozyme
