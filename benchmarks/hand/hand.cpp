//===- hand.cpp - Fitting a model of a hand to points ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skeleton with 26 parameters: a rotation vector and a place for the whole, and for each of
// five fingers two angles at its base and one at each of two joints. Vertices of the skin
// follow up to four bones with weights (linear blend skinning). Each observed point is to lie
// at a vertex; the Jacobian of all differences is measured. Tools compute it forward. An angle
// moves one finger only, so one direction has an angle of each finger: a coloring of the columns
// finds ten directions for 26 parameters. By hand: turning a joint moves what hangs on it around
// an axis.
//
//===----------------------------------------------------------------------===//
#include "../../include/isozyme/cxx/coloring.hpp"
#include "../harness/harness.h"

extern "C" int enzyme_dupv;

namespace {

enum { Fingers = 5, FingerBones = 3, Bones = 1 + Fingers * FingerBones, Weights = 4 };
enum { Spin = 0, Place = 3, Angles = 6, FingerAngles = 4, Parameters = 26, Lanes = 10 };

/// A rotation and a translation.
struct Frame {
  double turn[3][3], move[3];
};

struct Model {
  const double *offset;   ///< of each bone from the one that it hangs on
  const double *rest;     ///< where the origin of each bone is when the hand is flat
  const double *vertices; ///< three numbers each
  const double *weights;  ///< Weights each: the palm, then the bones of one finger
  const int *finger;      ///< of each vertex
  const int *seen;        ///< the vertex of each observed point
  const double *observed;
  int vertexCount, pointCount;
};

/// The matrix of the rotation vector r.
void rotation(const double *r, double out[3][3]) {
  const double square = 1e-30 + r[0] * r[0] + r[1] * r[1] + r[2] * r[2], angle = std::sqrt(square);
  const double c = std::cos(angle), s = std::sin(angle) / angle, t = (1 - c) / square;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      out[i][k] = t * r[i] * r[k] + (i == k ? c : 0);
  out[0][1] -= s * r[2], out[0][2] += s * r[1];
  out[1][0] += s * r[2], out[1][2] -= s * r[0];
  out[2][0] -= s * r[1], out[2][1] += s * r[0];
}

/// A bone that hangs at \p offset on \p parent, turned by \p aside around z and then by \p bend
/// around x.
void hang(const Frame &parent, const double *offset, double aside, double bend, Frame &out) {
  const double ca = std::cos(aside), sa = std::sin(aside), cb = std::cos(bend), sb = std::sin(bend);
  const double local[3][3] = {{ca, -sa * cb, sa * sb}, {sa, ca * cb, -ca * sb}, {0, sb, cb}};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      out.turn[i][k] = parent.turn[i][0] * local[0][k] + parent.turn[i][1] * local[1][k] +
                       parent.turn[i][2] * local[2][k];
    out.move[i] = parent.move[i] + parent.turn[i][0] * offset[0] + parent.turn[i][1] * offset[1] +
                  parent.turn[i][2] * offset[2];
  }
}

void pose(const Model *m, const double *theta, Frame *bones) {
  bones[0] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
  for (int f = 0; f < Fingers; f++) {
    const double *angle = theta + Angles + f * FingerAngles;
    const int first = 1 + f * FingerBones;
    hang(bones[0], m->offset + 3 * first, angle[1], angle[0], bones[first]);
    hang(bones[first], m->offset + 3 * (first + 1), 0, angle[2], bones[first + 1]);
    hang(bones[first + 1], m->offset + 3 * (first + 2), 0, angle[3], bones[first + 2]);
  }
}

/// Where a bone moves \p vertex to.
void carry(const Frame &bone, const double *rest, const double *vertex, double *out) {
  const double x = vertex[0] - rest[0], y = vertex[1] - rest[1], z = vertex[2] - rest[2];
  for (int i = 0; i < 3; i++)
    out[i] = bone.turn[i][0] * x + bone.turn[i][1] * y + bone.turn[i][2] * z + bone.move[i];
}

