//===- RuleCheck.cpp - Every derivative rule against finite differences ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every operation, spelling and type: differentiates a function that holds
// just this operation, compiles it, and checks
//
//   forward   against 8th-order finite differences of the operation in long double
//   reverse   against forward, by <w, J v> = <J^T w, v>
//   width 4   likewise, lane by lane
//   zero      a zero derivative gives zero, at operands where partials are infinite
//
//===----------------------------------------------------------------------===//
#include "Program.h"
#include "isozyme/Rules/RuleTable.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace isozyme;

namespace rulecheck {

namespace {

struct Settings {
  bool List = false, Print = false, Verbose = false;
  Maker How = Maker::Pipeline;
  std::string Filter;
};

struct alignas(64) Buffer {
  char Bytes[LaneStride * MaxLanes] = {};
  char *at(unsigned Operand, unsigned Lane = 0) {
    return Bytes + OperandStride * Operand + LaneStride * Lane;
  }
};

/// A small generator of our own: the same numbers on every host.
class Draw {
public:
  Wide operator()(double Lo, double Hi) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    return Lo + (Hi - Lo) * static_cast<double>(State >> 40) / 0x1p24;
  }

private:
  uint64_t State = 20240607;
};

/// Operands, tangents and adjoint seeds of one evaluation.
struct Sample {
  int N = 0;
  Wide X[4][3] = {};           ///< [element][operand]
  Wide V[MaxLanes][4][3] = {}; ///< [lane][element][operand]
  Wide W[MaxLanes][4] = {};    ///< [lane][element]
  /// Finite differences, [result element][element][operand]. The elements of vectors are
  /// independent of each other, the parts of a complex number are not.
  Wide Slope[4][4][3] = {};
};

class RowChecker {
public:
  RowChecker(const Case &C, Program &P) : C(C), P(P), Operands(floatOperands(C.Id)) {}

  /// Empty if all is well, else what is not.
  std::string check() {
    if (Error E = lookUp())
      return toString(std::move(E));
    Draw Random;
    for (const TestDomain &D : domainsFor(C.Id))
      for (int N : integersFor(C.Id))
        for (unsigned Round = 0; Round < 3; ++Round) {
          Sample S = draw(D, N, Random);
          std::string Text = checkSample(S, 1);
          if (Text.empty())
            Text = checkSample(S, MaxLanes);
          if (!Text.empty())
            return Text;
        }
    return checkZeros();
  }

private:
  Error lookUp() {
    auto Find = [&](const char *Mode, Derivative &D) -> Error {
      auto Found = P.derivative(C.name(Mode));
      if (!Found)
        return Found.takeError();
      D = *Found;
      return Error::success();
    };
    auto R = P.primal("ref");
    if (!R)
      return R.takeError();
    Reference = *R;
    if (Error E = Find("fwd", Forward))
      return E;
    if (Error E = Find("rev", Reverse))
      return E;
    if (Error E = Find("fwd4", Forward4))
      return E;
    return Find("rev4", Reverse4);
  }

  /// The elements that depend on each other with \p E: [first, end).
  std::pair<unsigned, unsigned> group(unsigned E) const {
    return isComplex(C.In) ? std::pair(0u, 2u) : std::pair(E, E + 1);
  }

  /// The results of the group of \p E.
  std::array<Wide, 2> evaluate(const Wide (&X)[4][3], unsigned E, int N) const {
    Buffer In, Out;
    auto [First, End] = group(E);
    for (unsigned I = 0; I < Operands.size(); ++I)
      for (unsigned P = First; P < End; ++P)
        std::memcpy(In.at(I) + (P - First) * sizeof(Wide), &X[P][I], sizeof(Wide));
    Reference(In.Bytes, Out.Bytes, N);
    std::array<Wide, 2> Y = {};
    std::memcpy(Y.data(), Out.Bytes, (End - First) * sizeof(Wide));
    return Y;
  }

  /// Central differences of 8th order.
  void findSlopes(Sample &S, unsigned E, unsigned Operand) const {
    constexpr Wide H = 0x1p-8L;
    constexpr Wide Weights[] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
    const Wide Here = S.X[E][Operand];
    auto [First, End] = group(E);
    for (int K = 1; K <= 4; ++K) {
      S.X[E][Operand] = Here + K * H;
      const std::array<Wide, 2> Up = evaluate(S.X, E, S.N);
      S.X[E][Operand] = Here - K * H;
      const std::array<Wide, 2> Down = evaluate(S.X, E, S.N);
      for (unsigned P = First; P < End; ++P)
        S.Slope[P][E][Operand] += Weights[K - 1] * (Up[P - First] - Down[P - First]) / H;
    }
    S.X[E][Operand] = Here;
  }

  Wide drawOperand(const TestDomain &D, unsigned E, unsigned I, Draw &Random) const {
    const bool Second = isComplex(C.In) ? E == 1 : I > 0;
    return roundTo(C.In, Second ? Random(D.Lo1, D.Hi1) : Random(D.Lo, D.Hi));
  }

