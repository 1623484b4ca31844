//===- harness.h - A program of the suite, served to tools/bench -*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is a class P with
//
//   static constexpr const char *Name;
//   static constexpr Size Sizes[];                      the first is small, for checks
//   explicit P(const Size &);
//   std::vector<double> x;                              where it is differentiated
//   template <typename Real> Real value(const Real *x) const;
//   void byHand(const double *x, double *g) const;      fills g, which holds zeros
//
// and main() calls serve<P>(count, arguments). Where one call of a plugin is not the whole
// gradient of value, P has `void derive(double *g) const`; P need not be a template of Real
// then. A P of which a Jacobian is measured has, in place of value,
//
//   double evaluate(const double *x) const;             all results; returns their sum
//   std::size_t entries() const;                        of the Jacobian
//   void derive(double *g) const;
//   void byDifferences(double *g) const;                central differences
//
// Which tool computes what is called `tool` here is decided by the compiler's command line:
// BENCH_PLUGIN, BENCH_ADOLC, BENCH_SACADO, BENCH_CPPAD, or none. With BENCH_COMPILE a program
// is the function, and what the tool makes of it, alone: its compile time is measured.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_BENCHMARKS_HARNESS_HARNESS_H
#define ISOZYME_BENCHMARKS_HARNESS_HARNESS_H

#include "measure.h"
#include "plugin.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

/// Sizes of a problem; what the numbers say is up to the program.
struct Size {
  const char *name;
  int a, b = 0, c = 0;
};

/// What is measured of a program.
enum class Way { Primal, Tool, Hand, Differences, None };

#if defined(BENCH_ADOLC) || defined(BENCH_SACADO) || defined(BENCH_CPPAD)
#include "overloaded.h"
#endif

/// The function that plugins differentiate and that is the primal.
template <typename P> double valueOf(const double *x, const P *program) {
  return program->value(x);
}

template <typename P> class Harness {
public:
  explicit Harness(const Size &size) : program(size), g(entries()) {}

#if defined(BENCH_PLUGIN)
  static constexpr bool HasTool = true;
#elif defined(BENCH_ADOLC) || defined(BENCH_SACADO) || defined(BENCH_CPPAD)
  static constexpr bool HasTool = requires(const P &p, const Overloaded *x) { p.value(x); };
#else
  static constexpr bool HasTool = false;
#endif

  void run(Way way) {
    switch (way) {
    case Way::Primal:
      return use(primal());
    case Way::Tool:
      clear();
      derive();
      return use(g[0]);
    case Way::Hand:
      clear();
      program.byHand(program.x.data(), g.data());
      return use(g[0]);
    case Way::Differences:
      return differences();
    case Way::None:
      return;
    }
  }

  /// The function once, and its gradient where a tool makes one.
  void runAlone() {
    use(primal());
    if constexpr (HasTool) {
      derive();
      use(g[0]);
    }
  }

  /// How many times a run that is measured is contained in a whole gradient: of a gradient by
  /// differences only ten of the variables are moved.
  double share(Way way) const {
    return way == Way::Differences && !Jacobian ? (n() + 1.0) / (moved() + 1.0) : 1;
  }

  const std::vector<double> &result() const { return g; }

  /// How far the gradient by hand is from central differences of the function, along one
  /// direction or, for a Jacobian, everywhere.
  double errorByHand() {
    run(Way::Hand);
    const std::vector<double> byHand = g;
    if constexpr (Jacobian) {
      clear();
      program.byDifferences(g.data());
      return largestError(byHand, g);
    } else {
      return slopeError(byHand);
    }
  }

private:
  static constexpr bool Jacobian = requires(const P &p) { p.entries(); };

  std::size_t n() const { return program.x.size(); }
  std::size_t moved() const { return std::min<std::size_t>(n(), 10); }
  std::size_t entries() const {
    if constexpr (Jacobian)
      return program.entries();
    else
      return n();
  }
  void clear() { std::fill(g.begin(), g.end(), 0.0); }

  __attribute__((noinline)) double primal() const {
    if constexpr (requires { program.evaluate(program.x.data()); })
      return program.evaluate(program.x.data());
    else
      return valueOf(program.x.data(), &program);
  }

  __attribute__((noinline)) void derive() {
#ifdef BENCH_PLUGIN
    if constexpr (requires { program.derive(g.data()); })
      program.derive(g.data());
    else
      __enzyme_autodiff<void>((void *)valueOf<P>, enzyme_dup, program.x.data(), g.data(),
                              enzyme_const, static_cast<const void *>(&program));
#elif defined(BENCH_ADOLC) || defined(BENCH_SACADO) || defined(BENCH_CPPAD)
    if constexpr (HasTool)
      deriveOverloaded(program, program.x, g.data());
#endif
  }

  __attribute__((noinline)) void differences() {
    if constexpr (Jacobian) {
      program.byDifferences(g.data());
    } else {
      const double h = 1e-7, start = primal();
      for (std::size_t i = 0; i < moved(); ++i) {
        const double x = program.x[i];
        program.x[i] = x + h;
        g[i] = (primal() - start) / h;
        program.x[i] = x;
      }
    }
    use(g[0]);
  }

  double slopeError(const std::vector<double> &gradient) {
    const std::vector<double> start = program.x;
    // Of the fourth order, so that the step may be long and rounding does not count.
    const double h = 1e-4, weights[4] = {1, -8, 8, -1}, at[4] = {-2, -1, 1, 2};
    double slope = 0, along = 0, size = 0;
    for (int point = 0; point < 4; ++point) {
      for (std::size_t i = 0; i < n(); ++i)
        program.x[i] = start[i] + at[point] * h * std::sin(i + 1.0);
      slope += weights[point] * primal() / (12 * h);
    }
    program.x = start;
    for (std::size_t i = 0; i < n(); ++i) {
      along += gradient[i] * std::sin(i + 1.0);
      size += std::fabs(gradient[i] * std::sin(i + 1.0));
    }
    return std::fabs(along - slope) / std::max(1e-30, size);
  }

  P program;
  std::vector<double> g;
};

