// A stream that is a member of a differentiated object, and one of a local object.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <sstream>
#include <string>
struct Logger {
  std::ostringstream out;
  int lines = 0;
  void say(double v) {
    out << "value " << v << '\n';
    ++lines;
  }
};
struct Model {
  Logger log;
  double scale = 2;
  double value(double x) {
    double r = std::sin(x) * scale;
    log.say(r);
    return r;
  }
};
static double run(Model &m, double x) { return m.value(x); }
static double outer(double x) {
  Model m;
  m.scale = x;
  double r = m.value(x) + m.value(2 * x);
  return r + m.log.lines;
}

int main() {
  Model m, dm;
  dm.scale = 0;
  double x = 0.8;
  double d = __enzyme_autodiff<double>((void *)run, enzyme_dup, &m, &dm, x);
  CHECK("by x", d, std::cos(x) * 2);
  CHECK("by the scale", dm.scale, std::sin(x));
  CHECK("text", double(m.log.out.str() == "value 1.43471\n"), 1);
  CHECK("shadow's text", double(dm.log.out.str().size()), 0);
  d = __enzyme_autodiff<double>((void *)outer, x);
  CHECK_SLOPES("local object", 1, &x, &d, outer(x));
  return finish();
}
