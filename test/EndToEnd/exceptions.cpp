// Exceptions that are caught inside what is differentiated: the library's, the program's own with differentiated
// data in them, numbers, text and pointers; through virtual calls, std::function and destructors; caught by a base,
// passed on, thrown again, thrown out of the derivative.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin --levels=-O0/-O2,-O1/-O3 --flag=-std=c++20 %s
#include "check.h"
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

struct Singular : std::runtime_error {
  double pivot;
  explicit Singular(double pivot) : std::runtime_error("singular"), pivot(pivot) {}
};
struct Failure {
  double value;
  int code;
};

static double __attribute__((noinline)) root(double x) {
  if (x < 0)
    throw std::domain_error("negative");
  return sqrt(x);
}
static double guarded(const double *in, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    try {
      sum += root(in[i] - 0.6) * in[i];
    } catch (const std::exception &) {
      sum += 3 * in[i] * in[i];
    }
  return sum;
}

// What was done before the exception counts.
static double __attribute__((noinline)) iterate(double x, int n, double *state) {
  double r = x;
  for (int i = 0; i < n; i++) {
    r = r * r + 0.5 * x;
    *state += r * i;
    if (r > 2)
      throw Failure{r * sin(x), i};
  }
  return r;
}
static double payload(const double *in, int n) {
  double sum = 0, state = 1;
  for (int i = 0; i < n; i++)
    try {
      sum += iterate(in[i], 6, &state) * state;
    } catch (const Failure &failure) {
      sum += failure.value * (failure.code + 1);
    }
  return sum + state;
}
static double several(const double *in, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    try {
      if (i % 4 == 1)
        throw in[i] * in[0];
      if (i % 4 == 2)
        throw i;
      if (i % 4 == 3)
        throw "text";
      sum += in[i];
    } catch (double value) {
      sum += exp(value);
    } catch (int number) {
      sum += number * in[i] * in[i];
    } catch (const char *text) {
      sum += text[0] == 't' ? cos(in[i]) : 1;
    }
  return sum;
}

static double __attribute__((noinline)) factor(std::vector<double> a, int n) {
  double product = 1;
  for (int i = 0; i < n; i++) {
    if (a[i] < 0.3)
      throw Singular(a[i]);
    product *= a[i];
    for (int j = i + 1; j < n; j++)
      a[j] -= 0.1 * a[i] * a[j];
  }
  return product;
}
static double unwound(const double *in, int n) {
  double sum = 0;
  std::vector<double> v(in, in + n);
  for (int k = 0; k < 4; k++) {
    try {
      sum += factor(v, n);
    } catch (const Singular &error) {
      sum += 7 * error.pivot * v[0];
    }
    for (double &x : v)
      x *= 0.8;
  }
  return sum;
}

struct Law {
  virtual ~Law() = default;
  virtual double at(double x) const = 0;
};
struct Steep : Law {
  double at(double x) const override {
    if (x > 1.6)
      throw Singular(x * x);
    return exp(x);
  }
};
struct Flat : Law {
  double at(double x) const override {
    if (x > 2)
      throw std::overflow_error("big");
    return x;
  }
};
static double virtuals(const double *in, int n) {
  std::vector<std::unique_ptr<Law>> laws;
  laws.push_back(std::make_unique<Steep>());
  laws.push_back(std::make_unique<Flat>());
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (auto &law : laws)
      try {
        sum += law->at(in[i] * 2);
      } catch (const Singular &error) {
        sum += sqrt(error.pivot) * in[i];
      } catch (const std::exception &) {
        sum += 0.5 * in[i] * in[i];
      }
  return sum;
}
static double called(const double *in, int n) {
  std::function<double(double)> f = [](double x) {
    if (x > 0.7)
      throw std::invalid_argument("x");
    return x * x;
  };
  double sum = 0;
  for (int i = 0; i < n; i++)
    try {
      sum += f(in[i]);
    } catch (std::invalid_argument &) {
      sum += log(in[i]);
    }
  return sum;
}
// The library's own: vector::at, optional::value, std::get, std::stod.
static double library(const double *in, int n) {
  double sum = 0;
  std::vector<double> v(in, in + n);
  const char *texts[] = {"1.5", "none"};
  for (int i = 0; i < n; i++) {
    std::optional<double> o;
    std::variant<int, double> w;
    if (in[i] > 0.6)
      o = in[i] * in[i];
    else
      w = in[i];
    try {
      sum += o.value();
    } catch (const std::bad_optional_access &) {
      sum += cos(in[i]);
    }
    try {
      sum += std::get<double>(w) * 3;
    } catch (const std::bad_variant_access &) {
      sum -= in[i];
    }
    try {
      sum += v.at(2 * i) * std::stod(texts[i % 2]);
    } catch (const std::out_of_range &) {
      sum += sin(v[i]);
    } catch (const std::invalid_argument &) {
      sum += v[i] * v[i];
    }
  }
  return sum;
}

struct OnTheWayOut {
  double *total, x;
  ~OnTheWayOut() { *total += x * x; }
};
static double __attribute__((noinline)) work(double *total, double x) {
  OnTheWayOut guard{total, x};
  *total *= 2;
  if (x > 0.7)
    throw 5;
  return x * *total;
}
static double destructors(const double *in, int n) {
  double total = 0.5, sum = 0;
  for (int i = 0; i < n; i++)
    try {
      sum += work(&total, in[i]);
    } catch (int number) {
      sum += number * total;
    }
  return sum + total;
}
static double wholeBody(const double *in, int n) try {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += in[i] * in[i] * in[i];
    if (sum > 1)
      throw sum;
  }
  return sum;
} catch (double sum) {
  return sum * sum;
}
static double again(const double *in, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    try {
      try {
        if (in[i] > 0.5)
          throw Singular(in[i]);
        sum += 2 * in[i];
      } catch (std::runtime_error &) {
        sum += in[i] * in[i];
        if (in[i] > 0.8)
          throw;
      }
    } catch (const Singular &error) {
      sum += exp(error.pivot);
    }
  return sum;
}
static double __attribute__((noinline)) ofOthers(double x) {
  try {
    return root(x - 0.6);
  } catch (std::runtime_error &) { // Not what is thrown.
    return 1000;
  }
}
static double passed(const double *in, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    try {
      sum += ofOthers(in[i]);
    } catch (std::logic_error &) {
      sum += in[i] * in[i] * in[i];
    }
  return sum;
}

// As the function itself, its derivative throws what nobody in it catches.
static double leaves(double x) {
  try {
    return x * root(x);
  } catch (int) {
    return 0;
  }
}
static void checkLeaving() {
  double thrown = 0, slope = 0;
  for (int i = 0; i < 3; i++)
    try {
      slope += __enzyme_autodiff<double>((void *)leaves, i == 1 ? -0.5 : 0.25);
    } catch (const std::domain_error &error) {
      thrown += strlen(error.what());
    }
  CHECK("left", thrown, 8);
  CHECK("left.slope", slope, 2 * 1.5 * sqrt(0.25));
  CHECK("left.pending", std::uncaught_exceptions(), 0);
}

int main() {
  double x[6], t[6];
  fill(x, 6, 3, 0.2, 1.2);
  fill(t, 6, 7, -1, 1);
  CHECK_FUNCTION_WITHIN(1e-4, guarded, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, payload, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, several, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, unwound, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, virtuals, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, called, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, library, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, destructors, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, wholeBody, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, again, 6, x, t, 6);
  CHECK_FUNCTION_WITHIN(1e-4, passed, 6, x, t, 6);
  checkLeaving();
  return finish();
}
