//===- simulator.cpp - Data, observation and files ------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "simulator.hpp"

#include <cstdio>
#include <cstdlib>

namespace nbody {

// Source: P. Ahnert, "Kalender fuer Sternfreunde 1994", as tabulated in E. Hairer,
// C. Lubich, G. Wanner, "Geometric Numerical Integration", section I.2.4 (outer
// solar system, heliocentric, 5 September 1994, 0h00). The mass of the Sun
// includes the inner planets.
System outerSolarSystem() {
  return {{
      {1.00000597682, {0, 0, 0}, {0, 0, 0}},
      {0.000954786104043,
       {-3.5023653, -3.8169847, -1.5507963},
       {0.00565429, -0.00412490, -0.00190589}},
      {0.000285583733151,
       {9.0755314, -3.0458353, -1.6483708},
       {0.00168318, 0.00483525, 0.00192462}},
      {0.0000437273164546,
       {8.3101420, -16.2901086, -7.2521278},
       {0.00354178, 0.00137102, 0.00055029}},
      {0.0000517759138449,
       {11.4707666, -25.7294829, -10.8169456},
       {0.00288930, 0.00114527, 0.00039677}},
      {1.0 / 1.3e8, {-15.5387357, -25.2225594, -3.1902382}, {0.00276725, -0.00170702, -0.00136504}},
  }};
}

double energy(const System &system) {
  double sum = 0;
  for (std::size_t i = 0; i < system.size(); ++i) {
    sum += 0.5 * system[i].mass * dot(system[i].velocity, system[i].velocity);
    for (std::size_t j = i + 1; j < system.size(); ++j) {
      const Vec3 apart = system[j].position - system[i].position;
      sum -= G * system[i].mass * system[j].mass / std::sqrt(dot(apart, apart));
    }
  }
  return sum;
}

std::vector<Observation> observe(System &system, int steps, int every) {
  std::vector<Observation> seen;
  Forces forces = accelerations(system);
  for (int now = 1; now <= steps; ++now) {
    step(system, forces, TimeStep);
    if (now % every)
      continue;
    Observation o{now, {}};
    for (std::size_t i = 0; i < system.size(); ++i)
      o.position[i] = system[i].position;
    seen.push_back(o);
  }
  return seen;
}

[[noreturn]] static void stop(const std::string &path, const char *why) {
  std::fprintf(stderr, "%s: %s\n", path.c_str(), why);
  std::exit(2);
}

void writeObservations(const std::string &path, const std::vector<Observation> &seen) {
  std::FILE *file = std::fopen(path.c_str(), "w");
  if (!file)
    stop(path, "cannot be written");
  std::fprintf(file, "# step, then x y z of Sun, Jupiter, Saturn, Uranus, Neptune, Pluto (AU)\n");
  for (const Observation &o : seen) {
    std::fprintf(file, "%d", o.step);
    for (const Vec3 &p : o.position)
      std::fprintf(file, " %.12f %.12f %.12f", p.x, p.y, p.z);
    std::fprintf(file, "\n");
  }
  if (std::fclose(file))
    stop(path, "cannot be written");
}

std::vector<Observation> readObservations(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "r");
  if (!file)
    stop(path, "cannot be read");
  for (int c = std::fgetc(file); c != '\n' && c != EOF;)
    c = std::fgetc(file);
  std::vector<Observation> seen;
  Observation o{};
  while (std::fscanf(file, "%d", &o.step) == 1) {
    for (Vec3 &p : o.position)
      if (std::fscanf(file, "%lf %lf %lf", &p.x, &p.y, &p.z) != 3)
        stop(path, "a row has too few numbers");
    if (o.step <= (seen.empty() ? 0 : seen.back().step))
      stop(path, "steps do not increase");
    seen.push_back(o);
  }
  if (!std::feof(file) || seen.empty())
    stop(path, "not a file of observations");
  std::fclose(file);
  return seen;
}

} // namespace nbody
