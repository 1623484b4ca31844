//===- SeedDebugInfo.cpp - Types that the compiler was told (-g) ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: the variables of a function, its parameters and the globals that it uses, as
// debug information describes them.  Out: facts about their memory and what they
// point to.
//
//   #dbg_value(ptr %x, !"double *x", ...)  =>  behind %x: every 8 bytes a double
//
// Only asked where the code leaves a doubt, so that -g changes no derivative that
// there is without it. Never: looks into unions and characters, which may be a
// place for anything.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "isozyme/Support/DebugTypes.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace isozyme;

namespace {

/// How far pointers of pointers are followed: lists and trees have no end.
constexpr unsigned MaxDepth = 6;
/// Members and elements that are noted of one variable.
constexpr unsigned MaxFacts = 1024;

/// A scalar or record at an offset; Sink is told of each scalar.
class DeclaredType {
public:
  using Sink = function_ref<void(int64_t /*Offset*/, uint64_t /*Size*/, ConcreteType,
                                 const DIType * /*Pointee*/)>;
  DeclaredType(const Module &M, Sink Note) : M(M), Note(Note) {}

  void visit(const DIType *T, int64_t Offset);

private:
  void visitBasic(const DIBasicType &T, int64_t Offset);
  void visitArray(const DICompositeType &T, int64_t Offset);

  const Module &M;
  Sink Note;
  unsigned Budget = MaxFacts;
};

} // namespace

void DeclaredType::visitBasic(const DIBasicType &T, int64_t Offset) {
  uint64_t Bits = T.getSizeInBits();
  LLVMContext &Ctx = M.getContext();
  auto floatOf = [&](uint64_t Size) -> Type * {
    switch (Size) {
    case 16:
      return T.getName().contains("bf16") ? Type::getBFloatTy(Ctx) : Type::getHalfTy(Ctx);
    case 32:
      return Type::getFloatTy(Ctx);
    case 64:
      return Type::getDoubleTy(Ctx);
    case 128:
      return T.getName().contains("long double") && M.getTargetTriple().isX86()
                 ? Type::getX86_FP80Ty(Ctx)
                 : nullptr;
    default:
      return nullptr;
    }
  };
  switch (T.getEncoding()) {
  case dwarf::DW_ATE_float:
    if (Type *F = floatOf(Bits))
      Note(Offset, Bits / 8, ConcreteType::ofFloat(F), nullptr);
    return;
  case dwarf::DW_ATE_complex_float:
    if (Type *F = floatOf(Bits / 2))
      for (uint64_t Part : {uint64_t(0), Bits / 16})
        Note(Offset + Part, Bits / 16, ConcreteType::ofFloat(F), nullptr);
    return;
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_unsigned:
  case dwarf::DW_ATE_boolean:
    if (Bits > 8 || T.getEncoding() == dwarf::DW_ATE_boolean)
      Note(Offset, Bits / 8, ConcreteType::Integer, nullptr);
    return;
  default: // Characters are bytes.
    return;
  }
}

void DeclaredType::visitArray(const DICompositeType &T, int64_t Offset) {
  const DIType *Element = bareType(T.getBaseType());
  uint64_t Size = Element ? Element->getSizeInBits() / 8 : 0;
  if (!Size)
    return;
  // An array of unknown length (flexible, or of variable size) is told from its start.
  uint64_t Count = std::max<uint64_t>(T.getSizeInBits() / 8 / Size, 1);
  for (uint64_t K = 0; K != Count && Budget; ++K)
    visit(Element, Offset + int64_t(K * Size));
}

