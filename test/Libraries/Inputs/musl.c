#define hidden
double m_exp(double), m_log(double), m_pow(double, double), m_sin(double), m_lgamma_r(double, int *), m_erf(double),
    m_cbrt(double), m_atan2(double, double), m_j0(double), m_tanh(double), m_tgamma(double);

double exponential(const double *x) { return m_exp(x[0]); }
double logarithm(const double *x) { return m_log(x[0]); }
double power(const double *x) { return m_pow(x[0], x[1]); }
double sine(const double *x) { return m_sin(x[0]); }
double error_function(const double *x) { return m_erf(x[0]); }
double cube_root(const double *x) { return m_cbrt(x[0]); }
double angle(const double *x) { return m_atan2(x[0], x[1]); }
double bessel(const double *x) { return m_j0(x[0]); }
double tangent(const double *x) { return m_tanh(x[0]); }
double gamma_function(const double *x) { return m_tgamma(x[0]); }

double log_gamma(const double *x) {
  int Sign;
  return m_lgamma_r(x[0], &Sign);
}
