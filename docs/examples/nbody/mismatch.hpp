//===- mismatch.hpp - How far a guess is from what was seen -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain C++ again: runs the simulator with a guess and compares. Nothing here
// knows of derivatives.
//
//===----------------------------------------------------------------------===//
#ifndef NBODY_MISMATCH_HPP
#define NBODY_MISMATCH_HPP

#include "simulator.hpp"

namespace nbody {

/// What is looked for: Jupiter's mass, in thousandths of the Sun's, and its
/// initial velocity, in thousandths of AU per day. (All are near one.)
enum Unknown { JupiterMass, JupiterVx, JupiterVy, JupiterVz, UnknownCount };
constexpr double Scale = 1e-3;

/// Half the sum of squared distances (AU^2) between the bodies as simulated
/// with these unknowns and as observed.
inline double mismatch(const double *unknowns, const System *nominal, const Observation *observed,
                       int count) {
  System system = *nominal;
  Body &jupiter = system[Jupiter];
  jupiter.mass = Scale * unknowns[JupiterMass];
  jupiter.velocity = {Scale * unknowns[JupiterVx], Scale * unknowns[JupiterVy],
                      Scale * unknowns[JupiterVz]};

  double sum = 0;
  Forces forces = accelerations(system);
  int now = 0;
  for (int k = 0; k < count; ++k) {
    for (; now < observed[k].step; ++now)
      step(system, forces, TimeStep);
    for (std::size_t i = 0; i < system.size(); ++i) {
      const Vec3 off = system[i].position - observed[k].position[i];
      sum += 0.5 * dot(off, off);
    }
  }
  return sum;
}

} // namespace nbody

#endif