/// skin: work space for all vertices.
void residuals(const Model *m, const double *theta, double *skin, double *out) {
  Frame bones[Bones];
  double turn[3][3];
  pose(m, theta, bones);
  rotation(theta + Spin, turn);
  for (int v = 0; v < m->vertexCount; v++) {
    double sum[3] = {0, 0, 0};
    for (int w = 0; w < Weights; w++) {
      const int bone = w == 0 ? 0 : m->finger[v] * FingerBones + w;
      double moved[3];
      carry(bones[bone], m->rest + 3 * bone, m->vertices + 3 * v, moved);
      for (int i = 0; i < 3; i++)
        sum[i] += m->weights[v * Weights + w] * moved[i];
    }
    for (int i = 0; i < 3; i++)
      skin[3 * v + i] =
          turn[i][0] * sum[0] + turn[i][1] * sum[1] + turn[i][2] * sum[2] + theta[Place + i];
  }
  for (int p = 0; p < m->pointCount; p++)
    for (int i = 0; i < 3; i++)
      out[3 * p + i] = m->observed[3 * p + i] - skin[3 * m->seen[p] + i];
}

/// out += factor * (a cross b)
void addCross(double factor, const double *a, const double *b, double *out) {
  out[0] += factor * (a[1] * b[2] - a[2] * b[1]);
  out[1] += factor * (a[2] * b[0] - a[0] * b[2]);
  out[2] += factor * (a[0] * b[1] - a[1] * b[0]);
}

/// The derivatives of the matrix of the rotation vector r by its numbers.
void rotationDerivatives(const double *r, double out[3][3][3]) {
  const double square = 1e-30 + r[0] * r[0] + r[1] * r[1] + r[2] * r[2], angle = std::sqrt(square);
  const double c = std::cos(angle), s = std::sin(angle) / angle, t = (1 - c) / square;
  const double ds = (c - s) / square, dt = (s - 2 * t) / square; // times r[k]
  for (int k = 0; k < 3; k++) {
    double (*d)[3] = out[k];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        d[i][j] = dt * r[k] * r[i] * r[j] + (i == j ? -s * r[k] : 0) +
                  t * ((i == k) * r[j] + (j == k) * r[i]);
    double by[3];
    for (int i = 0; i < 3; i++)
      by[i] = ds * r[k] * r[i] + (i == k ? s : 0);
    d[0][1] -= by[2], d[0][2] += by[1];
    d[1][0] += by[2], d[1][2] -= by[0];
    d[2][0] -= by[1], d[2][1] += by[0];
  }
}

/// A row of the Jacobian, for each vertex: three numbers by each parameter.
struct VertexRow {
  double by[Parameters][3];
};

class HandTracking {
public:
  static constexpr const char *Name = "hand";
  static constexpr Size Sizes[] = {
      {"v30-p10", 30, 10}, {"v544-p100", 544, 100}, {"v544-p1600", 544, 1600}};

  explicit HandTracking(const Size &size)
      : vertexCount(size.a), pointCount(size.b), x(numbers(Parameters, 1, -0.4, 0.4)),
        vertices(numbers(3 * vertexCount, 2, -1, 1)),
        weights(numbers(Weights * vertexCount, 3, 0.1, 1)),
        observed(numbers(3 * pointCount, 4, -2, 2)), offset(3 * Bones), rest(3 * Bones),
        skin(3 * vertexCount), out(3 * pointCount) {
    for (int v = 0; v < vertexCount; v++) {
      double sum = 0;
      for (int w = 0; w < Weights; w++)
        sum += weights[Weights * v + w];
      for (int w = 0; w < Weights; w++)
        weights[Weights * v + w] /= sum;
      finger.push_back(v % Fingers);
    }
    for (int p = 0; p < pointCount; p++)
      seen.push_back(p * 7 % vertexCount);
    for (int f = 0; f < Fingers; f++)
      for (int b = 0; b < FingerBones; b++) {
        double *o = &offset[3 * (1 + f * FingerBones + b)];
        o[0] = b == 0 ? 0.3 * (f - 2) : 0, o[1] = b == 0 ? 1 : 0.5;
        for (int i = 0; i < 3; i++)
          rest[3 * (1 + f * FingerBones + b) + i] =
              o[i] + (b == 0 ? 0 : rest[3 * (f * FingerBones + b) + i]);
      }
    m = {offset.data(), rest.data(),     vertices.data(), weights.data(), finger.data(),
         seen.data(),   observed.data(), vertexCount,     pointCount};
    compressed.resize(Lanes * out.size());
    findDirections();
  }
  HandTracking(const HandTracking &) = delete;

