// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four objectives as C++ has them, for comparison with those that compare.py writes in the
// operations of frameworks. Sources of the formulas: gmm, lstm and ba of this suite.
#include <cmath>
#include <vector>

// Minus the log-likelihood of n points under a mixture of k Gaussians, but for constants. factors: for each component the
// logarithms of the diagonal of Q, then Q below it, by columns.
double mixture(const double *alphas, const double *means, const double *factors, const double *points, int n, int d,
               int k) {
  const int size = d + d * (d - 1) / 2;
  enum { Block = 40 };
  std::vector<double> diagonal(k * d), logs(k), terms(k * Block), away(d * Block), turned(d * Block), here(d * Block);
  double prior = 0, result = 0, most = alphas[0], sum = 0;
  for (int j = 0; j < k; j++) {
    const double *q = factors + j * size;
    for (int i = 0; i < d; i++) {
      diagonal[j * d + i] = std::exp(q[i]);
      logs[j] += q[i];
      prior += 0.5 * diagonal[j * d + i] * diagonal[j * d + i] - q[i];
    }
    for (int i = d; i < size; i++)
      prior += 0.5 * q[i] * q[i];
  }
  for (int first = 0; first < n; first += Block) {
    const int count = n - first < Block ? n - first : Block;
    for (int i = 0; i < d; i++)
      for (int p = 0; p < count; p++)
        here[i * Block + p] = points[(first + p) * d + i];
    double highest[Block], total[Block], square[Block];
    for (int p = 0; p < count; p++)
      highest[p] = -INFINITY, total[p] = 0;
    for (int j = 0; j < k; j++) {
      for (int i = 0; i < d; i++) {
        const double mean = means[j * d + i], scale = diagonal[j * d + i];
        for (int p = 0; p < count; p++) {
          away[i * Block + p] = here[i * Block + p] - mean;
          turned[i * Block + p] = scale * away[i * Block + p];
        }
      }
      const double *below = factors + j * size + d;
      for (int column = 0; column < d; column++)
        for (int row = column + 1; row < d; row++) {
          const double q = *below++;
          for (int p = 0; p < count; p++)
            turned[row * Block + p] += q * away[column * Block + p];
        }
      for (int p = 0; p < count; p++)
        square[p] = 0;
      for (int i = 0; i < d; i++)
        for (int p = 0; p < count; p++)
          square[p] += turned[i * Block + p] * turned[i * Block + p];
      for (int p = 0; p < count; p++) {
        terms[j * Block + p] = alphas[j] + logs[j] - 0.5 * square[p];
        highest[p] = std::fmax(highest[p], terms[j * Block + p]);
      }
    }
    for (int j = 0; j < k; j++)
      for (int p = 0; p < count; p++)
        total[p] += std::exp(terms[j * Block + p] - highest[p]);
    for (int p = 0; p < count; p++)
      result += highest[p] + std::log(total[p]);
  }
  for (int j = 1; j < k; j++)
    most = std::fmax(most, alphas[j]);
  for (int j = 0; j < k; j++)
    sum += std::exp(alphas[j] - most);
  return result - n * (most + std::log(sum)) + prior;
}

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// The loss of a long short-term memory with diagonal weights, over a sequence of letters as rows of 14 numbers.
double memory(const double *weights, const double *ends, const double *sequence, int layers, int steps) {
  enum { Width = 14 };
  std::vector<double> hidden(layers * Width), cell(layers * Width);
  double out[Width], total = 0;
  for (int t = 0; t + 1 < steps; t++) {
    for (int i = 0; i < Width; i++)
      out[i] = sequence[t * Width + i] * ends[i];
    for (int l = 0; l < layers; l++)
      for (int i = 0; i < Width; i++) {
        const double *w = weights + l * 8 * Width + i;
        double &h = hidden[l * Width + i], &c = cell[l * Width + i];
        const double forget = sigmoid(out[i] * w[0] + w[4 * Width]), show = sigmoid(out[i] * w[2 * Width] + w[6 * Width]);
        c = c * forget + sigmoid(h * w[Width] + w[5 * Width]) * std::tanh(h * w[3 * Width] + w[7 * Width]);
        h = out[i] = show * std::tanh(c);
      }
    double norm = 2;
    for (int i = 0; i < Width; i++)
      norm += std::exp(out[i] * ends[Width + i] + ends[2 * Width + i]);
    for (int i = 0; i < Width; i++)
      total += sequence[(t + 1) * Width + i] * (out[i] * ends[Width + i] + ends[2 * Width + i] - std::log(norm));
  }
  return -total / ((steps - 1) * Width);
}

// Hares and foxes by the classical method of Runge and Kutta, 2,000 steps for each of `cases` sets of four rates; the
// sum of the squares of what is there in the end.
double animals(const double *rates, int cases) {
  double sum = 0;
  for (int i = 0; i < cases; i++) {
    const double *r = rates + 4 * i;
    const double h = 0.01;
    double a = 3, b = 1;
    for (int step = 0; step < 2000; step++) {
      const double a1 = r[0] * a - r[1] * a * b, b1 = r[3] * a * b - r[2] * b;
      const double x2 = a + h / 2 * a1, y2 = b + h / 2 * b1;
      const double a2 = r[0] * x2 - r[1] * x2 * y2, b2 = r[3] * x2 * y2 - r[2] * y2;
      const double x3 = a + h / 2 * a2, y3 = b + h / 2 * b2;
      const double a3 = r[0] * x3 - r[1] * x3 * y3, b3 = r[3] * x3 * y3 - r[2] * y3;
      const double x4 = a + h * a3, y4 = b + h * b3;
      const double a4 = r[0] * x4 - r[1] * x4 * y4, b4 = r[3] * x4 * y4 - r[2] * y4;
      a += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
      b += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);
    }
    sum += a * a + b * b;
  }
  return sum;
}

// Half the sum of the squares of the reprojection errors of a bundle adjustment. A camera is a rotation vector, a centre, a
// focal length, a principal point and two coefficients of distortion; which[i]: camera and point of observation i.
double bundle(const double *cameras, const double *points, const int *which, const double *seen, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    const double *c = cameras + 11 * which[2 * i], *p = points + 3 * which[2 * i + 1];
    const double x[3] = {p[0] - c[3], p[1] - c[4], p[2] - c[5]};
    const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2], angle = std::sqrt(square);
    const double cosine = std::cos(angle), sine = std::sin(angle) / angle;
    const double along = (1 - cosine) / square * (c[0] * x[0] + c[1] * x[1] + c[2] * x[2]);
    const double a = cosine * x[0] + sine * (c[1] * x[2] - c[2] * x[1]) + along * c[0];
    const double b = cosine * x[1] + sine * (c[2] * x[0] - c[0] * x[2]) + along * c[1];
    const double z = cosine * x[2] + sine * (c[0] * x[1] - c[1] * x[0]) + along * c[2];
    const double u = a / z, v = b / z, radius = u * u + v * v;
    const double bent = c[6] * (1 + radius * (c[9] + radius * c[10]));
    const double du = u * bent + c[7] - seen[2 * i], dv = v * bent + c[8] - seen[2 * i + 1];
    sum += 0.5 * (du * du + dv * dv);
  }
  return sum;
}
