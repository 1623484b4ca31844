// Variants that are members of a class, in a vector that grows in functions which call each other: what callers know of
// the padding in an element reaches all of them.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O1,-O2/-O3,-Os --keep plan --flag=-std=c++20 %s
#include "check.h"
#include <variant>
#include <vector>

struct Gain {
  double factor;
};
struct Lag {
  double factor, delay;
};
struct Clip {
  double low, high;
  int times;
};
class Block {
  std::variant<Gain, Lag, Clip> kind;
  double bias;

public:
  Block(std::variant<Gain, Lag, Clip> k, double b) : kind(k), bias(b) {}
  double run(double x) const {
    if (auto *gain = std::get_if<Gain>(&kind))
      return gain->factor * x + bias;
    if (auto *lag = std::get_if<Lag>(&kind))
      return lag->factor * x / (1 + lag->delay * lag->delay) + bias;
    auto &clip = std::get<Clip>(kind);
    return clip.low + (clip.high - clip.low) * sin(x) * clip.times + bias;
  }
};

static double chain(const double *in, int n) {
  std::vector<Block> blocks;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 0)
      blocks.push_back(Block(Gain{in[i]}, in[0]));
    else if (i % 3 == 1)
      blocks.push_back(Block(Lag{in[i], in[1]}, in[2]));
    else
      blocks.emplace_back(Clip{in[i], in[1], i}, in[0]);
  }
  double x = in[0];
  for (const Block &block : blocks)
    x = sin(block.run(x));
  return x;
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, chain, 6, x, t, 6);
  return finish();
}
