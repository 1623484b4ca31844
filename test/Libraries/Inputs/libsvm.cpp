#include <cmath>
#include <svm.h>

namespace {

// Points, and what is measured there.
struct Samples {
  static constexpr int Count = 6;

  explicit Samples(const double *x) {
    for (int I = 0; I < Count; ++I) {
      Nodes[I][0] = {1, std::sin(1.0 * I) + 0.1 * x[I % 3]};
      Nodes[I][1] = {2, std::cos(2.0 * I) + 0.1 * x[(I + 1) % 3]};
      Nodes[I][2] = {-1, 0};
      Rows[I] = Nodes[I];
      Measured[I] = 0.3 * I + 0.05 * x[2] * I * I;
    }
  }

  svm_node Nodes[Count][3], *Rows[Count];
  double Measured[Count];
};

// A regression of the samples at X, read at two coordinates.
double regression(const double *X, double First, double Second) {
  Samples S(X);
  svm_problem Problem{Samples::Count, S.Measured, S.Rows};
  svm_parameter Options{};
  Options.svm_type = EPSILON_SVR;
  Options.kernel_type = RBF;
  Options.gamma = 0.5;
  Options.C = 10;
  Options.p = 0.01;
  Options.eps = 1e-10;
  Options.cache_size = 1;
  svm_set_print_string_function([](const char *) {});
  svm_model *Model = svm_train(&Problem, &Options);
  svm_node At[3] = {{1, First}, {2, Second}, {-1, 0}};
  double Result = svm_predict(Model, At);
  svm_free_and_destroy_model(&Model);
  return Result;
}

} // namespace

// Of the coordinates.
extern "C" double predict(const double *x) {
  const double Known[3] = {0.3, 0.7, 1.2};
  return regression(Known, x[0], x[1] * x[2]);
}

// Of what the machine learns from.
extern "C" double train(const double *x) { return regression(x, 0.3, 0.4); }
