//===- ba.cpp - Reprojection errors of a bundle adjustment ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problem of F. Srajer, Z. Kukelova, A. Fitzgibbon, "A Benchmark of Selected Algorithmic
// Differentiation Tools on Some Problems in Computer Vision and Machine Learning" (2018): a
// camera (rotation vector, centre, focal length, principal point, two coefficients of radial
// distortion) sees a point; the error counts by a weight. Measured is the whole sparse
// Jacobian: 2 x 15 numbers for each observation, and the derivative of 1 - w^2 for each weight.
//
//===----------------------------------------------------------------------===//
#include "../harness/harness.h"

namespace {

enum { Camera = 11, Point = 3, Columns = Camera + Point + 1, Block = 2 * Columns };
enum { Rotation = 0, Centre = 3, Focal = 6, Principal = 7, Distortion = 9 };

/// out = x turned by the rotation vector r.
void turn(const double *r, const double *x, double *out) {
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  const double across[3] = {r[1] * x[2] - r[2] * x[1], r[2] * x[0] - r[0] * x[2],
                            r[0] * x[1] - r[1] * x[0]};
  if (square == 0) {
    for (int i = 0; i < 3; i++)
      out[i] = x[i] + across[i];
    return;
  }
  const double angle = std::sqrt(square), c = std::cos(angle), s = std::sin(angle) / angle;
  const double along = (1 - c) / square * (r[0] * x[0] + r[1] * x[1] + r[2] * x[2]);
  for (int i = 0; i < 3; i++)
    out[i] = c * x[i] + s * across[i] + along * r[i];
}

void reprojection(const double *camera, const double *point, const double *weight,
                  const double *seen, double *error) {
  double away[3], turned[3];
  for (int i = 0; i < 3; i++)
    away[i] = point[i] - camera[Centre + i];
  turn(camera + Rotation, away, turned);
  const double x = turned[0] / turned[2], y = turned[1] / turned[2], square = x * x + y * y;
  const double bent = 1 + square * (camera[Distortion] + square * camera[Distortion + 1]);
  error[0] = *weight * (x * bent * camera[Focal] + camera[Principal] - seen[0]);
  error[1] = *weight * (y * bent * camera[Focal] + camera[Principal + 1] - seen[1]);
}

double weightError(double w) { return 1 - w * w; }

/// Two rows of the Jacobian, by the chain rule: derivatives of the image by the turned point,
/// then by what the turned point depends on.
void jacobianByHand(const double *camera, const double *point, double weight, const double *seen,
                    double *rows) {
  const double *r = camera + Rotation;
  double away[3];
  for (int i = 0; i < 3; i++)
    away[i] = point[i] - camera[Centre + i];
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  double c = 1, s = 1, t = 0.5, ds = 0, dt = 0; // c, s, t = cos, sin / angle, (1 - cos) / square
  if (square != 0) {
    const double angle = std::sqrt(square), sine = std::sin(angle);
    c = std::cos(angle);
    s = sine / angle;
    t = (1 - c) / square;
    ds = (c - s) / square; // times r_k: the derivative of s by r_k; that of c is - s r_k
    dt = (s - 2 * t) / square;
  } else {
    t = 0;
  }
  const double across[3] = {r[1] * away[2] - r[2] * away[1], r[2] * away[0] - r[0] * away[2],
                            r[0] * away[1] - r[1] * away[0]};
  const double inner = r[0] * away[0] + r[1] * away[1] + r[2] * away[2];
  double turned[3];
  for (int i = 0; i < 3; i++)
    turned[i] = c * away[i] + s * across[i] + t * inner * r[i];
  // The matrix of the rotation: derivatives by the point.
  double matrix[3][3] = {
      {c + t * r[0] * r[0], t * r[0] * r[1] - s * r[2], t * r[0] * r[2] + s * r[1]},
      {t * r[1] * r[0] + s * r[2], c + t * r[1] * r[1], t * r[1] * r[2] - s * r[0]},
      {t * r[2] * r[0] - s * r[1], t * r[2] * r[1] + s * r[0], c + t * r[2] * r[2]}};
  // The derivatives by the rotation vector: common[i] r_k, and what stands at r itself.
  double common[3];
  for (int i = 0; i < 3; i++)
    common[i] = -(square != 0 ? s : 0) * away[i] + ds * across[i] + dt * inner * r[i];
  double bySpin[3][3] = {{t * inner, s * away[2], -s * away[1]},
                         {-s * away[2], t * inner, s * away[0]},
                         {s * away[1], -s * away[0], t * inner}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      bySpin[i][k] += common[i] * r[k] + t * r[i] * away[k];

  const double over = 1 / turned[2], x = turned[0] * over, y = turned[1] * over;
  const double radius = x * x + y * y, focal = camera[Focal];
  const double bent = 1 + radius * (camera[Distortion] + radius * camera[Distortion + 1]);
  const double dBent = 2 * (camera[Distortion] + 2 * radius * camera[Distortion + 1]);
  const double scale = weight * focal, plane[2] = {x, y};
  const double byPlane[2][2] = {{scale * (bent + dBent * x * x), scale * dBent * x * y},
                                {scale * dBent * x * y, scale * (bent + dBent * y * y)}};
  for (int row = 0; row < 2; row++) {
    double *out = rows + row * Columns;
    const double a = byPlane[row][0] * over, b = byPlane[row][1] * over;
    const double byTurned[3] = {a, b, -(a * x + b * y)};
    for (int k = 0; k < 3; k++) {
      out[Rotation + k] =
          byTurned[0] * bySpin[0][k] + byTurned[1] * bySpin[1][k] + byTurned[2] * bySpin[2][k];
      const double byPoint =
          byTurned[0] * matrix[0][k] + byTurned[1] * matrix[1][k] + byTurned[2] * matrix[2][k];
      out[Centre + k] = -byPoint;
      out[Camera + k] = byPoint;
    }
    out[Focal] = weight * plane[row] * bent;
    out[Principal] = row == 0 ? weight : 0;
    out[Principal + 1] = row == 1 ? weight : 0;
    out[Distortion] = scale * plane[row] * radius;
    out[Distortion + 1] = scale * plane[row] * radius * radius;
    out[Camera + Point] = plane[row] * bent * focal + camera[Principal + row] - seen[row];
  }
}

class Bundle {
public:
  static constexpr const char *Name = "ba";
  static constexpr Size Sizes[] = {{"20", 3, 7, 20}, {"31843", 49, 7776, 31843}};

  explicit Bundle(const Size &size)
      : cameras(size.a), points(size.b), seen(size.c),
        x(numbers(cameras * Camera + points * Point + seen, 1, -0.3, 0.3)),
        features(numbers(2 * seen, 2, -0.5, 0.5)) {
    for (int i = 0; i < cameras; i++) {
      x[i * Camera + Focal] += 1;
      x[i * Camera + Centre + 2] -= 4; // in front of the points
    }
    for (int i = 0; i < seen; i++)
      x[cameras * Camera + points * Point + i] += 1;
  }

  std::size_t entries() const { return std::size_t(seen) * (Block + 1); }

  double evaluate(const double *at) const {
    double sum = 0;
    for (int i = 0; i < seen; i++) {
      double error[2];
      reprojection(camera(at, i), point(at, i), weight(at, i), &features[2 * i], error);
      sum += error[0] + error[1] + weightError(*weight(at, i));
    }
    return sum;
  }

  /// Two rows in one sweep where the plugin can do that.
  void derive(double *g) const {
    for (int i = 0; i < seen; i++) {
      const double *at = x.data();
      double *rows = g + i * Block, *next = rows + Columns;
      double error[2], first[2] = {1, 0}, second[2] = {0, 1};
      __enzyme_autodiff<void>((void *)reprojection, enzyme_width, 2, enzyme_dup, camera(at, i),
                              rows, next, enzyme_dup, point(at, i), rows + Camera, next + Camera,
                              enzyme_dup, weight(at, i), rows + Camera + Point,
                              next + Camera + Point, enzyme_const, &features[2 * i],
                              enzyme_dupnoneed, error, first, second);
      g[std::size_t(seen) * Block + i] =
          __enzyme_autodiff<double>((void *)weightError, *weight(at, i));
    }
  }

  void byHand(const double *at, double *g) const {
    for (int i = 0; i < seen; i++) {
      jacobianByHand(camera(at, i), point(at, i), *weight(at, i), &features[2 * i], g + i * Block);
      g[std::size_t(seen) * Block + i] = -2 * *weight(at, i);
    }
  }

  void byDifferences(double *g) const {
    const double h = 1e-6;
    for (int i = 0; i < seen; i++) {
      double in[Columns], error[2][2];
      std::copy_n(camera(x.data(), i), Camera, in);
      std::copy_n(point(x.data(), i), Point, in + Camera);
      in[Camera + Point] = *weight(x.data(), i);
      for (int k = 0; k < Columns; k++) {
        const double start = in[k];
        for (int side = 0; side < 2; side++) {
          in[k] = side ? start + h : start - h;
          reprojection(in, in + Camera, in + Camera + Point, &features[2 * i], error[side]);
        }
        in[k] = start;
        for (int row = 0; row < 2; row++)
          g[i * Block + row * Columns + k] = (error[1][row] - error[0][row]) / (2 * h);
      }
      const double w = in[Camera + Point];
      g[std::size_t(seen) * Block + i] = (weightError(w + h) - weightError(w - h)) / (2 * h);
    }
  }

private:
  // Each point is seen by a few cameras, in no order.
  template <typename T> T *camera(T *at, int i) const { return at + i * 5 % cameras * Camera; }
  template <typename T> T *point(T *at, int i) const {
    return at + cameras * Camera + i * 3 % points * Point;
  }
  template <typename T> T *weight(T *at, int i) const {
    return at + cameras * Camera + points * Point + i;
  }

  const int cameras, points, seen;

public:
  std::vector<double> x;

private:
  const std::vector<double> features;
};

} // namespace

int main(int count, char **arguments) { return serve<Bundle>(count, arguments); }
