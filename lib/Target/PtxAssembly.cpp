//===- PtxAssembly.cpp - Inline assembly of NVIDIA's GPUs, in LLVM's words ===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers of CUDA compute with halves by assembly, on integers that hold their bits:
//
//   asm ("{mul.f16 $0,$1,$2;\n}" : "=h"(r) : "h"(a), "h"(b))    ->    r = a * b, as halves
//
// Statements run one after another: no jumps, and no predicate in front of one. A register holds
// a value of any type; each statement says as what it reads it. What rounds otherwise than to
// nearest, or is not in the tables below, stays assembly.
//
//===----------------------------------------------------------------------===//
#include "PtxAssembly.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

namespace {

struct Statement {
  SmallVector<StringRef, 5> Opcode;                   ///< Between dots: mul, rn, f16.
  SmallVector<SmallVector<StringRef, 2>, 5> Operands; ///< Several words: {low,high}.
  bool IsKnown = true;                                ///< It has the form of one.
};

class PtxReader {
public:
  PtxReader(IRBuilderBase &B, ArrayRef<AssemblyOperand> Operands);
  bool run(StringRef Text);
  std::optional<SmallVector<Value *, 2>> results();

private:
  bool runStatement(const Statement &S);
  bool move(const Statement &S);
  bool arithmetic(const Statement &S);
  bool convert(const Statement &S);
  bool compare(const Statement &S);
  bool chooseByPredicate(const Statement &S);
  bool bits(const Statement &S);
  bool shuffle(const Statement &S);
  bool load(const Statement &S);
  Value *approximate(const Statement &S, Value *X);
  Value *compared(const Statement &S, StringRef How, Type *T);

  Type *typeNamed(StringRef Name) const;
  Type *wordOf(unsigned Bits) const { return B.getIntNTy(Bits); }
  /// The operand \p Number as a \p T; null if it has another size.
  Value *read(const Statement &S, unsigned Number, Type *T);
  Value *readWord(StringRef Word, Type *T);
  bool write(StringRef Word, Value *V);
  bool write(const Statement &S, Value *V) {
    return V && !S.Operands.empty() && S.Operands[0].size() == 1 && write(S.Operands[0][0], V);
  }

  IRBuilderBase &B;
  ArrayRef<AssemblyOperand> Operands;
  StringMap<Value *> Registers; ///< Operands by their numbers: "$0".
};

} // namespace

// --- Text ---

/// Words and single characters; comments do not occur.
static SmallVector<StringRef, 32> wordsOf(StringRef Text) {
  auto isPart = [](char C) { return isAlnum(C) || C == '_' || C == '.' || C == '$' || C == '%'; };
  SmallVector<StringRef, 32> Words;
  while (!(Text = Text.ltrim()).empty()) {
    size_t Length = std::max<size_t>(
        1, Text.find_if_not(isPart) == StringRef::npos ? Text.size() : Text.find_if_not(isPart));
    Words.push_back(Text.take_front(Length));
    Text = Text.drop_front(Length);
  }
  return Words;
}

static Statement statementOf(ArrayRef<StringRef> Words) {
  Statement S;
  Words.front().split(S.Opcode, '.', -1, /*KeepEmpty=*/false);
  bool InGroup = false, IsNew = true;
  for (StringRef Word : Words.drop_front()) {
    if (Word == "{" || Word == "}") {
      InGroup = Word == "{";
    } else if (Word == ",") {
      IsNew = !InGroup;
    } else if (Word.size() == 1 && isPunct(Word[0]) && Word != "[" && Word != "]") {
      S.IsKnown = false; // d|p, {+,-} ...
    } else if (Word != "[" && Word != "]") {
      if (IsNew || S.Operands.empty())
        S.Operands.emplace_back();
      S.Operands.back().push_back(Word);
      IsNew = false;
    }
  }
  return S;
}

/// Braces around statements only say where registers are known.
static SmallVector<Statement, 8> statementsOf(StringRef Text) {
  SmallVector<StringRef, 32> Words = wordsOf(Text);
  SmallVector<Statement, 8> Statements;
  for (ArrayRef<StringRef> Rest = Words; !Rest.empty();) {
    if (Rest.front() == "{" || Rest.front() == "}" || Rest.front() == ";") {
      Rest = Rest.drop_front();
      continue;
    }
    ArrayRef<StringRef> Own = Rest.take_until([](StringRef Word) { return Word == ";"; });
    Statements.push_back(statementOf(Own));
    Rest = Rest.drop_front(Own.size());
  }
  return Statements;
}

