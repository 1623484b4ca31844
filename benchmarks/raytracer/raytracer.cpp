//===- raytracer.cpp - A picture of spheres -------------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ray for each pixel, the nearest sphere that it meets, and light that it reflects: diffuse
// and in highlights. The result is how far the picture is from a given one; variables are
// place, radius and brightness of each sphere.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

enum { Place = 0, Radius = 3, Brightness = 4, Numbers = 5 };
constexpr double Light[3] = {0.48, 0.6, -0.64}, Gloss = 0.3, Ambient = 0.1;

class RayTracer {
public:
  static constexpr const char *Name = "raytracer";
  static constexpr Size Sizes[] = {{"6x6-3", 6, 3}, {"64x64-20", 64, 20}, {"256x256-20", 256, 20}};

  explicit RayTracer(const Size &size)
      : side(size.a), spheres(size.b), x(numbers(Numbers * spheres, 1, -1, 1)),
        seen(numbers(side * side, 2, 0, 1)) {
    for (int s = 0; s < spheres; s++) {
      x[Numbers * s + 2] += 4;
      x[Numbers * s + Radius] = 0.3 + 0.2 * (1 + x[Numbers * s + Radius]);
      x[Numbers * s + Brightness] = 0.8 + 0.1 * x[Numbers * s + Brightness];
    }
  }

  template <typename Real> Real value(const Real *at) const {
    using std::sqrt;
    Real sum = 0.0;
    for (int pixel = 0; pixel < side * side; pixel++) {
      double ray[3];
      direction(pixel, ray);
      Real nearest = 1e300, colour = Ambient;
      int hit = -1;
      for (int s = 0; s < spheres; s++) {
        const Real *o = at + Numbers * s;
        const Real along = ray[0] * o[0] + ray[1] * o[1] + ray[2] * o[2];
        const Real inside =
            along * along - (o[0] * o[0] + o[1] * o[1] + o[2] * o[2]) + o[Radius] * o[Radius];
        if (inside > 0.0) {
          const Real distance = along - sqrt(inside);
          if (distance > 0.0 && distance < nearest) {
            nearest = distance;
            hit = s;
          }
        }
      }
      if (hit >= 0)
        colour = shade(at + Numbers * hit, ray, nearest);
      sum += (colour - seen[pixel]) * (colour - seen[pixel]);
    }
    return sum;
  }

  void byHand(const double *at, double *g) const {
    for (int pixel = 0; pixel < side * side; pixel++) {
      double ray[3], nearest = 1e300;
      direction(pixel, ray);
      int hit = -1;
      for (int s = 0; s < spheres; s++) {
        const double *o = at + Numbers * s;
        const double along = ray[0] * o[0] + ray[1] * o[1] + ray[2] * o[2];
        const double inside =
            along * along - (o[0] * o[0] + o[1] * o[1] + o[2] * o[2]) + o[Radius] * o[Radius];
        if (inside <= 0)
          continue;
        const double distance = along - std::sqrt(inside);
        if (distance > 0 && distance < nearest) {
          nearest = distance;
          hit = s;
        }
      }
      if (hit >= 0)
        shadeBack(at + Numbers * hit, ray, nearest, seen[pixel], g + Numbers * hit);
    }
  }

private:
  void direction(int pixel, double *ray) const {
    const double u = (pixel % side + 0.5) / side - 0.5, v = (pixel / side + 0.5) / side - 0.5;
    const double length = std::sqrt(u * u + v * v + 1);
    ray[0] = u / length, ray[1] = v / length, ray[2] = 1 / length;
  }

  /// What the light and the mirrored light leave: (n l) and (r l)^4, where they are positive.
  template <typename Real>
  static Real shade(const Real *o, const double *ray, const Real &distance) {
    Real facing = 0.0, towards = 0.0;
    const double straight = ray[0] * Light[0] + ray[1] * Light[1] + ray[2] * Light[2];
    for (int i = 0; i < 3; i++) {
      const Real normal = (distance * ray[i] - o[i]) / o[Radius];
      facing += normal * Light[i];
      towards += normal * ray[i];
    }
    Real colour = Ambient;
    if (facing > 0.0)
      colour += o[Brightness] * facing;
    const Real mirrored = straight - 2.0 * towards * facing;
    if (mirrored > 0.0)
      colour += Gloss * (mirrored * mirrored) * (mirrored * mirrored);
    return colour;
  }

  static void shadeBack(const double *o, const double *ray, double distance, double seen,
                        double *d) {
    double facing = 0, towards = 0, along = 0, normal[3];
    const double straight = ray[0] * Light[0] + ray[1] * Light[1] + ray[2] * Light[2];
    for (int i = 0; i < 3; i++) {
      normal[i] = (distance * ray[i] - o[i]) / o[Radius];
      facing += normal[i] * Light[i];
      towards += normal[i] * ray[i];
      along += ray[i] * o[i];
    }
    const double mirrored = straight - 2 * towards * facing, lit = facing > 0 ? facing : 0,
                 gleam = mirrored > 0 ? mirrored * mirrored * mirrored : 0;
    const double colour = Ambient + o[Brightness] * lit + Gloss * gleam * mirrored;
    const double by = 2 * (colour - seen), byMirrored = 4 * by * Gloss * gleam;
    d[Brightness] += by * lit;
    const double byFacing = (facing > 0 ? by * o[Brightness] : 0) - 2 * byMirrored * towards;
    const double byTowards = -2 * byMirrored * facing, over = 1 / o[Radius];
    double byDistance = 0;
    for (int i = 0; i < 3; i++) {
      const double byNormal = (byFacing * Light[i] + byTowards * ray[i]) * over;
      d[i] -= byNormal;
      d[Radius] -= byNormal * normal[i];
      byDistance += byNormal * ray[i];
    }
    // distance = along - root, root^2 = along^2 - |o|^2 + radius^2
    const double root = along - distance, byInside = -0.5 * byDistance / root;
    for (int i = 0; i < 3; i++)
      d[i] += byDistance * ray[i] + 2 * byInside * (along * ray[i] - o[i]);
    d[Radius] += 2 * byInside * o[Radius];
  }

  const int side, spheres;

public:
  std::vector<double> x;

private:
  const std::vector<double> seen;
};

} // namespace

int main(int count, char **arguments) { return serve<RayTracer>(count, arguments); }
