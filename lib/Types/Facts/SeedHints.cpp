//===- SeedHints.cpp - Types that the user states -------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: calls of __enzyme_double(p, n) and the like, "enzyme_type" attributes of
// parameters and results, !enzyme_type of instructions.  Out: facts.
//
//   define void @f(ptr "enzyme_type"="{[-1]:Pointer, [-1,-1]:Float@double}" %p)
//   => behind %p: every 8 bytes a double
//
// The text lists offset paths: the first number is an offset in the value itself, each
// further one in what the pointer there leads to; -1 is every offset.
//
//===----------------------------------------------------------------------===//

#include "Graph/GraphBuilder.h"
#include "isozyme/Ops/Markings.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace isozyme;

namespace {
struct StatedType {
  SmallVector<int64_t, 3> Path;
  ConcreteType Type;
  uint64_t Size = 0; ///< 0: that of one element.
};
} // namespace

static std::optional<ConcreteType> parseType(StringRef Name, LLVMContext &Ctx) {
  if (Name == "Integer")
    return ConcreteType::Integer;
  if (Name == "Pointer")
    return ConcreteType::Pointer;
  if (Name == "Anything")
    return ConcreteType::Anything;
  if (!Name.consume_front("Float@"))
    return std::nullopt;
  for (auto [Text, T] : {std::pair("half", Type::getHalfTy(Ctx)),
                         {"bf16", Type::getBFloatTy(Ctx)},
                         {"float", Type::getFloatTy(Ctx)},
                         {"double", Type::getDoubleTy(Ctx)},
                         {"fp80", Type::getX86_FP80Ty(Ctx)},
                         {"fp128", Type::getFP128Ty(Ctx)},
                         {"ppc128", Type::getPPC_FP128Ty(Ctx)}})
    if (Name == Text)
      return ConcreteType::ofFloat(T);
  return std::nullopt;
}

/// "{[-1]:Pointer, [-1,0]:Float@double}". What cannot be read states nothing.
static SmallVector<StatedType, 4> parseStatement(StringRef Text, LLVMContext &Ctx) {
  SmallVector<StatedType, 4> All;
  Text = Text.trim();
  if (!Text.consume_front("{") || !Text.consume_back("}"))
    return All;
  while (true) {
    Text = Text.ltrim(" ,");
    if (!Text.consume_front("["))
      return All;
    auto [Offsets, AfterPath] = Text.split(']');
    StatedType Stated;
    SmallVector<StringRef, 3> Numbers;
    Offsets.split(Numbers, ',');
    for (StringRef Number : Numbers)
      if (Number.trim().getAsInteger(10, Stated.Path.emplace_back()))
        return All;
    AfterPath = AfterPath.ltrim();
    if (!AfterPath.consume_front(":"))
      return All;
    size_t End = AfterPath.find_first_of(", }");
    StringRef Word = AfterPath.take_front(End).trim();
    // Isozyme's own: so many bytes of integers, in one fact.
    if (Word.consume_front("Integer@") && !Word.getAsInteger(10, Stated.Size))
      Word = "Integer";
    if (std::optional<ConcreteType> T = parseType(Word, Ctx)) {
      Stated.Type = *T;
      All.push_back(Stated);
    }
    Text = End == StringRef::npos ? StringRef() : AfterPath.drop_front(End);
  }
}

static uint64_t sizeOf(ConcreteType T, const DataLayout &DL) {
  if (T.isFloat())
    return floatSize(T.floatType(), DL);
  return T.kind() == ConcreteType::Pointer ? DL.getPointerSize() : 1;
}

/// The word for \p T that parseType reads.
static StringRef nameOf(ConcreteType T) {
  if (!T.isFloat())
    return T.kind() == ConcreteType::Integer   ? "Integer"
           : T.kind() == ConcreteType::Pointer ? "Pointer"
                                               : "Anything";
  switch (T.floatType()->getTypeID()) {
  case Type::HalfTyID:
    return "Float@half";
  case Type::BFloatTyID:
    return "Float@bf16";
  case Type::FloatTyID:
    return "Float@float";
  case Type::DoubleTyID:
    return "Float@double";
  case Type::X86_FP80TyID:
    return "Float@fp80";
  case Type::FP128TyID:
    return "Float@fp128";
  default:
    return "Float@ppc128";
  }
}