bool ptxMentionsFloats(StringRef Text) {
  static constexpr StringLiteral Kinds[] = {"f16", "bf16", "f16x2", "bf16x2",
                                            "f32", "f64",  "tf32",  "f32x2"};
  for (StringRef Word : wordsOf(Text)) {
    SmallVector<StringRef, 5> Parts;
    Word.split(Parts, '.');
    if (any_of(drop_begin(Parts), [](StringRef Part) { return is_contained(Kinds, Part); }))
      return true;
  }
  return false;
}

Meeting meetingInPtx(StringRef Text) {
  for (const Statement &S : statementsOf(Text)) {
    if (S.Opcode.empty())
      continue;
    StringRef Name = S.Opcode[0];
    if (Name == "bar" || Name == "barrier" || Name == "mbarrier")
      return Meeting::Other;
    auto Is = [&](StringRef Part) { return is_contained(S.Opcode, Part); };
    if (Name == "membar" || Name == "fence" || Is("acquire") || Is("release") || Is("acq_rel"))
      return Meeting::Fence;
  }
  return Meeting::None;
}

// --- Registers ---

PtxReader::PtxReader(IRBuilderBase &B, ArrayRef<AssemblyOperand> Operands)
    : B(B), Operands(Operands) {
  for (auto [Number, Operand] : enumerate(Operands)) {
    Value *In = Operand.In, *Float = nullptr;
    if (!In)
      continue;
    // As a float, where it has been one.
    bool Was = match(In, m_BitCast(m_Value(Float))) && Float->getType()->isFPOrFPVectorTy();
    Registers["$" + std::to_string(Number)] = Was ? Float : In;
  }
}

Type *PtxReader::typeNamed(StringRef Name) const {
  auto Pair = [](Type *T) { return FixedVectorType::get(T, 2); };
  Type *Half = B.getHalfTy(), *Brain = B.getBFloatTy();
  Type *T = StringSwitch<Type *>(Name)
                .Case("f16", Half)
                .Case("bf16", Brain)
                .Case("f16x2", Pair(Half))
                .Case("bf16x2", Pair(Brain))
                .Case("f32", B.getFloatTy())
                .Case("f64", B.getDoubleTy())
                .Default(nullptr);
  unsigned Bits;
  if (!T && Name.size() > 1 && StringRef("bsu").contains(Name[0]) &&
      !Name.drop_front().getAsInteger(10, Bits) && is_contained({16u, 32u, 64u}, Bits))
    return wordOf(Bits);
  return T;
}

static Value *as(IRBuilderBase &B, Value *V, Type *T) {
  if (V->getType() == T)
    return V;
  Value *Source = nullptr;
  if (match(V, m_BitCast(m_Value(Source))) && Source->getType() == T)
    return Source;
  bool HasSize = V->getType()->getPrimitiveSizeInBits() == T->getPrimitiveSizeInBits() &&
                 !V->getType()->isPointerTy() && !T->isPointerTy();
  return HasSize ? B.CreateBitCast(V, T) : nullptr;
}

Value *PtxReader::readWord(StringRef Word, Type *T) {
  const unsigned Bits = T->getPrimitiveSizeInBits();
  if (auto It = Registers.find(Word); It != Registers.end())
    return as(B, It->second, T);
  if (Word == "WARP_SZ")
    return T->isIntegerTy() ? ConstantInt::get(T, 32) : nullptr;
  uint64_t Number;
  Word.consume_back("U");
  if (!Bits || Word.getAsInteger(0, Number))
    return nullptr;
  return as(B, B.getInt(APInt(64, Number).zextOrTrunc(Bits)), T);
}

Value *PtxReader::read(const Statement &S, unsigned Number, Type *T) {
  if (!T || Number >= S.Operands.size() || S.Operands[Number].size() != 1)
    return nullptr;
  return readWord(S.Operands[Number][0], T);
}

bool PtxReader::write(StringRef Word, Value *V) {
  Registers[Word] = V;
  return true;
}

std::optional<SmallVector<Value *, 2>> PtxReader::results() {
  SmallVector<Value *, 2> All;
  for (auto [Number, Operand] : enumerate(Operands)) {
    if (!Operand.Result)
      continue;
    Value *V = readWord("$" + std::to_string(Number), Operand.Result);
    if (!V)
      return std::nullopt;
    All.push_back(V);
  }
  return All;
}