  Sample draw(const TestDomain &D, int N, Draw &Random) const {
    Sample S;
    S.N = N;
    const unsigned Elements = numberInfo(C.In).Elements;
    for (unsigned E = 0; E < Elements; ++E) {
      // Functions of a choice are not smooth at 0 and at ties: stay away from both.
      do {
        for (unsigned I = 0; I < Operands.size(); ++I)
          S.X[E][I] = drawOperand(D, E, I, Random);
      } while (std::fabs(S.X[E][0]) < 0.05L ||
               (Operands.size() == 2 && std::fabs(S.X[E][0] - S.X[E][1]) < 0.05L));
      for (unsigned L = 0; L < MaxLanes; ++L) {
        for (unsigned I = 0; I < Operands.size(); ++I)
          S.V[L][E][I] = std::round(Random(-16, 16)) / 8;
        S.W[L][E] = std::round(Random(-16, 16)) / 8;
      }
    }
    for (unsigned E = 0; E < Elements; ++E)
      for (unsigned I = 0; I < Operands.size(); ++I)
        findSlopes(S, E, I);
    return S;
  }

  void fill(const Sample &S, bool IsForward, Buffer &In, Buffer &DIn, Buffer &DOut) const {
    for (unsigned E = 0; E < numberInfo(C.In).Elements; ++E)
      for (unsigned I = 0; I < Operands.size(); ++I) {
        writeElement(C.In, In.at(I), E, S.X[E][I]);
        for (unsigned L = 0; L < MaxLanes; ++L)
          writeElement(C.In, DIn.at(I, L), E, IsForward ? S.V[L][E][I] : 0);
      }
    for (unsigned E = 0; E < numberInfo(C.Out).Elements; ++E)
      for (unsigned L = 0; L < MaxLanes; ++L)
        writeElement(C.Out, DOut.at(0, L), E, IsForward ? 0 : S.W[L][E]);
  }

  std::string checkSample(const Sample &S, unsigned Width) {
    Buffer In, Out, Tangent, OutTangent, Adjoint, OutAdjoint;
    fill(S, true, In, Tangent, OutTangent);
    (Width == 1 ? Forward : Forward4)(In.Bytes, Tangent.Bytes, Out.Bytes, OutTangent.Bytes, S.N);
    fill(S, false, In, Adjoint, OutAdjoint);
    (Width == 1 ? Reverse : Reverse4)(In.Bytes, Adjoint.Bytes, Out.Bytes, OutAdjoint.Bytes, S.N);

    const double Epsilon = std::max(numberInfo(C.In).Epsilon, numberInfo(C.Out).Epsilon);
    // Rounding of a few operations, and no better than the differences.
    const Wide Tolerance = std::max<Wide>((Epsilon > 1e-4 ? 12 : 32) * Epsilon, 4e-12L);
    for (unsigned L = 0; L < Width; ++L) {
      Wide Left = 0, Right = 0, Scale = 0;
      for (unsigned E = 0; E < numberInfo(C.In).Elements; ++E) {
        Wide Expected = 0, Size = 0;
        for (unsigned I = 0; I < Operands.size(); ++I) {
          for (auto [From, End] = group(E); From < End; ++From) {
            Expected += S.Slope[E][From][I] * S.V[L][From][I];
            Size += std::max<Wide>(std::fabs(S.Slope[E][From][I]), 1) * std::fabs(S.V[L][From][I]);
          }
          Right += readElement(C.In, Adjoint.at(I, L), E) * S.V[L][E][I];
        }
        Wide Got = readElement(C.Out, OutTangent.at(0, L), E);
        if (!(std::fabs(Got - Expected) <= Tolerance * Size))
          return describe("forward", S, Width, L, E, Got, Expected);
        Left += Got * S.W[L][E];
        Scale += Size * std::fabs(S.W[L][E]);
      }
      if (!(std::fabs(Left - Right) <= Tolerance * Scale))
        return describe("reverse (as dot product)", S, Width, L, 0, Right, Left);
    }
    return {};
  }

  std::string describe(StringRef What, const Sample &S, unsigned Width, unsigned Lane, unsigned E,
                       Wide Got, Wide Expected) const {
    std::string Text;
    raw_string_ostream OS(Text);
    OS << What << ", width " << Width << ", lane " << Lane << ", element " << E << ": got "
       << format("%.17g", double(Got)) << ", expected " << format("%.17g", double(Expected))
       << " at (";
    for (unsigned I = 0; I < Operands.size(); ++I)
      OS << (I ? ", " : "") << format("%.9g", double(S.X[E][I]));
    OS << "), n = " << S.N;
    return Text;
  }

