#include <array>
#include <boost/math/interpolators/cardinal_cubic_b_spline.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/numeric/odeint.hpp>
#include <cmath>

namespace ode = boost::numeric::odeint;
using State = std::array<double, 2>;

struct Pendulum {
  double Pull, Friction;
  void operator()(const State &Y, State &Slope, double) const {
    Slope[0] = Y[1];
    Slope[1] = -Pull * std::sin(Y[0]) - Friction * Y[1];
  }
};

double runge_kutta(const double *x) {
  State Y = {x[0], 0};
  ode::integrate_const(ode::runge_kutta4<State>(), Pendulum{x[1], x[2]}, Y, 0.0, 1.0, 0.01);
  return Y[0] + Y[1];
}

double controlled(const double *x) {
  State Y = {x[0], 0};
  auto Stepper = ode::make_controlled<ode::runge_kutta_dopri5<State>>(1e-10, 1e-10);
  ode::integrate_adaptive(Stepper, Pendulum{x[1], x[2]}, Y, 0.0, 1.0, 0.01);
  return Y[0] + Y[1];
}

double quadrature(const double *x) {
  double A = x[0], B = x[1];
  auto Bump = [A, B](double T) { return std::exp(-A * T * T) * std::cos(B * T); };
  return boost::math::quadrature::gauss_kronrod<double, 15>::integrate(Bump, 0.0, 2.0, 5, 1e-9);
}

double gamma_inverse(const double *x) { return boost::math::gamma_p_inv(2.3, x[0]); }
double beta(const double *x) { return boost::math::ibeta(2.5, 1.5, x[0]); }

double spline(const double *x) {
  boost::math::interpolators::cardinal_cubic_b_spline<double> Spline(x, 6, 0.0, 1.0);
  return Spline(1.7) * Spline(4.4);
}
