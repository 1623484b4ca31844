//===- OpTable.cpp - Facts about an operation ------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/OpTable.h"
#include "isozyme/Ops/VectorNames.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace isozyme {

namespace {

constexpr TestDomain D(double Lo, double Hi) { return {Lo, Hi, Lo, Hi}; }
constexpr TestDomain D2(double Lo, double Hi, double Lo1, double Hi1) { return {Lo, Hi, Lo1, Hi1}; }

constexpr OpInfo Table[] = {
    {OpInfo::NoOp, "None", "none", Signature::F_F, 0, Intrinsic::not_intrinsic, Finiteness::Partial,
     Work::Simple, D(0, 1)},
    {OpInfo::NoOp, "Opaque", "opaque", Signature::F_F, 0, Intrinsic::not_intrinsic,
     Finiteness::Partial, Work::Simple, D(0, 1)},
#define ARITH_OP(ID, NAME, SIGNATURE, OPCODE, FINITENESS, WORK, DOMAIN)                            \
  {OpInfo::Arithmetic,                                                                             \
   #ID,                                                                                            \
   NAME,                                                                                           \
   Signature::SIGNATURE,                                                                           \
   Instruction::OPCODE,                                                                            \
   Intrinsic::not_intrinsic,                                                                       \
   Finiteness::FINITENESS,                                                                         \
   Work::WORK,                                                                                     \
   DOMAIN},
#define MATH_OP(ID, NAME, SIGNATURE, INTRINSIC, FINITENESS, WORK, DOMAIN)                          \
  {OpInfo::Function,       #ID,        NAME,  Signature::SIGNATURE, 0, Intrinsic::INTRINSIC,       \
   Finiteness::FINITENESS, Work::WORK, DOMAIN},
#define COMPLEX_OP(ID, NAME, SIGNATURE, FINITENESS, DOMAIN)                                        \
  {OpInfo::ComplexFunction, #ID,        NAME,  Signature::SIGNATURE, 0, Intrinsic::not_intrinsic,  \
   Finiteness::FINITENESS,  Work::Call, DOMAIN},
#define ZERO_OP(ID, NAME, SIGNATURE, INTRINSIC)                                                    \
  {OpInfo::ZeroFunction, #ID,          NAME,    Signature::SIGNATURE, 0, Intrinsic::INTRINSIC,     \
   Finiteness::Total,    Work::Simple, D(-3, 3)},
#define RULE_OP(ID, NAME, SIGNATURE)                                                               \
  {OpInfo::RuleOnly,    #ID,        NAME,   Signature::SIGNATURE, 0, Intrinsic::not_intrinsic,     \
   Finiteness::Partial, Work::Call, D(1, 2)},
#include "isozyme/Ops/MathOps.def"
};
static_assert(std::size(Table) == NumOps);

/// Base name to operation, from the table and its further names.
Op opOfBaseName(StringRef Base) {
  return StringSwitch<Op>(Base)
#define MATH_OP(ID, NAME, SIGNATURE, INTRINSIC, FINITENESS, WORK, DOMAIN) .Case(NAME, Op::ID)
#define ZERO_OP(ID, NAME, SIGNATURE, INTRINSIC) .Case(NAME, Op::ID)
#define MATH_NAME(ID, NAME) .Case(NAME, Op::ID)
#define MATH_SHORT(ID, NAME) .Case(NAME, Op::ID)
#include "isozyme/Ops/MathOps.def"
      .Default(Op::None);
}

bool isShortName(StringRef Base) {
  static constexpr StringLiteral Names[] = {
#define MATH_SHORT(ID, NAME) NAME,
#include "isozyme/Ops/MathOps.def"
  };
  return is_contained(Names, Base);
}

Op opOfComplexName(StringRef Base) {
  return StringSwitch<Op>(Base)
#define COMPLEX_OP(ID, NAME, SIGNATURE, FINITENESS, DOMAIN) .Case(NAME, Op::ID)
#define COMPLEX_NAME(ID, NAME) .Case(NAME, Op::ID)
#include "isozyme/Ops/MathOps.def"
      .Default(Op::None);
}

std::optional<MathName> parseAlias(StringRef Name) {
  return StringSwitch<std::optional<MathName>>(Name)
#define MATH_ALIAS(ID, NAME, FAMILY, SUFFIX)                                                       \
  .Case(NAME, MathName{Op::ID, MathFamily::FAMILY, FloatSuffix::SUFFIX})
#include "isozyme/Ops/MathOps.def"
      .Default(std::nullopt);
}

struct FurtherIntrinsic {
  Intrinsic::ID Intrinsic;
  Op Id;
};
constexpr FurtherIntrinsic FurtherIntrinsics[] = {
#define MATH_INTRINSIC(ID, INTRINSIC) {Intrinsic::INTRINSIC, Op::ID},
#include "isozyme/Ops/MathOps.def"
};

/// Longest suffix first; "expm1f32" must not be read as "expm1f3" + "2".
struct SuffixName {
  StringLiteral Text;
  FloatSuffix Suffix;
};
constexpr SuffixName SuffixNames[] = {{"f128", FloatSuffix::F128}, {"f64", FloatSuffix::F64},
                                      {"f32", FloatSuffix::F32},   {"f16", FloatSuffix::F16},
                                      {"f", FloatSuffix::F},       {"l", FloatSuffix::L}};

std::optional<MathName> parseLibmName(StringRef Name, MathFamily Family) {
  // The type comes before "_r": lgammaf_r.
  if (Name.consume_back("_r")) {
    std::optional<MathName> Plain = parseLibmName(Name, Family);
    if (!Plain || Plain->Id != Op::LGamma)
      return std::nullopt;
    return MathName{Op::LGammaR, Family, Plain->Suffix};
  }
  if (Op Id = opOfBaseName(Name); Id != Op::None)
    return MathName{Id, Family, FloatSuffix::None, isShortName(Name)};
  for (const SuffixName &S : SuffixNames) {
    StringRef Base = Name;
    if (!Base.consume_back(S.Text))
      continue;
    if (Op Id = opOfBaseName(Base); Id != Op::None)
      return MathName{Id, Family, S.Suffix, isShortName(Base)};
  }
  return std::nullopt;
}

} // namespace

