//===- observe.cpp - Writes the file of observations ----------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: observe <file> [steps [every]]. Simulates the outer solar system with
// its true values and writes where the bodies are seen.
//
//===----------------------------------------------------------------------===//
#include "simulator.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  using namespace nbody;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 1200;
  const int every = argc > 3 ? std::atoi(argv[3]) : 30;
  if (argc < 2 || steps <= 0 || every <= 0) {
    std::fprintf(stderr, "usage: observe <file> [steps [every]]\n");
    return 2;
  }
  System system = outerSolarSystem();
  const double before = energy(system);
  const std::vector<Observation> seen = observe(system, steps, every);
  writeObservations(argv[1], seen);
  std::printf("%zu observations over %.1f years written to %s\n", seen.size(),
              steps * TimeStep / 365.25, argv[1]);
  std::printf("the energy changed by %.1e of itself\n", energy(system) / before - 1);
}
