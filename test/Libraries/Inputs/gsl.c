#include <gsl/gsl_cdf.h>
#include <gsl/gsl_chebyshev.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_fft_complex.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_poly.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf.h>
#include <gsl/gsl_spline.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_sum.h>
#include <math.h>

double airy(const double *x) { return gsl_sf_airy_Ai(x[0], GSL_PREC_DOUBLE); }
double hypergeometric(const double *x) { return gsl_sf_hyperg_2F1(0.5, 1.5, 2.5, x[0]); }
double elliptic(const double *x) { return gsl_sf_ellint_F(x[0], x[1], GSL_PREC_DOUBLE); }
double fermi_dirac(const double *x) { return gsl_sf_fermi_dirac_half(x[0]); }
double debye(const double *x) { return gsl_sf_debye_3(x[0]); }
double legendre(const double *x) { return gsl_sf_legendre_Pl(7, x[0]); }
double zeta(const double *x) { return gsl_sf_zeta(x[0]); }
double synchrotron(const double *x) { return gsl_sf_synchrotron_1(x[0]); }

double coulomb(const double *x) {
  gsl_sf_result Value;
  gsl_sf_hydrogenicR_e(3, 1, x[0], x[1], &Value);
  return Value.val;
}

static double bump(double T, void *Data) {
  const double *x = Data;
  return exp(-x[0] * T * T) * cos(x[1] * T);
}

double integral(const double *x) {
  gsl_integration_workspace *Workspace = gsl_integration_workspace_alloc(100);
  gsl_function Function = {bump, (void *)x};
  double Value, Error;
  gsl_integration_qag(&Function, 0, 2, 1e-10, 1e-10, 100, GSL_INTEG_GAUSS21, Workspace, &Value, &Error);
  gsl_integration_workspace_free(Workspace);
  return Value;
}

static double edge(double T, void *Data) {
  const double *x = Data;
  return log(T) * exp(-x[0] * T) + x[1] * T;
}

double singular_integral(const double *x) {
  gsl_integration_workspace *Workspace = gsl_integration_workspace_alloc(200);
  gsl_function Function = {edge, (void *)x};
  double Value, Error;
  gsl_integration_qags(&Function, 0, 1, 0, 1e-9, 200, Workspace, &Value, &Error);
  gsl_integration_workspace_free(Workspace);
  return Value;
}

static int pendulum(double T, const double Y[], double Slope[], void *Data) {
  const double *x = Data;
  Slope[0] = Y[1];
  Slope[1] = -x[1] * sin(Y[0]) - x[2] * Y[1];
  return GSL_SUCCESS;
}

double runge_kutta(const double *x) {
  gsl_odeiv2_system System = {pendulum, NULL, 2, (void *)x};
  gsl_odeiv2_driver *Driver = gsl_odeiv2_driver_alloc_y_new(&System, gsl_odeiv2_step_rk4, 0.01, 1e-6, 0);
  double T = 0, Y[2] = {x[0], 0};
  gsl_odeiv2_driver_apply_fixed_step(Driver, &T, 0.01, 100, Y);
  gsl_odeiv2_driver_free(Driver);
  return Y[0] + Y[1];
}

double adaptive(const double *x) {
  gsl_odeiv2_system System = {pendulum, NULL, 2, (void *)x};
  gsl_odeiv2_driver *Driver = gsl_odeiv2_driver_alloc_y_new(&System, gsl_odeiv2_step_rkf45, 0.01, 1e-11, 0);
  double T = 0, Y[2] = {x[0], 0};
  gsl_odeiv2_driver_apply(Driver, &T, 1, Y);
  gsl_odeiv2_driver_free(Driver);
  return Y[0] + Y[1];
}

static double interpolated(const double *x, const gsl_interp_type *Kind) {
  const double At[6] = {0, 1, 2.5, 3, 4.2, 5};
  gsl_interp_accel *Cache = gsl_interp_accel_alloc();
  gsl_spline *Spline = gsl_spline_alloc(Kind, 6);
  gsl_spline_init(Spline, At, x, 6);
  double Value = gsl_spline_eval(Spline, 1.7, Cache) * gsl_spline_eval(Spline, 4.5, Cache);
  gsl_spline_free(Spline);
  gsl_interp_accel_free(Cache);
  return Value;
}

double spline(const double *x) { return interpolated(x, gsl_interp_cspline); }
double akima(const double *x) { return interpolated(x, gsl_interp_akima); }

static gsl_matrix *matrix_of(const double *x) {
  gsl_matrix *Matrix = gsl_matrix_alloc(3, 3);
  for (int I = 0; I < 3; ++I)
    for (int J = 0; J < 3; ++J)
      gsl_matrix_set(Matrix, I, J, x[3 * I + J]);
  return Matrix;
}