const OpInfo &opInfo(Op Id) {
  assert(Id < Op::Count);
  return Table[static_cast<unsigned>(Id)];
}

unsigned numOperands(Signature S) {
  switch (S) {
  case Signature::F_F:
  case Signature::F_FP:
  case Signature::I_F:
  case Signature::C_C:
  case Signature::C_CF:
    return 1;
  case Signature::F_FF:
  case Signature::F_FI:
  case Signature::F_IF:
  case Signature::F_FL:
  case Signature::F_FFP:
  case Signature::C_CC:
  case Signature::C_IC:
    return 2;
  case Signature::F_FFF:
    return 3;
  }
  llvm_unreachable("unknown signature");
}

unsigned numComplexOperands(Signature S) {
  switch (S) {
  case Signature::C_C:
  case Signature::C_CF:
  case Signature::C_IC:
    return 1;
  case Signature::C_CC:
    return 2;
  default:
    return 0;
  }
}

bool isIntOperand(Signature S, unsigned I) {
  return (S == Signature::F_FI && I == 1) ||
         ((S == Signature::F_IF || S == Signature::C_IC) && I == 0);
}

bool signatureFits(const FunctionType *T, Signature S, const Type *Float) {
  if (numComplexOperands(S) > 0)
    return false; // How complex numbers are passed is up to the target: see ComplexCalls.h.
  const bool HasPointer = S == Signature::F_FP || S == Signature::F_FFP;
  const unsigned N = numOperands(S);
  if (T->isVarArg() || T->getNumParams() != N + HasPointer)
    return false;
  if (S == Signature::I_F ? !T->getReturnType()->isIntegerTy() : T->getReturnType() != Float)
    return false;
  for (unsigned I = 0; I < N; ++I) {
    const Type *P = T->getParamType(I);
    if (S == Signature::F_FL && I == 1 ? !P->isFloatingPointTy()
        : isIntOperand(S, I)           ? !P->isIntegerTy()
                                       : P != Float)
      return false;
  }
  return !HasPointer || T->getParamType(N)->isPointerTy();
}

std::optional<FloatSuffix> suffixAfter(StringRef Name, StringRef Base) {
  if (!Name.consume_front(Base))
    return std::nullopt;
  if (Name.empty())
    return FloatSuffix::None;
  for (const SuffixName &S : SuffixNames)
    if (Name == S.Text)
      return S.Suffix;
  return std::nullopt;
}