// --- Statements ---

/// mov.b32 d, a;  mov.b32 d, {low, high};  mov.b32 {low, high}, a;
bool PtxReader::move(const Statement &S) {
  Type *Whole = S.Opcode.size() == 2 ? typeNamed(S.Opcode[1]) : nullptr;
  if (!Whole || S.Operands.size() != 2)
    return false;
  ArrayRef<StringRef> To = S.Operands[0], From = S.Operands[1];
  if (To.size() == 1 && From.size() == 1) {
    auto It = Registers.find(From[0]);
    return write(S, It != Registers.end() ? It->second : read(S, 1, Whole));
  }
  const unsigned Bits = Whole->getPrimitiveSizeInBits();
  Type *Half = wordOf(Bits / 2);
  Type *Halves = FixedVectorType::get(Half, 2);
  if (To.size() == 2 && From.size() == 1) {
    Value *V = read(S, 1, wordOf(Bits));
    if (!V)
      return false;
    // Of a pair of floats, each.
    Value *Pair = as(B, V, Halves);
    if (auto *Cast = dyn_cast<BitCastInst>(V); Cast && Cast->getSrcTy()->isVectorTy())
      Pair = Cast->getOperand(0);
    for (unsigned Part = 0; Part < 2; ++Part)
      write(To[Part], B.CreateExtractElement(Pair, Part));
    return true;
  }
  if (To.size() != 1 || From.size() != 2)
    return false;
  Value *Low = readWord(From[0], Half), *High = readWord(From[1], Half);
  if (!Low || !High)
    return false;
  // The upper half of a float is a bfloat of the same value.
  if (Bits == 32 && match(Low, m_ZeroInt()))
    return write(S, B.CreateFPExt(as(B, High, B.getBFloatTy()), B.getFloatTy()));
  // Floats stay floats.
  Type *Element = Half;
  for (StringRef Word : From)
    if (auto It = Registers.find(Word); It != Registers.end())
      if (Value *V = It->second; V->getType()->isFloatingPointTy())
        Element = V->getType();
  Value *Pair = PoisonValue::get(FixedVectorType::get(Element, 2));
  Pair = B.CreateInsertElement(Pair, as(B, Low, Element), uint64_t(0));
  return write(S, B.CreateInsertElement(Pair, as(B, High, Element), uint64_t(1)));
}

/// Intrinsics that compute what a statement of the same name does.
Value *PtxReader::approximate(const Statement &S, Value *X) {
  if (!X->getType()->isFloatTy())
    return nullptr;
  std::string Name = "llvm.nvvm";
  for (StringRef Part : ArrayRef(S.Opcode).drop_back())
    Name += "." + Part.str();
  if (Intrinsic::ID Id = Intrinsic::lookupIntrinsicID(Name); Id && Intrinsic::isOverloaded(Id))
    return B.CreateIntrinsic(Id, {X->getType()}, {X});
  if (Intrinsic::ID Id = Intrinsic::lookupIntrinsicID(Name + ".f"))
    return B.CreateIntrinsic(X->getType(), Id, {X});
  return nullptr;
}

/// On floats: what is rounded to nearest, and the machine's own approximations.
bool PtxReader::arithmetic(const Statement &S) {
  Type *T = typeNamed(S.Opcode.back());
  if (!T || !T->isFPOrFPVectorTy())
    return false;
  StringRef Name = S.Opcode[0];
  Value *X = read(S, 1, T), *Y = read(S, 2, T), *Z = read(S, 3, T);
  const size_t Given = S.Operands.size();
  if (!X || (Given > 2 && !Y) || (Given > 3 && !Z))
    return false;
  if (Given == 2 && S.Opcode.size() > 2)
    return write(S, approximate(S, X));
  if (any_of(ArrayRef(S.Opcode).drop_front().drop_back(),
             [](StringRef Part) { return Part != "rn"; }))
    return false;
  Value *V = nullptr;
  if (Given == 2)
    V = Name == "neg"   ? B.CreateFNeg(X)
        : Name == "abs" ? B.CreateUnaryIntrinsic(Intrinsic::fabs, X)
                        : nullptr;
  else if (Given == 3)
    V = Name == "add"   ? B.CreateFAdd(X, Y)
        : Name == "sub" ? B.CreateFSub(X, Y)
        : Name == "mul" ? B.CreateFMul(X, Y)
        : Name == "min" ? B.CreateMinNum(X, Y)
        : Name == "max" ? B.CreateMaxNum(X, Y)
                        : nullptr;
  else if (Given == 4 && Name == "fma")
    V = B.CreateIntrinsic(Intrinsic::fma, {T}, {X, Y, Z});
  return write(S, V);
}