inline Way wayNamed(const std::string &name) {
  return name == "primal"        ? Way::Primal
         : name == "tool"        ? Way::Tool
         : name == "hand"        ? Way::Hand
         : name == "differences" ? Way::Differences
                                 : Way::None;
}

#ifdef BENCH_COMPILE
template <typename P> int serve(int count, char **) {
  Harness<P>(P::Sizes[count - 1]).runAlone();
  return 0;
}
#else
/// Compares, for one size, hand with differences and the tool with hand.
template <typename P> bool check(const Size &size) {
  Harness<P> harness(size);
  const double hand = harness.errorByHand();
  std::printf("%s %s: by hand %.1e from differences", P::Name, size.name, hand);
  bool good = hand < 1e-7;
  if constexpr (Harness<P>::HasTool) {
    harness.run(Way::Hand);
    const std::vector<double> right = harness.result();
    harness.run(Way::Tool);
    const double tool = largestError(harness.result(), right);
    harness.run(Way::Tool); // a second call, on what the first one left
    const double again = largestError(harness.result(), right);
    std::printf(", tool %.1e from the one by hand", std::max(tool, again));
    good &= tool < 1e-9 && again < 1e-9;
  }
  std::printf("%s\n", good ? "" : ": WRONG");
  return good;
}

/// Obeys commands from standard input, a line of output each, until it ends.
template <typename P> int obey(const Size &size) {
  Harness<P> harness(size);
  char command[32], way[32], rest[4096];
  while (std::scanf("%31s %31s %4095s", command, way, rest) == 3) {
    const Way asked = wayNamed(way);
    auto work = [&] { harness.run(asked); };
    if (asked == Way::None || (asked == Way::Tool && !Harness<P>::HasTool)) {
      std::printf("none\n");
    } else if (!std::strcmp(command, "time")) {
      std::printf("%.9e\n", secondsPerCall(work, std::atoi(rest)) * harness.share(asked));
    } else if (!std::strcmp(command, "memory")) {
      std::printf("%.3f\n", memoryOf(work));
    } else if (!std::strcmp(command, "faults")) {
      std::printf("%ld\n", faultsOf(work));
    } else if (!std::strcmp(command, "result")) {
      work();
      const std::vector<double> &g = harness.result();
      std::FILE *file = std::fopen(rest, "wb");
      const bool written =
          file && std::fwrite(g.data(), sizeof(double), g.size(), file) == g.size();
      std::printf("%s\n", written && std::fclose(file) == 0 ? "written" : "none");
    }
    std::fflush(stdout);
  }
  return 0;
}

/// What the programs do:
///   --list                     names of sizes
///   --check [SIZE...]          compare (default: the first size)
///   --serve SIZE               obey
///   --once SIZE CALLS WAY      calls, and nothing else, for tools that count instructions
///   --most-mib LIMIT WAY       fail where a size takes more memory
template <typename P> int serve(int count, char **arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  auto sizeNamed = [](const std::string &name) -> const Size & {
    for (const Size &size : P::Sizes)
      if (name == size.name)
        return size;
    std::fprintf(stderr, "%s: there is no size '%s'\n", P::Name, name.c_str());
    std::exit(2);
  };
  const std::string what = words.empty() ? "--check" : words[0];
  bool good = true;
  if (what == "--list") {
    for (const Size &size : P::Sizes)
      std::printf("%s\n", size.name);
  } else if (what == "--check" && words.size() <= 1) {
    good = check<P>(P::Sizes[0]);
  } else if (what == "--check") {
    for (std::size_t i = 1; i < words.size(); ++i)
      good &= check<P>(sizeNamed(words[i]));
  } else if (what == "--serve" && words.size() == 2) {
    return obey<P>(sizeNamed(words[1]));
  } else if (what == "--once" && words.size() == 4) {
    Harness<P> harness(sizeNamed(words[1]));
    for (int i = std::atoi(words[2].c_str()); i > 0; --i)
      harness.run(wayNamed(words[3]));
  } else if (what == "--most-mib" && words.size() == 3) {
    for (const Size &size : P::Sizes) {
      Harness<P> harness(size);
      const double mib = memoryOf([&] { harness.run(wayNamed(words[2])); });
      std::printf("%s %s: %.1f MiB, may take %s\n", P::Name, size.name, mib, words[1].c_str());
      good &= mib >= 0 && mib <= std::atof(words[1].c_str());
    }
  } else {
    std::fprintf(stderr, "%s: '%s' is not understood\n", P::Name, what.c_str());
    return 2;
  }
  return good ? 0 : 1;
}
#endif

#endif
