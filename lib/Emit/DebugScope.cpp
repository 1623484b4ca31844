//===- DebugScope.cpp - What a debugger is told of a derivative -----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   #dbg_value(double %v, !"x", ...)        in the prepared function becomes
//   #dbg_value(double %v.adj, !"x_adj", ..) wherever the adjoint of %v changes
//
// Nothing here changes what is computed.
//
//===----------------------------------------------------------------------===//
#include "DebugScope.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"

using namespace llvm;

namespace isozyme {

void keepDebugScope(ValueToValueMapTy &Map, const PreparedFunction &P) {
  if (DISubprogram *Scope = P.function().getSubprogram())
    Map.MD()[Scope].reset(Scope);
}

/// `x_adj`, beside `x`. An argument's is a local: the debugger lists the arguments of the primal.
static DILocalVariable *derivativeOf(DILocalVariable &V, StringRef Suffix) {
  return DILocalVariable::get(V.getContext(), V.getScope(), (V.getName() + Suffix).str(),
                              V.getFile(), V.getLine(), V.getType(), /*Arg=*/0, V.getFlags(),
                              V.getAlignInBits(), nullptr);
}

static void insertRecord(IRBuilderBase &B, DbgVariableRecord *Record) {
  BasicBlock *BB = B.GetInsertBlock();
  BasicBlock::iterator At = B.GetInsertPoint();
  if (At != BB->end() && isa<PHINode>(At))
    At = BB->getFirstInsertionPt();
  BB->insertDbgRecordBefore(Record, At);
}

/// An expression that says nothing, or which bits of the variable the value is.
static bool isPlain(const DIExpression &E) {
  return E.getNumElements() == 0 || (E.isFragment() && E.getNumElements() == 3);
}

void describe(IRBuilderBase &B, const Value *Prepared, Value *Now, StringRef Suffix) {
  if ((!isa<Instruction>(Prepared) && !isa<Argument>(Prepared)) || isa<PoisonValue>(Now))
    return;
  auto *Known = const_cast<Value *>(Prepared);
  if (!Known->isUsedByMetadata())
    return;
  auto variable = [&](DbgVariableRecord *Record) {
    DILocalVariable *V = Record->getVariable();
    return Suffix.empty() ? V : derivativeOf(*V, Suffix);
  };
  for (DbgVariableRecord *Record : findDVRValues(Known)) {
    if (Record->isKillLocation() || Record->getNumVariableLocationOps() != 1 ||
        Record->getVariableLocationOp(0)->getType() != Known->getType() ||
        (!Suffix.empty() && !isPlain(*Record->getExpression())))
      continue;
    insertRecord(B, DbgVariableRecord::createDbgVariableRecord(
                        Now, variable(Record), Record->getExpression(), Record->getDebugLoc()));
  }
  for (DbgVariableRecord *Record : findDVRDeclares(Known)) {
    if (isa<AllocaInst>(Now)) {
      insertRecord(B, DbgVariableRecord::createDVRDeclare(
                          Now, variable(Record), Record->getExpression(), Record->getDebugLoc()));
      continue;
    }
    auto *There = DIExpression::prepend(Record->getExpression(), DIExpression::DerefBefore);
    insertRecord(B, DbgVariableRecord::createDbgVariableRecord(Now, variable(Record), There,
                                                               Record->getDebugLoc()));
  }
}

void describeLanes(IRBuilderBase &B, const Value *Prepared, ArrayRef<Value *> Now,
                   StringRef Suffix) {
  if (!Prepared->isUsedByMetadata())
    return;
  for (auto [Lane, V] : enumerate(Now))
    describe(B, Prepared, V, Now.size() == 1 ? Suffix.str() : Suffix.str() + std::to_string(Lane));
}

namespace {
/// Moves locations and variables from the scope of the prepared function into another.
class ScopeMove {
public:
  /// \p To: a function, or a block of one.
  ScopeMove(DISubprogram &From, DILocalScope &To) : From(From), To(To), C(To.getContext()) {}

