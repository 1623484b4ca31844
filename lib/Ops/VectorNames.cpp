//===- VectorNames.cpp - Names of math functions on vectors ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   _ZGVbN2v_sin      the vector function ABI, by which glibc and SLEEF's libsleefgnuabi
//                     go: instruction set, no mask, elements, parameters, function
//   Sleef_sind4_u10   SLEEF: function, type, elements, error in units of 0.1, instruction set
//   __svml_sin4       Intel's: function, elements, accuracy
//   amd_vrd4_sin      AMD's: type, elements, function
//   __fd_sin_4        PGI's and flang's: type, function, elements
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/VectorNames.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace isozyme {

namespace {

/// A name taken apart: Before + (function) + After.
struct VectorName {
  std::string Before, Function, After;
  FloatSuffix Suffix = FloatSuffix::None;
  bool FunctionHasSuffix = false; ///< sinf, not sin, between Before and After.
};

bool isLaneCount(StringRef Digits) {
  return Digits == "2" || Digits == "4" || Digits == "8" || Digits == "16";
}

/// Takes the longest number of elements off the end: exp216 is exp2 of 16.
bool consumeLanes(StringRef &Name, StringRef &Lanes) {
  for (unsigned Length : {2u, 1u})
    if (Name.size() > Length && isLaneCount(Name.take_back(Length))) {
      Lanes = Name.take_back(Length);
      Name = Name.drop_back(Length);
      return true;
    }
  return false;
}

/// Function names that end in f for float.
VectorName withFloatSuffix(StringRef Before, StringRef Function, StringRef After) {
  VectorName Parts{Before.str(), Function.str(), After.str()};
  Parts.FunctionHasSuffix = true;
  return Parts;
}

/// <isa> N <elements> v... _ <function>
std::optional<VectorName> parseABIName(StringRef Name) {
  StringRef Rest = Name;
  if (!Rest.consume_front("_ZGV") || Rest.empty() || !isAlpha(Rest.front()))
    return std::nullopt;
  Rest = Rest.drop_front();
  const StringRef Lanes =
      Rest.consume_front("N") ? Rest.take_while([](char C) { return isDigit(C); }) : StringRef();
  Rest = Rest.drop_front(Lanes.size());
  const StringRef Params = Rest.take_while([](char C) { return C == 'v'; });
  Rest = Rest.drop_front(Params.size());
  if (Lanes.empty() || Params.empty() || !Rest.consume_front("_"))
    return std::nullopt;
  return withFloatSuffix(Name.drop_back(Rest.size()), Rest, "");
}

/// [finz_|cinz_] <function> (d|f) <elements> [_u<error>] [isa], or <function> [f] _u<error>
std::optional<VectorName> parseSleefName(StringRef Name) {
  StringRef Rest = Name;
  if (!Rest.consume_front("Sleef_"))
    return std::nullopt;
  if (!Rest.consume_front("finz_"))
    Rest.consume_front("cinz_");
  const StringRef Before = Name.drop_back(Rest.size());
  auto [Core, Error] = Rest.rsplit("_u");
  const StringRef Isa = Error.drop_while([](char C) { return isDigit(C); });
  // Of an unusual error bound there may be no other function.
  const std::string After = "_u10" + Isa.str();
  StringRef Lanes;
  if (!consumeLanes(Core, Lanes))
    return Error.empty() ? std::nullopt : std::optional(withFloatSuffix(Before, Core, After));
  if (!Core.ends_with("d") && !Core.ends_with("f"))
    // Sleef_exp2_u10, of one number.
    return Error.empty() ? std::nullopt
                         : std::optional(withFloatSuffix(Before, (Core + Lanes).str(), After));
  VectorName Parts{Before.str(), Core.drop_back().str(), (Core.take_back() + Lanes + After).str()};
  Parts.Suffix = Core.ends_with("f") ? FloatSuffix::F : FloatSuffix::None;
  return Parts;
}

/// <function> [f] <elements> [_ha | _ep | _la]
std::optional<VectorName> parseIntelName(StringRef Name) {
  StringRef Rest = Name;
  if (!Rest.consume_front("__svml_"))
    return std::nullopt;
  auto [Core, Accuracy] = Rest.split('_');
  StringRef Lanes;
  if (Accuracy == "mask" || !consumeLanes(Core, Lanes))
    return std::nullopt;
  return withFloatSuffix("__svml_", Core, Rest.drop_front(Core.size()));
}

/// (d|s) <elements> _ <function>
std::optional<VectorName> parseAMDName(StringRef Name) {
  StringRef Rest = Name;
  if (!Rest.consume_front("amd_vrd") && !Rest.consume_front("amd_vrs"))
    return std::nullopt;
  const StringRef Lanes = Rest.take_while([](char C) { return isDigit(C); });
  Rest = Rest.drop_front(Lanes.size());
  if (!isLaneCount(Lanes) || !Rest.consume_front("_"))
    return std::nullopt;
  return withFloatSuffix(Name.drop_back(Rest.size()), Rest, "");
}

/// (f|r|p) (d|s) _ <function> _ <elements>: fast, relaxed, precise
std::optional<VectorName> parsePgmathName(StringRef Name) {
  StringRef Rest = Name;
  if (!Rest.consume_front("__") || Rest.size() < 4 || !StringRef("frp").contains(Rest[0]) ||
      !StringRef("ds").contains(Rest[1]) || Rest[2] != '_')
    return std::nullopt;
  const bool IsFloat = Rest[1] == 's';
  auto [Core, Lanes] = Rest.drop_front(3).rsplit('_');
  if (!isLaneCount(Lanes))
    return std::nullopt;
  VectorName Parts{Name.take_front(5).str(), Core.str(), ("_" + Lanes).str()};
  Parts.Suffix = IsFloat ? FloatSuffix::F : FloatSuffix::None;
  return Parts;
}

std::optional<VectorName> takeApart(StringRef Name) {
  for (auto *Parse : {parseABIName, parseSleefName, parseIntelName, parseAMDName, parsePgmathName})
    if (std::optional<VectorName> Parts = Parse(Name))
      return Parts;
  return std::nullopt;
}

/// What every library of vectors has.
bool isEverywhere(Op Id) {
  switch (Id) {
  case Op::Sin:
  case Op::Cos:
  case Op::Exp:
  case Op::Log:
  case Op::Pow:
    return true;
  default:
    return false;
  }
}

} // namespace

std::optional<MathName> parseVectorName(StringRef Name) {
  std::optional<VectorName> Parts = takeApart(Name);
  if (!Parts)
    return std::nullopt;
  std::optional<MathName> Scalar = parseMathName(Parts->Function);
  if (!Scalar || Scalar->Family != MathFamily::Libm || Scalar->NeedsMark)
    return std::nullopt;
  if (Parts->FunctionHasSuffix)
    Parts->Suffix = Scalar->Suffix;
  else if (Scalar->Suffix != FloatSuffix::None)
    return std::nullopt;
  return MathName{Scalar->Id, MathFamily::VectorLibrary, Parts->Suffix};
}

std::string vectorName(StringRef Like, Op Id) {
  std::optional<VectorName> Parts = takeApart(Like);
  std::optional<MathName> Name = parseVectorName(Like);
  if (!Name || !isEverywhere(Id))
    return {};
  StringRef Suffix = Parts->FunctionHasSuffix && Name->Suffix == FloatSuffix::F ? "f" : "";
  std::string Before = Parts->Before;
  // One parameter for each operand.
  if (StringRef(Before).starts_with("_ZGV"))
    Before =
        StringRef(Before).rtrim("v_").str() + std::string(numOperands(opInfo(Id).Sig), 'v') + "_";
  return Before + opName(Id).str() + Suffix.str() + Parts->After;
}

} // namespace isozyme
