#include <muParser.h>

double formula(const double *x) {
  double A = x[0], B = x[1];
  mu::Parser Parser;
  Parser.DefineVar("a", &A);
  Parser.DefineVar("b", &B);
  Parser.SetExpr("a*sin(b) + exp(-a^2) / (1 + b)");
  return Parser.Eval();
}