  DebugLoc location(const DebugLoc &Loc) { return Loc ? DebugLoc(location(*Loc.get())) : Loc; }

  void record(DbgRecord &Record) {
    Record.setDebugLoc(location(Record.getDebugLoc()));
    if (auto *Label = dyn_cast<DbgLabelRecord>(&Record)) {
      const DILabel *L = Label->getLabel();
      if (L->getScope()->getSubprogram() == &From)
        Label->setLabel(DILabel::get(C, scope(L->getScope()), L->getName(), L->getFile(),
                                     L->getLine(), L->getColumn(), L->isArtificial(),
                                     L->getCoroSuspendIdx()));
      return;
    }
    auto &Variable = cast<DbgVariableRecord>(Record);
    DILocalVariable *V = Variable.getVariable();
    if (V->getScope()->getSubprogram() != &From)
      return; // Of an inlined function.
    // Arguments are those of the function, wherever they are spoken of.
    DILocalScope *Scope = V->getArg() ? To.getSubprogram() : scope(V->getScope());
    Variable.setVariable(DILocalVariable::get(C, Scope, V->getName(), V->getFile(), V->getLine(),
                                              V->getType(), V->getArg(), V->getFlags(),
                                              V->getAlignInBits(), V->getAnnotations()));
    if (V->getArg())
      Record.setDebugLoc(DILocation::get(C, Record.getDebugLoc().getLine(), 0, Scope));
  }

private:
  DILocalScope *scope(DILocalScope *S) {
    if (S == &From)
      return &To;
    if (DILocalScope *Known = Scopes.lookup(S))
      return Known;
    auto *Outer = scope(cast<DILocalScope>(S->getScope()));
    DILocalScope *New;
    if (auto *Block = dyn_cast<DILexicalBlock>(S))
      New = DILexicalBlock::getDistinct(C, Outer, Block->getFile(), Block->getLine(),
                                        Block->getColumn());
    else if (auto *Part = dyn_cast<DILexicalBlockFile>(S))
      New = DILexicalBlockFile::get(C, Outer, Part->getFile(), Part->getDiscriminator());
    else
      New = S; // Of another function, which is inlined here.
    return Scopes[S] = New;
  }

  DILocation *location(const DILocation &Loc) {
    if (DILocation *Known = Locations.lookup(&Loc))
      return Known;
    DILocation *At = Loc.getInlinedAt() ? location(*Loc.getInlinedAt()) : nullptr;
    // Groups of key instructions are those of the primal alone.
    uint64_t Group = At ? Loc.getAtomGroup() : 0;
    uint8_t Rank = At ? Loc.getAtomRank() : 0;
    DILocalScope *Scope = At ? Loc.getScope() : scope(Loc.getScope());
    DILocation *Made = Loc.isDistinct()
                           ? DILocation::getDistinct(C, Loc.getLine(), Loc.getColumn(), Scope, At,
                                                     Loc.isImplicitCode(), Group, Rank)
                           : DILocation::get(C, Loc.getLine(), Loc.getColumn(), Scope, At,
                                             Loc.isImplicitCode(), Group, Rank);
    return Locations[&Loc] = Made;
  }

