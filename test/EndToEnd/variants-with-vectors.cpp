// Variants of which one alternative holds a vector, in a vector that grows. The optimiser stores numbers that it has
// read before as addresses, on ways that are taken only where the variant holds the vector. At -O0, variants that are
// copied out of line are an error: IZ203.
// UNSUPPORTED: memcheck
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O1,-O2/-Os,-O3 --keep plan --flag=-std=c++20 %s
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-Os --keep plan --flag=-std=c++20 --flag=-fno-strict-aliasing %s
#include "check.h"
#include <type_traits>
#include <variant>
#include <vector>

namespace {

struct Circle {
  double radius;
};
struct Rectangle {
  double width, height;
};
struct Polynomial {
  std::vector<double> coefficients;
};
using Shape = std::variant<Circle, Rectangle, Polynomial>;

double weight(const Shape &shape) {
  return std::visit(
      [](const auto &one) -> double {
        using One = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<One, Circle>)
          return 3.1 * one.radius * one.radius;
        else if constexpr (std::is_same_v<One, Rectangle>)
          return one.width * one.height;
        double product = 1;
        if constexpr (std::is_same_v<One, Polynomial>)
          for (double c : one.coefficients)
            product *= c + 0.5;
        return product;
      },
      shape);
}

double shapes(const double *in, int n) {
  std::vector<Shape> all;
  for (int i = 0; i < n; i++)
    switch (i % 3) {
    case 0:
      all.push_back(Circle{in[i]});
      break;
    case 1:
      all.push_back(Rectangle{in[i], in[i - 1]});
      break;
    default:
      all.push_back(Polynomial{{in, in + i}});
    }
  double sum = 0;
  for (const Shape &shape : all)
    sum += weight(shape);
  return sum;
}

} // namespace

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, shapes, 6, x, t, 6);
  return finish();
}