static gsl_matrix *symmetric(const double *x) {
  gsl_matrix *Matrix = gsl_matrix_alloc(3, 3);
  for (int I = 0; I < 3; ++I)
    for (int J = 0; J < 3; ++J)
      gsl_matrix_set(Matrix, I, J, (x[3 * I + J] + x[3 * J + I]) / 2);
  return Matrix;
}

static double weighted(const gsl_vector *Vector) {
  double Sum = 0;
  for (int I = 0; I < 3; ++I)
    Sum += (I + 1) * gsl_vector_get(Vector, I);
  return Sum;
}

double lu(const double *x) {
  gsl_matrix *Matrix = matrix_of(x);
  gsl_permutation *Permutation = gsl_permutation_alloc(3);
  gsl_vector *Right = gsl_vector_alloc(3), *Solution = gsl_vector_alloc(3);
  gsl_vector_set_all(Right, 1);
  int Sign;
  gsl_linalg_LU_decomp(Matrix, Permutation, &Sign);
  gsl_linalg_LU_solve(Matrix, Permutation, Right, Solution);
  double Value = weighted(Solution) + gsl_linalg_LU_det(Matrix, Sign);
  gsl_matrix_free(Matrix);
  gsl_permutation_free(Permutation);
  gsl_vector_free(Right);
  gsl_vector_free(Solution);
  return Value;
}

double cholesky(const double *x) {
  gsl_matrix *Matrix = symmetric(x);
  gsl_vector *Solution = gsl_vector_alloc(3);
  gsl_vector_set_all(Solution, 1);
  gsl_linalg_cholesky_decomp1(Matrix);
  gsl_linalg_cholesky_svx(Matrix, Solution);
  double Value = weighted(Solution);
  gsl_matrix_free(Matrix);
  gsl_vector_free(Solution);
  return Value;
}

double qr(const double *x) {
  gsl_matrix *Matrix = matrix_of(x);
  gsl_vector *Factors = gsl_vector_alloc(3), *Solution = gsl_vector_alloc(3);
  gsl_vector_set_all(Solution, 1);
  gsl_linalg_QR_decomp(Matrix, Factors);
  gsl_linalg_QR_svx(Matrix, Factors, Solution);
  double Value = weighted(Solution);
  gsl_matrix_free(Matrix);
  gsl_vector_free(Factors);
  gsl_vector_free(Solution);
  return Value;
}

double singular_values(const double *x) {
  gsl_matrix *Matrix = matrix_of(x), *V = gsl_matrix_alloc(3, 3);
  gsl_vector *Values = gsl_vector_alloc(3), *Work = gsl_vector_alloc(3);
  gsl_linalg_SV_decomp(Matrix, V, Values, Work);
  double Value = weighted(Values);
  gsl_matrix_free(Matrix);
  gsl_matrix_free(V);
  gsl_vector_free(Values);
  gsl_vector_free(Work);
  return Value;
}

double eigenvalues(const double *x) {
  gsl_matrix *Matrix = symmetric(x);
  gsl_vector *Values = gsl_vector_alloc(3);
  gsl_eigen_symm_workspace *Workspace = gsl_eigen_symm_alloc(3);
  gsl_eigen_symm(Matrix, Values, Workspace);
  double Value = 0;
  for (int I = 0; I < 3; ++I)
    Value += exp(gsl_vector_get(Values, I));
  gsl_eigen_symm_free(Workspace);
  gsl_matrix_free(Matrix);
  gsl_vector_free(Values);
  return Value;
}

double transform(const double *x) {
  double Data[8];
  for (int I = 0; I < 8; ++I)
    Data[I] = x[I];
  gsl_fft_complex_radix2_forward(Data, 1, 4);
  return Data[2] * Data[3] + Data[4] * Data[7];
}

static double level(double T, void *Data) {
  const double *x = Data;
  return T * T * T + x[1] * T - x[0];
}
static double slope(double T, void *Data) { return 3 * T * T + ((const double *)Data)[1]; }
static void both(double T, void *Data, double *Value, double *Slope) {
  *Value = level(T, Data);
  *Slope = slope(T, Data);
}

double newton(const double *x) {
  gsl_function_fdf Function = {level, slope, both, (void *)x};
  gsl_root_fdfsolver *Solver = gsl_root_fdfsolver_alloc(gsl_root_fdfsolver_newton);
  gsl_root_fdfsolver_set(Solver, &Function, 1);
  for (int I = 0; I < 12; ++I)
    gsl_root_fdfsolver_iterate(Solver);
  double Root = gsl_root_fdfsolver_root(Solver);
  gsl_root_fdfsolver_free(Solver);
  return Root;
}

