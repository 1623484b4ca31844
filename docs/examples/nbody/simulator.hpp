//===- simulator.hpp - The outer solar system under gravity -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ordinary simulator: bodies that attract each other, moved by the leapfrog
// scheme (kick, drift, kick). Nothing here knows of derivatives.
//
// Units: astronomical units, days, masses of the Sun.
//
//===----------------------------------------------------------------------===//
#ifndef NBODY_SIMULATOR_HPP
#define NBODY_SIMULATOR_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace nbody {

struct Vec3 {
  double x = 0, y = 0, z = 0;

  Vec3 &operator+=(const Vec3 &o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
};

inline Vec3 operator-(const Vec3 &a, const Vec3 &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator*(double s, const Vec3 &a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(const Vec3 &a, const Vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Body {
  double mass;
  Vec3 position;
  Vec3 velocity;
};

enum BodyIndex : std::size_t { Sun, Jupiter, Saturn, Uranus, Neptune, Pluto, BodyCount };

using System = std::array<Body, BodyCount>;
using Forces = std::array<Vec3, BodyCount>;

/// Where all bodies were seen, after so many steps.
struct Observation {
  int step;
  std::array<Vec3, BodyCount> position;
};

/// The constant of gravitation in the units above.
constexpr double G = 2.95912208286e-4;
/// Days per step.
constexpr double TimeStep = 10.0;

/// The acceleration of every body.
inline Forces accelerations(const System &system) {
  Forces result{};
  for (std::size_t i = 0; i < system.size(); ++i)
    for (std::size_t j = i + 1; j < system.size(); ++j) {
      const Vec3 apart = system[j].position - system[i].position;
      const double squared = dot(apart, apart);
      const double pull = G / (squared * std::sqrt(squared));
      result[i] += (pull * system[j].mass) * apart;
      result[j] += (-pull * system[i].mass) * apart;
    }
  return result;
}

inline void kick(System &system, const Forces &forces, double days) {
  for (std::size_t i = 0; i < system.size(); ++i)
    system[i].velocity += days * forces[i];
}

inline void drift(System &system, double days) {
  for (Body &body : system)
    body.position += days * body.velocity;
}

/// One leapfrog step. \p forces belongs to the positions, before and after.
inline void step(System &system, Forces &forces, double days) {
  kick(system, forces, days / 2);
  drift(system, days);
  forces = accelerations(system);
  kick(system, forces, days / 2);
}

/// Kinetic and potential energy; a good simulation keeps it.
double energy(const System &system);
/// The state of the outer solar system on 5 September 1994 (see simulator.cpp).
System outerSolarSystem();
/// Moves \p system and looks at the bodies every \p every steps.
std::vector<Observation> observe(System &system, int steps, int every);

void writeObservations(const std::string &path, const std::vector<Observation> &seen);
/// Stops the program with a message where the file is not what it should be.
std::vector<Observation> readObservations(const std::string &path);

} // namespace nbody

#endif