std::optional<MathName> parseMathName(StringRef Name) {
  if (std::optional<MathName> Vector = parseVectorName(Name))
    return Vector;
  if (Name.starts_with("__nv_")) // __nv_dadd_rn: to nearest, down, up, towards zero.
    for (StringRef Rounding : {"_rn", "_rd", "_ru", "_rz"})
      if (Name.consume_back(Rounding))
        break;
  if (std::optional<MathName> Alias = parseAlias(Name))
    return Alias;
  if (Name.consume_front("__nv_")) {
    Name.consume_front("fast_");
    return parseLibmName(Name, MathFamily::Libdevice);
  }
  if (Name.consume_front("__ocml_")) {
    FloatSuffix Suffix = Name.ends_with("_f16")   ? FloatSuffix::F16
                         : Name.ends_with("_f32") ? FloatSuffix::F32
                         : Name.ends_with("_f64") ? FloatSuffix::F64
                                                  : FloatSuffix::None;
    if (Suffix == FloatSuffix::None)
      return std::nullopt;
    Name.consume_front("native_"); // Less exact.
    Op Id = opOfBaseName(Name.drop_back(4));
    if (Id == Op::None)
      return std::nullopt;
    return MathName{Id, MathFamily::Ocml, Suffix};
  }
  for (auto [Prefix, Suffix] : {std::pair("__fd_", FloatSuffix::None), {"__fs_", FloatSuffix::F}})
    if (StringRef Base = Name; Base.consume_front(Prefix) && Base.consume_back("_1")) {
      const Op Id = opOfBaseName(Base);
      return Id == Op::None ? std::nullopt
                            : std::optional(MathName{Id, MathFamily::Pgmath, Suffix});
    }
  // What glibc's headers made of sin under -ffinite-math-only: __sinf_finite.
  if (Name.starts_with("__") && Name.ends_with("_finite"))
    Name = Name.drop_front(2).drop_back(7);
  return parseLibmName(Name, MathFamily::Libm);
}

static std::optional<MathName> parseLibmComplexName(StringRef Name) {
  if (Op Id = opOfComplexName(Name); Id != Op::None)
    return MathName{Id, MathFamily::Libm, FloatSuffix::None};
  for (const SuffixName &S : SuffixNames)
    if (StringRef Base = Name; Base.consume_back(S.Text))
      if (Op Id = opOfComplexName(Base); Id != Op::None)
        return MathName{Id, MathFamily::Libm, S.Suffix};
  return std::nullopt;
}

std::optional<MathName> parseComplexName(StringRef Name) {
  // __muldc3: the compiler's runtime names the type in the middle.
  if (StringRef Rest = Name; Rest.consume_back("c3") && Rest.starts_with("__")) {
    const auto Suffix = StringSwitch<std::optional<FloatSuffix>>(Rest.take_back(1))
                            .Case("h", FloatSuffix::F16)
                            .Case("s", FloatSuffix::F)
                            .Case("d", FloatSuffix::None)
                            .Case("x", FloatSuffix::L)
                            .Case("t", FloatSuffix::F128)
                            .Default(std::nullopt);
    const Op Id = opOfComplexName((Rest.drop_back(1) + "c3").str());
    if (Suffix && Id != Op::None)
      return MathName{Id, MathFamily::Libm, *Suffix};
    return std::nullopt;
  }
  if (std::optional<MathName> Own = parseLibmComplexName(Name))
    return Own;
  // cmplx_sqrt is csqrt.
  if (Name.consume_front("cmplx_"))
    return parseLibmComplexName(("c" + Name).str());
  return std::nullopt;
}

bool suffixFits(FloatSuffix Suffix, MathFamily Family, const Type *Float) {
  if (Family == MathFamily::VectorLibrary)
    Float = Float->getScalarType();
  switch (Suffix) {
  case FloatSuffix::None:
  case FloatSuffix::F64:
    return Float->isDoubleTy();
  case FloatSuffix::F:
  case FloatSuffix::F32:
    return Float->isFloatTy();
  case FloatSuffix::L: // Where long double is double, sinl is a double function.
    return Family == MathFamily::Libm && (Float->isX86_FP80Ty() || Float->isFP128Ty() ||
                                          Float->isPPC_FP128Ty() || Float->isDoubleTy());
  case FloatSuffix::F16:
    return Float->isHalfTy();
  case FloatSuffix::F128:
    return Float->isFP128Ty();
  }
  llvm_unreachable("unknown suffix");
}

MathFamily libraryOf(const Module &M) {
  const Accelerator *Machine = acceleratorOf(M);
  if (!Machine)
    return MathFamily::Libm;
  return Machine->mathPrefix() == "__nv_" ? MathFamily::Libdevice : MathFamily::Ocml;
}