  /// Where the Jacobian has entries, and the colors of its columns: once for all gradients.
  void findDirections() {
    isozyme::sparsity_pattern pattern;
    pattern.rows = 3 * pointCount, pattern.columns = Parameters;
    for (int row = 0; row < pattern.rows; row++) {
      const int first = Angles + finger[seen[row / 3]] * FingerAngles;
      for (int k = 0; k < Parameters; k++)
        if (k < Angles || (k >= first && k < first + FingerAngles))
          pattern.indices.push_back(k);
      pattern.starts.push_back(int(pattern.indices.size()));
    }
    colors = isozyme::color_columns(pattern);
    byColumn = pattern.transposed();
    if (colors.count != Lanes)
      std::abort();
    for (int color = 0; color < Lanes; color++) {
      const auto found = std::find(colors.of.begin(), colors.of.end(), color);
      const bool more = std::find(found + 1, colors.of.end(), color) != colors.of.end();
      alone[color] = more ? -1 : int(found - colors.of.begin());
    }
  }

  std::size_t entries() const { return std::size_t(Parameters) * 3 * pointCount; }

  double evaluate(const double *theta) const {
    residuals(&m, theta, skin.data(), out.data());
    double sum = 0;
    for (double v : out)
      sum += v;
    return sum;
  }

  /// Columns one after the other. A direction of one column brings it to its place. What others
  /// bring belongs to that of their columns in which the row has an entry; the rest of g is zero.
  void derive(double *g) const {
    const long rows = 3 * pointCount, size = sizeof(double);
    std::vector<double> directions(Lanes * Parameters), dskin(Lanes * skin.size());
    double *to[Lanes];
    for (int color = 0; color < Lanes; color++)
      to[color] = alone[color] < 0 ? &compressed[color * rows] : g + alone[color] * rows;
    for (int k = 0; k < Parameters; k++)
      directions[colors.of[k] * Parameters + k] = 1;
    __enzyme_fwddiff<void>((void *)residuals, enzyme_width, int(Lanes), enzyme_const,
                           static_cast<const void *>(&m), enzyme_dupv, Parameters * size, x.data(),
                           directions.data(), enzyme_dupv, long(skin.size()) * size, skin.data(),
                           dskin.data(), enzyme_dup, out.data(), to[0], to[1], to[2], to[3], to[4],
                           to[5], to[6], to[7], to[8], to[9]);
    for (int k = 0; k < Parameters; k++) {
      const double *from = to[colors.of[k]];
      if (alone[colors.of[k]] < 0)
        for (int e = byColumn.starts[k]; e < byColumn.starts[k + 1]; e++)
          g[k * rows + byColumn.indices[e]] = from[byColumn.indices[e]];
    }
  }