  DISubprogram &From;
  DILocalScope &To;
  LLVMContext &C;
  DenseMap<DILocalScope *, DILocalScope *> Scopes;
  DenseMap<const DILocation *, DILocation *> Locations;
};
} // namespace

/// Instructions without a line get that of the next one in the block, which they mostly
/// prepare, or else of the last one.
static void fillGaps(BasicBlock &BB, DISubprogram &Scope) {
  DebugLoc Near;
  auto fill = [&](Instruction &I) {
    if (I.getDebugLoc())
      Near = I.getDebugLoc();
    else if (Near && !isa<PHINode, AllocaInst>(I))
      I.setDebugLoc(Near);
  };
  for (Instruction &I : reverse(BB))
    fill(I);
  Near = DebugLoc();
  for (Instruction &I : BB)
    fill(I);
  // A call that may be inlined must have a location, be it of no line.
  for (Instruction &I : BB)
    if (isa<CallBase>(I) && !I.getDebugLoc())
      I.setDebugLoc(DILocation::get(Scope.getContext(), 0, 0, &Scope));
}

/// Code that was compiled for a debugger: what a variable is stays there to the end of its
/// block, though nothing reads it any more.
static void keepVisible(BasicBlock &BB) {
  SmallSetVector<Instruction *, 8> Visible;
  for (Instruction &I : BB)
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      auto *V = Record.isDbgValue() && Record.getNumVariableLocationOps() == 1
                    ? dyn_cast_or_null<Instruction>(Record.getVariableLocationOp(0))
                    : nullptr;
      if (V && V->getParent() == &BB && !V->isTerminator() && V->getType()->isFloatingPointTy())
        Visible.insert(V);
    }
  Instruction *End = BB.getTerminator();
  if (!End || BB.getTerminatingMustTailCall())
    return;
  IRBuilder<> B(End);
  for (Instruction *V : Visible)
    B.CreateIntrinsic(B.getVoidTy(), Intrinsic::fake_use, {V});
}

/// "gradient of f"; the name of a class is part of it, for the new function is no member.
static DISubprogram &makeSubprogram(const Function &Fn, const DISubprogram &Primal,
                                    StringRef Role) {
  LLVMContext &C = Fn.getContext();
  std::string Name = (Role + " ").str();
  DIScope *Scope = Primal.getScope();
  if (auto *Class = dyn_cast_or_null<DIType>(Scope)) {
    Name += (Class->getName() + "::").str();
    Scope = Primal.getFile();
  }
  Name += Primal.getName();
  SmallVector<Metadata *, 8> Types{nullptr};
  if (DISubroutineType *T = Primal.getType(); T && T->getTypeArray().size())
    for (unsigned I = 1; I < T->getTypeArray().size(); ++I)
      Types.push_back(T->getTypeArray()[I]);
  auto *Type = DISubroutineType::get(C, DINode::FlagZero, 0, MDTuple::get(C, Types));
  auto Flags = DISubprogram::SPFlagLocalToUnit | DISubprogram::SPFlagDefinition |
               (Primal.isOptimized() ? DISubprogram::SPFlagOptimized : DISubprogram::SPFlagZero);
  return *DISubprogram::getDistinct(
      C, Scope, Name, "", Primal.getFile(), Primal.getLine(), Type, Primal.getScopeLine(), nullptr,
      0, 0, Primal.getFlags() | DINode::FlagArtificial, Flags, Primal.getUnit());
}

void giveDebugScope(Function &Fn, const PreparedFunction &P, StringRef Role,
                    const BasicBlock *Reverse) {
  DISubprogram *Primal = P.function().getSubprogram();
  if (!Primal || !Primal->getUnit())
    return;
  DISubprogram &Own = makeSubprogram(Fn, *Primal, Role);
  Fn.setSubprogram(&Own);
  // Debuggers stop on a line once per block of the source: the second time is in another.
  auto *Second = DILexicalBlock::getDistinct(Fn.getContext(), &Own, Primal->getFile(),
                                             Primal->getScopeLine(), 0);
  ScopeMove IntoFirst(*Primal, Own), IntoSecond(*Primal, *Second);
  bool IsReverse = false;
  for (BasicBlock &BB : Fn) {
    IsReverse |= &BB == Reverse;
    ScopeMove &Move = IsReverse ? IntoSecond : IntoFirst;
    for (Instruction &I : BB) {
      I.setDebugLoc(Move.location(I.getDebugLoc()));
      for (DbgRecord &Record : I.getDbgRecordRange())
        Move.record(Record);
      updateLoopMetadataDebugLocations(I, [&](Metadata *MD) -> Metadata * {
        auto *Loc = dyn_cast_or_null<DILocation>(MD);
        return Loc ? Move.location(DebugLoc(Loc)).get() : MD;
      });
    }
    fillGaps(BB, Own);
    if (!Primal->isOptimized())
      keepVisible(BB);
  }
}

} // namespace isozyme