void DeclaredType::visit(const DIType *T, int64_t Offset) {
  T = bareType(T);
  if (!T || !Budget)
    return;
  --Budget;
  if (auto *Basic = dyn_cast<DIBasicType>(T))
    return visitBasic(*Basic, Offset);
  if (isa<DIDerivedType>(T)) {
    switch (T->getTag()) {
    case dwarf::DW_TAG_pointer_type:
    case dwarf::DW_TAG_reference_type:
    case dwarf::DW_TAG_rvalue_reference_type:
      return Note(Offset, M.getDataLayout().getPointerSize(), ConcreteType::Pointer, pointeeType(T));
    default:
      return;
    }
  }
  auto *Composite = dyn_cast<DICompositeType>(T);
  if (!Composite)
    return;
  switch (Composite->getTag()) {
  case dwarf::DW_TAG_array_type:
    return visitArray(*Composite, Offset);
  case dwarf::DW_TAG_enumeration_type:
    return Note(Offset, T->getSizeInBits() / 8, ConcreteType::Integer, nullptr);
  case dwarf::DW_TAG_structure_type:
  case dwarf::DW_TAG_class_type:
    for (const DINode *Node : Composite->getElements())
      if (auto *Member = dyn_cast_or_null<DIDerivedType>(Node);
          Member && !Member->isStaticMember() && !Member->isBitField() &&
          (Member->getTag() == dwarf::DW_TAG_member ||
           Member->getTag() == dwarf::DW_TAG_inheritance))
        visit(Member, Offset + int64_t(Member->getOffsetInBits() / 8));
    return;
  default: // A union may hold either.
    return;
  }
}

/// Facts about the memory at \p Place, which holds a \p T, or elements of it when
/// \p Place has a stride, and about what pointers there lead to.
void GraphBuilder::debugFacts(const DIType *T, PointerTarget Place, unsigned Depth) {
  if (!T || !Place.isValid() || !Depth)
    return;
  const Module &M = *Component.front()->getParent();
  DeclaredType(M, [&](int64_t Offset, uint64_t Size, ConcreteType Type, const DIType *Pointee) {
    PointerTarget At = Place.plus(Offset);
    G.addFact(At, Size, Type, rankOfStatement(Type));
    if (Pointee)
      pointeeFacts(Pointee, G.contentOf(At), Depth - 1);
  }).visit(T, 0);
}

/// A pointer to a T may point to any element of an array of them.
void GraphBuilder::pointeeFacts(const DIType *T, PointerTarget Target, unsigned Depth) {
  if (uint64_t Size = T->getSizeInBits() / 8)
    debugFacts(T, Target.plus(0, Size), Depth);
}

void GraphBuilder::addDebugInfo(const Function &F) {
  for (const Instruction &I : instructions(F))
    for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      if (Record.hasArgList() || Record.getExpression()->getNumElements())
        continue; // A part of the variable, or a value that is computed from it.
      const Value *V = Record.getVariableLocationOp(0);
      const DIType *T = Record.getVariable()->getType();
      if (!V || !V->getType()->isPointerTy())
        continue;
      if (Record.isDbgDeclare())
        debugFacts(T, targetOf(V), MaxDepth);
      else if (const DIType *Pointee = pointeeType(T))
        pointeeFacts(Pointee, targetOf(V), MaxDepth);
    }
  // Parameters that nothing is said of, if none of them has been taken apart.
  if (const DISubprogram *Subprogram = F.getSubprogram()) {
    DITypeRefArray Types = Subprogram->getType()->getTypeArray();
    if (Types && Types.size() == F.arg_size() + 1)
      for (const Argument &A : F.args())
        if (const DIType *Pointee = pointeeType(Types[A.getArgNo() + 1]);
            Pointee && A.getType()->isPointerTy())
          pointeeFacts(Pointee, targetOf(&A), MaxDepth);
  }
  for (auto &[GV, Node] : S.Globals) {
    SmallVector<DIGlobalVariableExpression *, 1> Declared;
    GV->getDebugInfo(Declared);
    for (const DIGlobalVariableExpression *E : Declared)
      if (!E->getExpression()->getNumElements())
        debugFacts(E->getVariable()->getType(), {G.find(Node), 0, 0}, MaxDepth);
  }
}