std::string mathName(Op Id, MathFamily Family, const Type *Float, FloatSuffix Hint) {
  StringRef Base = opName(Id);
  switch (Family) {
  case MathFamily::Ocml:
    if (Float->isHalfTy() || Float->isFloatTy() || Float->isDoubleTy())
      return ("__ocml_" + Base +
              (Float->isHalfTy()    ? "_f16"
               : Float->isFloatTy() ? "_f32"
                                    : "_f64"))
          .str();
    return {};
  case MathFamily::Libdevice:
    if (Float->isFloatTy() || Float->isDoubleTy())
      return ("__nv_" + Base + (Float->isFloatTy() ? "f" : "")).str();
    return {};
  case MathFamily::Pgmath:
    if (Float->isFloatTy() || Float->isDoubleTy())
      return ((Float->isFloatTy() ? "__fs_" : "__fd_") + Base + "_1").str();
    return {};
  case MathFamily::Instruction:
  case MathFamily::Intrinsic:
  case MathFamily::Libm:
  case MathFamily::VectorLibrary: // What a library of vectors may lack.
    break;
  }
  const bool Reentrant = Base.consume_back("_r");
  StringRef Suffix;
  if (Float->isDoubleTy())
    Suffix = Hint == FloatSuffix::L ? "l" : "";
  else if (Float->isFloatTy())
    Suffix = "f";
  else if (Float->isX86_FP80Ty() || Float->isPPC_FP128Ty())
    Suffix = "l";
  else if (Float->isFP128Ty())
    Suffix = Hint == FloatSuffix::L ? "l" : "f128";
  else
    return {};
  return (Base + Suffix + (Reentrant ? "_r" : "")).str();
}

std::string nameBeside(StringRef Name, Op Like, Op Id) {
  static constexpr std::pair<Op, Op> Pairs[] = {{Op::I0, Op::I1}, {Op::K0, Op::K1}};
  for (auto [Zero, One] : Pairs) {
    if (!(Like == Zero && Id == One) && !(Like == One && Id == Zero))
      continue;
    const char Order = Like == Zero ? '0' : '1', Other = Like == Zero ? '1' : '0';
    const size_t At = Name.find_insensitive(Twine(Zero == Op::I0 ? "i" : "k").str() + Order);
    if (At == StringRef::npos)
      return {};
    std::string Beside = Name.str();
    Beside[At + 1] = Other;
    return Beside;
  }
  return {};
}

/// What the name of a GPU's intrinsic may end with: how it rounds and how exact it is, what it
/// makes of tiny numbers, and its type.
static bool isVariant(StringRef Rest) {
  static constexpr StringLiteral Parts[] = {"rn", "rm", "rp",  "rz",   "approx", "full",  "ftz",
                                            "f",  "d",  "f16", "bf16", "f16x2",  "bf16x2"};
  SmallVector<StringRef, 4> Found;
  if (!Rest.empty() && !Rest.consume_front("."))
    return false;
  Rest.split(Found, '.', -1, /*KeepEmpty=*/false);
  return all_of(Found, [](StringRef Part) { return is_contained(Parts, Part); });
}

static Op opOfDeviceIntrinsic(Intrinsic::ID Id) {
  static constexpr std::pair<StringLiteral, Op> Rows[] = {
#define DEVICE_INTRINSIC(ID, NAME) {NAME, Op::ID},
#include "isozyme/Ops/MathOps.def"
  };
  StringRef Name = Intrinsic::getBaseName(Id);
  for (const auto &[Base, Found] : Rows)
    if (StringRef Rest = Name; Rest.consume_front(Base) && isVariant(Rest))
      return Found;
  return Op::None;
}

Op opOfIntrinsic(Intrinsic::ID Id) {
  if (Id == Intrinsic::not_intrinsic)
    return Op::None;
  if (Intrinsic::isTargetIntrinsic(Id))
    return opOfDeviceIntrinsic(Id);
  for (const FurtherIntrinsic &R : FurtherIntrinsics)
    if (R.Intrinsic == Id)
      return R.Id;
  for (unsigned I = 0; I < NumOps; ++I)
    if (Table[I].Intrinsic == Id)
      return static_cast<Op>(I);
  return Op::None;
}

SmallVector<Intrinsic::ID, 2> intrinsicsOf(Op Id) {
  SmallVector<Intrinsic::ID, 2> Ids;
  if (opInfo(Id).Intrinsic != Intrinsic::not_intrinsic)
    Ids.push_back(opInfo(Id).Intrinsic);
  for (const FurtherIntrinsic &R : FurtherIntrinsics)
    if (R.Id == Id)
      Ids.push_back(R.Intrinsic);
  return Ids;
}

} // namespace isozyme