double gamma_distribution(const double *x) { return gsl_cdf_gamma_P(x[0], 2.3, 0.7); }

double cubic(const double *x) {
  double A, B, C;
  gsl_poly_solve_cubic(x[0], x[1], x[2], &A, &B, &C);
  return A + 2 * B + 3 * C;
}

double regression(const double *x) {
  gsl_matrix *Model = gsl_matrix_alloc(5, 2), *Covariance = gsl_matrix_alloc(2, 2);
  gsl_vector *Measured = gsl_vector_alloc(5), *Found = gsl_vector_alloc(2);
  for (int I = 0; I < 5; ++I) {
    gsl_matrix_set(Model, I, 0, 1);
    gsl_matrix_set(Model, I, 1, I);
    gsl_vector_set(Measured, I, x[I]);
  }
  double Mismatch;
  gsl_multifit_linear_workspace *Workspace = gsl_multifit_linear_alloc(5, 2);
  gsl_multifit_linear(Model, Measured, Found, Covariance, &Mismatch, Workspace);
  double Value = gsl_vector_get(Found, 0) * gsl_vector_get(Found, 1) + Mismatch;
  gsl_multifit_linear_free(Workspace);
  gsl_matrix_free(Model);
  gsl_matrix_free(Covariance);
  gsl_vector_free(Measured);
  gsl_vector_free(Found);
  return Value;
}

double chebyshev(const double *x) {
  gsl_cheb_series *Series = gsl_cheb_alloc(20);
  gsl_function Function = {bump, (void *)x};
  gsl_cheb_init(Series, &Function, 0, 1);
  double Value = gsl_cheb_eval(Series, 0.4) + gsl_cheb_eval(Series, 0.9);
  gsl_cheb_free(Series);
  return Value;
}

double skewness(const double *x) { return gsl_stats_skew(x, 1, 5) + gsl_stats_variance(x, 1, 5); }

static double bowl(const gsl_vector *P, void *Data) {
  const double *x = Data;
  double A = gsl_vector_get(P, 0), B = gsl_vector_get(P, 1);
  return (A - x[0]) * (A - x[0]) + x[1] * (B - A) * (B - A) + 0.1 * A * A * A * A;
}
static void bowl_slope(const gsl_vector *P, void *Data, gsl_vector *Slope) {
  const double *x = Data;
  double A = gsl_vector_get(P, 0), B = gsl_vector_get(P, 1);
  gsl_vector_set(Slope, 0, 2 * (A - x[0]) - 2 * x[1] * (B - A) + 0.4 * A * A * A);
  gsl_vector_set(Slope, 1, 2 * x[1] * (B - A));
}
static void bowl_both(const gsl_vector *P, void *Data, double *Value, gsl_vector *Slope) {
  *Value = bowl(P, Data);
  bowl_slope(P, Data, Slope);
}

double conjugate_gradient(const double *x) {
  gsl_multimin_function_fdf Function = {bowl, bowl_slope, bowl_both, 2, (void *)x};
  gsl_vector *Start = gsl_vector_alloc(2);
  gsl_vector_set_all(Start, 0.2);
  gsl_multimin_fdfminimizer *Minimiser = gsl_multimin_fdfminimizer_alloc(gsl_multimin_fdfminimizer_vector_bfgs2, 2);
  gsl_multimin_fdfminimizer_set(Minimiser, &Function, Start, 0.01, 1e-4);
  for (int I = 0; I < 12; ++I)
    if (gsl_multimin_fdfminimizer_iterate(Minimiser) ||
        gsl_multimin_test_gradient(Minimiser->gradient, 1e-9) == GSL_SUCCESS)
      break;
  double Value = gsl_vector_get(Minimiser->x, 0) + 2 * gsl_vector_get(Minimiser->x, 1);
  gsl_multimin_fdfminimizer_free(Minimiser);
  gsl_vector_free(Start);
  return Value;
}

double accelerated_sum(const double *x) {
  double Terms[12], Sum, Error;
  for (int I = 0; I < 12; ++I)
    Terms[I] = pow(x[0], I + 1) / (I + 1);
  gsl_sum_levin_utrunc_workspace *Workspace = gsl_sum_levin_utrunc_alloc(12);
  gsl_sum_levin_utrunc_accel(Terms, 12, Workspace, &Sum, &Error);
  gsl_sum_levin_utrunc_free(Workspace);
  return Sum;
}