  void byHand(const double *theta, double *g) const {
    Frame bones[Bones];
    double turn[3][3], dturn[3][3][3];
    pose(&m, theta, bones);
    rotation(theta + Spin, turn);
    rotationDerivatives(theta + Spin, dturn);
    std::vector<VertexRow> rowsOfVertices(vertexCount);
    for (int v = 0; v < vertexCount; v++)
      vertexByHand(v, bones, turn, dturn, rowsOfVertices[v]);
    const std::size_t rows = 3 * pointCount;
    for (int k = 0; k < Angles; k++)
      for (int p = 0; p < pointCount; p++)
        for (int i = 0; i < 3; i++)
          g[k * rows + 3 * p + i] = -rowsOfVertices[seen[p]].by[k][i];
    // A point has derivatives by the angles of one finger only; the rest of g is zero.
    for (int p = 0; p < pointCount; p++) {
      const int first = Angles + finger[seen[p]] * FingerAngles;
      for (int k = first; k < first + FingerAngles; k++)
        for (int i = 0; i < 3; i++)
          g[k * rows + 3 * p + i] = -rowsOfVertices[seen[p]].by[k][i];
    }
  }

  void byDifferences(double *g) const {
    const double h = 1e-6;
    std::vector<double> at = x, low(out.size());
    for (int k = 0; k < Parameters; k++) {
      at[k] = x[k] - h;
      residuals(&m, at.data(), skin.data(), low.data());
      at[k] = x[k] + h;
      residuals(&m, at.data(), skin.data(), out.data());
      at[k] = x[k];
      for (std::size_t i = 0; i < out.size(); i++)
        g[k * out.size() + i] = (out[i] - low[i]) / (2 * h);
    }
  }

private:
  void vertexByHand(int v, const Frame *bones, const double turn[3][3], const double dturn[3][3][3],
                    VertexRow &row) const {
    const int first = 1 + finger[v] * FingerBones;
    const double *w = &weights[v * Weights], *vertex = &vertices[3 * v];
    // What hangs on each joint: the weighted places, and the weights.
    double hanging[FingerBones + 1][3] = {}, hangingWeight[FingerBones + 1] = {};
    for (int b = FingerBones; b-- > 0;) {
      double moved[3];
      carry(bones[first + b], &rest[3 * (first + b)], vertex, moved);
      for (int i = 0; i < 3; i++)
        hanging[b][i] = hanging[b + 1][i] + w[1 + b] * moved[i];
      hangingWeight[b] = hangingWeight[b + 1] + w[1 + b];
    }
    double all[3];
    for (int i = 0; i < 3; i++)
      all[i] = hanging[0][i] + w[0] * vertex[i];
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++) {
        row.by[Spin + k][i] =
            dturn[k][i][0] * all[0] + dturn[k][i][1] * all[1] + dturn[k][i][2] * all[2];
        row.by[Place + k][i] = i == k;
      }
    auto joint = [&](int angle, int bone, const double *axis) {
      double away[3], moved[3] = {0, 0, 0};
      for (int i = 0; i < 3; i++)
        away[i] = hanging[bone][i] - hangingWeight[bone] * bones[first + bone].move[i];
      addCross(1, axis, away, moved);
      double *out = row.by[Angles + finger[v] * FingerAngles + angle];
      for (int i = 0; i < 3; i++)
        out[i] = turn[i][0] * moved[0] + turn[i][1] * moved[1] + turn[i][2] * moved[2];
    };
    auto column = [&](int bone, double *axis) { // x axis of a bone: it bends around that
      for (int i = 0; i < 3; i++)
        axis[i] = bones[first + bone].turn[i][0];
    };
    double axis[3];
    column(0, axis), joint(0, 0, axis);
    const double up[3] = {0, 0, 1};
    joint(1, 0, up);
    column(1, axis), joint(2, 1, axis);
    column(2, axis), joint(3, 2, axis);
  }

  const int vertexCount, pointCount;

public:
  std::vector<double> x;

private:
  std::vector<double> vertices, weights, observed, offset, rest;
  mutable std::vector<double> skin, out, compressed;
  isozyme::sparsity_pattern byColumn;
  isozyme::coloring colors;
  int alone[Lanes]; ///< The only column of a color, or -1.
  std::vector<int> finger, seen;
  Model m;
};

} // namespace

int main(int count, char **arguments) { return serve<HandTracking>(count, arguments); }