/// cvt.rn.f16.f32 d, a;  cvt.f32.f16;  cvt.rn.f16x2.f32 d, high, low;  cvt.rn.f16.s32;
/// cvt.rzi.s32.f16.
bool PtxReader::convert(const Statement &S) {
  if (S.Opcode.size() < 3)
    return false;
  StringRef To = S.Opcode[S.Opcode.size() - 2], From = S.Opcode.back();
  StringRef How = S.Opcode.size() == 4 ? S.Opcode[1] : "";
  Type *Result = typeNamed(To), *Source = typeNamed(From);
  Value *X = read(S, 1, Source);
  if (!Result || !X || S.Opcode.size() > 4)
    return false;
  if (Result->isVectorTy() && How == "rn" && S.Operands.size() == 3) {
    Value *Low = read(S, 2, Source), *Pair = PoisonValue::get(Result);
    if (!Low || !Source->isFloatTy())
      return false;
    Type *Each = Result->getScalarType();
    Pair = B.CreateInsertElement(Pair, B.CreateFPTrunc(Low, Each), uint64_t(0));
    return write(S, B.CreateInsertElement(Pair, B.CreateFPTrunc(X, Each), uint64_t(1)));
  }
  if (S.Operands.size() != 2 || Result->isVectorTy() || Source->isVectorTy())
    return false;
  const bool IsNarrow = Result->getPrimitiveSizeInBits() < Source->getPrimitiveSizeInBits();
  if (Result->isFloatingPointTy() && Source->isFloatingPointTy())
    return Result != Source && How == (IsNarrow ? "rn" : "") && write(S, B.CreateFPCast(X, Result));
  if (Result->isFloatingPointTy())
    return How == "rn" &&
           write(S, From.starts_with("s") ? B.CreateSIToFP(X, Result) : B.CreateUIToFP(X, Result));
  if (!Source->isFloatingPointTy() || How != "rzi")
    return false;
  Intrinsic::ID Id = To.starts_with("s") ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
  return write(S, B.CreateIntrinsic(Id, {Result, Source}, {X}));
}

Value *PtxReader::compared(const Statement &S, StringRef How, Type *T) {
  auto Relation = StringSwitch<CmpInst::Predicate>(How)
                      .Case("eq", CmpInst::FCMP_OEQ)
                      .Case("ne", CmpInst::FCMP_ONE)
                      .Case("lt", CmpInst::FCMP_OLT)
                      .Case("le", CmpInst::FCMP_OLE)
                      .Case("gt", CmpInst::FCMP_OGT)
                      .Case("ge", CmpInst::FCMP_OGE)
                      .Case("equ", CmpInst::FCMP_UEQ)
                      .Case("neu", CmpInst::FCMP_UNE)
                      .Case("ltu", CmpInst::FCMP_ULT)
                      .Case("leu", CmpInst::FCMP_ULE)
                      .Case("gtu", CmpInst::FCMP_UGT)
                      .Case("geu", CmpInst::FCMP_UGE)
                      .Case("nan", CmpInst::FCMP_UNO)
                      .Case("num", CmpInst::FCMP_ORD)
                      .Default(CmpInst::BAD_FCMP_PREDICATE);
  Value *X = read(S, 1, T), *Y = read(S, 2, T);
  if (Relation == CmpInst::BAD_FCMP_PREDICATE || !X || !Y || !T->isFPOrFPVectorTy())
    return nullptr;
  return B.CreateFCmp(Relation, X, Y);
}

/// setp.gt.f16 p, a, b;  and set.eq.f16.f16 d, a, b: one or zero.
bool PtxReader::compare(const Statement &S) {
  const bool IsPredicate = S.Opcode[0] == "setp";
  if (S.Opcode.size() != (IsPredicate ? 3u : 4u) || S.Operands.size() != 3)
    return false;
  Type *T = typeNamed(S.Opcode.back());
  if (!T || (IsPredicate && T->isVectorTy()) || (!IsPredicate && S.Opcode[2] != S.Opcode[3]))
    return false;
  Value *Holds = compared(S, S.Opcode[1], T);
  if (!Holds || IsPredicate)
    return write(S, Holds);
  return write(S, B.CreateSelect(Holds, ConstantFP::get(T, 1), ConstantFP::get(T, 0)));
}

