// Numbers that streams read are constants: they replace differentiated ones, and what is not read
// stays as it was.
// RUN: %python %S/run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "check.h"
#include <sstream>
#include <string>
#include <vector>

double streams(const double *x, int n) {
  std::vector<double> p;
  for (int i = 0; i < n; i++)
    p.push_back(x[i]);
  std::istringstream in("2.5 7 0.5 up\nrest of it\n3");
  int count = 0;
  float f = float(x[2]);
  std::string word;
  in >> p[0] >> count >> f >> word;
  std::getline(in, word);
  std::getline(in, word);
  in >> p[1] >> p[2]; // There is no such number: p[2] stays as it is.
  return (p[0] * x[1] + p[1] * x[2] + p[2] * x[3] + f * x[0]) * count * double(word.size());
}

double appended(const double *x, int n) {
  std::stringstream text("1 2 3");
  std::vector<double> numbers{x[0] * x[1]};
  for (double each; text >> each;)
    numbers.push_back(each * x[int(each)]);
  double sum = 0;
  for (double each : numbers)
    sum += each * each;
  return sum;
}

double bytes(const double *x, int n) {
  double p[3] = {x[0] * x[0], x[1], x[2]}, constant[2] = {0.5, 4};
  std::istringstream in(std::string(reinterpret_cast<char *>(constant), sizeof constant));
  in.read(reinterpret_cast<char *>(p), sizeof constant);
  in.read(reinterpret_cast<char *>(p + 2), sizeof *p); // Nothing is left.
  return p[0] * x[1] + p[1] * x[2] + p[2] * x[3];
}

#define TEST(F) CHECK_FUNCTION(F, 5, x, t, 5)

int main() {
  double x[5], t[5];
  fill(x, 5, 93, 0.5, 1.5);
  fill(t, 5, 94, -1, 1);
  TEST(streams);
  TEST(appended);
  TEST(bytes);
  return finish();
}