  /// A zero derivative in gives a zero derivative out, whatever the operands.
  std::string checkZeros() {
    constexpr double Values[] = {0, -0.0, 1, -1, 0.5, 2, -3};
    constexpr unsigned Count = std::size(Values);
    unsigned Combinations = 1;
    for (unsigned I = 0; I < Operands.size(); ++I)
      Combinations *= Count;
    for (int N : integersFor(C.Id))
      for (unsigned Combination = 0; Combination < Combinations; ++Combination) {
        Sample S;
        S.N = N;
        for (unsigned E = 0; E < 4; ++E)
          for (unsigned I = 0, Rest = Combination; I < Operands.size(); ++I, Rest /= Count)
            S.X[E][I] = Values[Rest % Count];
        Buffer In, Out, DIn, DOut;
        fill(S, true, In, DIn, DOut);
        Forward(In.Bytes, DIn.Bytes, Out.Bytes, DOut.Bytes, N);
        for (unsigned E = 0; E < numberInfo(C.Out).Elements; ++E)
          if (Wide Got = readElement(C.Out, DOut.at(0), E); Got != 0)
            return describe("forward of zero", S, 1, 0, E, Got, 0);
        fill(S, false, In, DIn, DOut);
        Reverse(In.Bytes, DIn.Bytes, Out.Bytes, DOut.Bytes, N);
        for (unsigned E = 0; E < numberInfo(C.In).Elements; ++E)
          for (unsigned I = 0; I < Operands.size(); ++I)
            if (Wide Got = readElement(C.In, DIn.at(I), E); Got != 0)
              return describe("reverse of zero", S, 1, 0, E, Got, 0);
      }
    return {};
  }

  const Case &C;
  Program &P;
  std::vector<unsigned> Operands;
  Primal Reference = nullptr;
  Derivative Forward = nullptr, Reverse = nullptr, Forward4 = nullptr, Reverse4 = nullptr;
};

struct Tally {
  unsigned Checked = 0, Failed = 0, Rows = 0;
};

void checkOp(Op Id, const Settings &Set, Tally &Total) {
  std::vector<Case> Cases = casesOf(Id, hasSymbol, Set.How == Maker::Pipeline);
  if (Set.List) {
    for (const Case &C : Cases)
      outs() << C.label() << '\n';
    return;
  }
  ++Total.Rows;
  if (Cases.empty() || referenceIR(Id, hasSymbol).empty()) {
    outs() << opInfo(Id).Id << ": this host has no such function\n";
    return;
  }
  unsigned Failed = 0;
  auto Fail = [&](const Twine &Text) {
    if (!Failed++)
      outs() << "FAILED\n";
    outs() << "  " << Text << '\n';
  };
  outs() << left_justify(opInfo(Id).Id, 16) << right_justify(std::to_string(Cases.size()), 3)
         << " cases ... ";
  outs().flush();
  Expected<Program> P = Program::compile(Id, Cases, Set.How, Set.Print);
  if (!P) {
    Fail(toString(P.takeError()));
    Failed = Cases.size();
  } else {
    for (const Case &C : Cases) {
      std::string Text = RowChecker(C, *P).check();
      if (!Text.empty())
        Fail(C.label() + ": " + Text);
      else if (Set.Verbose)
        outs() << "\n  " << C.label() << " ok";
    }
  }
  if (!Failed)
    outs() << "ok\n";
  Total.Checked += Cases.size();
  Total.Failed += Failed;
}

int usage() {
  outs() << "usage: rule-check [--list] [--filter=NAME] [--direct] [--print] [--verbose]\n"
            "  --list         names the cases and stops\n"
            "  --filter=NAME  only operations whose id or libm name is NAME\n"
            "  --direct       by the rule interpreter alone, without the pipeline\n"
            "  --print        prints the derivative code\n"
            "  --verbose      names every case that passes\n";
  return 2;
}

bool matches(Op Id, StringRef Filter) {
  return Filter.empty() || Filter == opName(Id) || Filter.equals_insensitive(opInfo(Id).Id);
}

int run(const Settings &Set) {
  Tally Total;
  for (unsigned I = 0; I < NumOps; ++I) {
    Op Id = static_cast<Op>(I);
    // Only Prepare knows how complex numbers are passed.
    if (Set.How == Maker::Direct && isComplexOp(Id))
      continue;
    if (opInfo(Id).K != OpInfo::RuleOnly && ruleOf(Id) && matches(Id, Set.Filter))
      checkOp(Id, Set, Total);
  }
  if (Set.List)
    return 0;
  outs() << "rule-check: " << Total.Rows << " operations, " << Total.Checked << " cases, "
         << Total.Failed << " failed\n";
  return Total.Failed || !Total.Checked;
}

} // namespace

} // namespace rulecheck

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  InitializeNativeTarget();
  // The program itself, with the C library: what hasSymbol looks at.
  sys::DynamicLibrary::LoadLibraryPermanently(nullptr);
  InitializeNativeTargetAsmPrinter();
  rulecheck::Settings Set;
  for (int I = 1; I < Argc; ++I) {
    StringRef Arg = Argv[I];
    if (Arg == "--list")
      Set.List = true;
    else if (Arg == "--direct")
      Set.How = rulecheck::Maker::Direct;
    else if (Arg == "--print")
      Set.Print = true;
    else if (Arg == "--verbose")
      Set.Verbose = true;
    else if (Arg.consume_front("--filter="))
      Set.Filter = Arg.str();
    else
      return rulecheck::usage();
  }
  return rulecheck::run(Set);
}