std::string isozyme::statementOf(const MemoryLayout &L, const DataLayout &DL) {
  constexpr uint64_t MaxBytes = 512;
  if (!L.isComplete() || L.Period > MaxBytes)
    return {};
  std::string Text = "{[-1]:Pointer";
  for (const TypedRun &R : L.Runs)
    for (uint64_t At = R.Offset; At < R.Offset + R.Size; At += sizeOf(R.Type, DL))
      (Text += ", [-1," + std::to_string(At) + "]:") += nameOf(R.Type);
  return Text + "}";
}

void GraphBuilder::statedFacts(const Value &V, StringRef Text) {
  for (const StatedType &Stated : parseStatement(Text, V.getContext())) {
    if (Stated.Path.size() == 1) {
      if (V.getType()->isIntOrIntVectorTy())
        S.Scalars.addEvidence(&V, Stated.Type);
      continue;
    }
    PointerTarget Place = targetOf(&V);
    uint64_t Size = Stated.Size ? Stated.Size : sizeOf(Stated.Type, DL);
    for (size_t K = 1; K < Stated.Path.size() && Place.isValid(); ++K) {
      int64_t Offset = Stated.Path[K];
      bool Last = K + 1 == Stated.Path.size();
      uint64_t Step = Last ? Size : DL.getPointerSize();
      Place = Offset < 0 ? Place.plus(0, Step) : Place.plus(Offset);
      if (!Last)
        Place = G.contentOf(Place);
    }
    G.addFact(Place, Size, Stated.Type, FactRank::Declared);
  }
}

/// Bytes that a hint is about: its second operand, else one element. A negative number,
/// or one that is not constant: as many as there are.
void GraphBuilder::hintFacts(const CallBase &Call, TypeHint Hint) {
  LLVMContext &Ctx = Call.getContext();
  ConcreteType Type = Hint == TypeHint::Double    ? ConcreteType::ofFloat(Type::getDoubleTy(Ctx))
                      : Hint == TypeHint::Float   ? ConcreteType::ofFloat(Type::getFloatTy(Ctx))
                      : Hint == TypeHint::Integer ? ConcreteType(ConcreteType::Integer)
                                                  : ConcreteType(ConcreteType::Pointer);
  if (!Call.arg_size() || !Call.getArgOperand(0)->getType()->isPointerTy())
    return;
  constexpr int64_t OneByOne = 1024;
  int64_t Size = sizeOf(Type, DL), Bytes = Size;
  if (Call.arg_size() > 1) {
    auto *Count = dyn_cast<ConstantInt>(Call.getArgOperand(1));
    Bytes = Count ? Count->getSExtValue() : -1;
  }
  PointerTarget Place = targetOf(Call.getArgOperand(0));
  if (Bytes < 0 || Bytes > OneByOne * Size) {
    G.addFact(Place.plus(0, Size), Size, Type, FactRank::Declared);
    return;
  }
  for (int64_t At = 0; At < Bytes; At += Size)
    G.addFact(Place.plus(At), Size, Type, FactRank::Declared);
}

void GraphBuilder::statements(const Function &F) {
  auto Apply = [&](const Value &V, AttributeSet Attributes) {
    if (Attributes.hasAttribute(marking::Type))
      statedFacts(V, Attributes.getAttribute(marking::Type).getValueAsString());
  };
  for (const Argument &A : F.args())
    Apply(A, F.getAttributes().getParamAttrs(A.getArgNo()));
  for (const Instruction &I : instructions(F)) {
    if (I.hasMetadataOtherThanDebugLoc())
      if (const MDNode *Node = I.getMetadata(marking::Type); Node && Node->getNumOperands())
        if (auto *Text = dyn_cast<MDString>(Node->getOperand(0)))
          statedFacts(I, Text->getString());
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    for (const Use &U : Call->args())
      Apply(*U.get(), Call->getAttributes().getParamAttrs(Call->getArgOperandNo(&U)));
    Apply(I, Call->getAttributes().getRetAttrs());
    // A declaration without parameters (C before C23) has another type than its calls.
    auto *Callee = dyn_cast<Function>(Call->getCalledOperand());
    if (!Callee)
      continue;
    Apply(I, Callee->getAttributes().getRetAttrs());
    if (std::optional<TypeHint> Hint = typeHintOf(*Callee))
      hintFacts(*Call, *Hint);
  }
}