/// selp.u16 d, a, b, p;
bool PtxReader::chooseByPredicate(const Statement &S) {
  Type *T = typeNamed(S.Opcode.back());
  Value *X = read(S, 1, T), *Y = read(S, 2, T), *Holds = read(S, 3, B.getInt1Ty());
  return X && Y && Holds && S.Opcode.size() == 2 && write(S, B.CreateSelect(Holds, X, Y));
}

/// and.b16 t, r, 0x8000;  or.b16 r, r, t: the sign of what r was.
bool PtxReader::bits(const Statement &S) {
  Type *T = typeNamed(S.Opcode.back());
  Value *X = read(S, 1, T), *Y = read(S, 2, T);
  if (!X || !Y || !T->isIntegerTy() || S.Opcode.size() != 2)
    return false;
  if (S.Opcode[0] == "and")
    return write(S, B.CreateAnd(X, Y));
  Value *Signed = nullptr;
  const APInt *Mask = nullptr;
  Value *Floats = nullptr;
  if (match(X, m_BitCast(m_Value(Floats))) && Floats->getType()->isFPOrFPVectorTy() &&
      match(Y, m_And(m_Value(Signed), m_APInt(Mask)))) {
    const unsigned Bits = Floats->getType()->getScalarSizeInBits();
    if (*Mask == APInt::getSplat(T->getIntegerBitWidth(), APInt::getSignMask(Bits)))
      return write(S, B.CreateCopySign(Floats, as(B, Signed, Floats->getType())));
  }
  return write(S, B.CreateOr(X, Y));
}

/// shfl.sync.bfly.b32 d, a, b, c, mask;
bool PtxReader::shuffle(const Statement &S) {
  if (S.Opcode.size() != 4 || S.Opcode[1] != "sync" || S.Operands.size() != 5)
    return false;
  Intrinsic::ID Id =
      Intrinsic::lookupIntrinsicID("llvm.nvvm.shfl.sync." + S.Opcode[2].str() + ".i32");
  Type *T = B.getInt32Ty();
  Value *X = read(S, 1, T), *By = read(S, 2, T), *Clamp = read(S, 3, T), *Mask = read(S, 4, T);
  return Id && X && By && Clamp && Mask && write(S, B.CreateIntrinsic(T, Id, {Mask, X, By, Clamp}));
}

/// ld.global.nc.b16 d, [a];
bool PtxReader::load(const Statement &S) {
  Type *T = typeNamed(S.Opcode.back());
  if (!T || S.Opcode.size() < 3 || S.Operands.size() != 2 || S.Operands[1].size() != 1 ||
      !is_contained({"global", "nc", "ca", "cg", "cs", "lu"}, S.Opcode[S.Opcode.size() - 2]))
    return false;
  auto It = Registers.find(S.Operands[1][0]);
  if (It == Registers.end() || !It->second->getType()->isPointerTy())
    return false;
  return write(S, B.CreateAlignedLoad(T, It->second, Align(T->getPrimitiveSizeInBits() / 8)));
}

bool PtxReader::runStatement(const Statement &S) {
  if (!S.IsKnown || S.Opcode.empty() || S.Opcode[0].starts_with("@"))
    return false;
  StringRef Name = S.Opcode[0];
  if (Name == "reg")
    return true;
  if (Name == "mov")
    return move(S);
  if (Name == "cvt")
    return convert(S);
  if (Name == "set" || Name == "setp")
    return compare(S);
  if (Name == "selp")
    return chooseByPredicate(S);
  if (Name == "and" || Name == "or")
    return bits(S);
  if (Name == "shfl")
    return shuffle(S);
  if (Name == "ld")
    return load(S);
  return arithmetic(S);
}

bool PtxReader::run(StringRef Text) {
  SmallVector<Statement, 8> Statements = statementsOf(Text);
  return !Statements.empty() &&
         all_of(Statements, [&](const Statement &S) { return runStatement(S); });
}

std::optional<SmallVector<Value *, 2>> readPtx(IRBuilderBase &B, StringRef Text,
                                               ArrayRef<AssemblyOperand> Operands) {
  PtxReader Reader(B, Operands);
  if (!Reader.run(Text))
    return std::nullopt;
  return Reader.results();
}

} // namespace isozyme
