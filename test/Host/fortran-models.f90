! Exponents and fractions of numbers, the next number, erfc_scaled. Fractions are linear between the powers of two;
! through exponents and distances between numbers no derivative goes.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: double T
! CHECK-NEXT: arrays T
! CHECK-NEXT: single T
! CHECK-NEXT: errors T
! CHECK-NEXT: analytic T
module models
  implicit none
contains
  real(8) function double(x)
    real(8), intent(in) :: x(:)
    integer :: e
    e = exponent(x(1))
    double = scale(x(1), 3) * fraction(x(2)) + set_exponent(x(3), 2)**2 * x(1) + scale(x(2), -e)
    double = double + nearest(x(1), 1d0) * nearest(x(2), -1d0) + rrspacing(x(3)) * 1d-15 * x(2)
    double = double + spacing(x(1)) * x(3) + set_exponent(x(1) * x(2), exponent(x(3))) * x(2)
  end function
  real(8) function arrays(x)
    real(8), intent(in) :: x(:)
    real(8) :: y(size(x))
    y = fraction(x) * scale(x, [1, 2, 3])
    y = y + nearest(x, -x) * exponent(x) + rrspacing(-x) * spacing(x)
    arrays = sum(y * x)
  end function
  ! A logarithm by hand: the exponent, and a series for the fraction.
  real(8) function single(x)
    real(8), intent(in) :: x(:)
    real(4) :: s(3), f
    integer :: i
    s = real(x)
    single = 0
    do i = 1, 3
      f = (fraction(abs(s(i))) - 0.75) / (fraction(abs(s(i))) + 0.75)
      single = single + 2 * (f + f**3 / 3 + f**5 / 5) + exponent(s(i)) * 0.5 * s(1)
      single = single + scale(s(i), 2_8) * set_exponent(s(2), -1) + erfc_scaled(s(i)) + rrspacing(s(i)) * 1e-7
    end do
  end function
  real(8) function errors(x)
    real(8), intent(in) :: x(:)
    errors = sum(erfc_scaled(x) * x) + erfc_scaled(x(1) * x(2))**2 + erfc_scaled(20 * x(3)) + erfc_scaled(-x(1))
  end function
  real(8) function known(x)
    real(8), intent(in) :: x(:)
    known = fraction(x(1)) + set_exponent(x(2), 0) + erfc_scaled(x(3))
  end function
end module
program main
  use isozyme
  use models
  implicit none
  real(8) :: x(3) = [0.8d0, -1.3d0, 2.7d0], g(3)
  g = 0; call gradient(double, x, g); call compare('double', double, 1d-6, 1d-6)
  g = 0; call gradient(arrays, x, g); call compare('arrays', arrays, 1d-6, 1d-6)
  g = 0; call gradient(single, x, g); call compare('single', single, 1d-3, 1d-2)
  g = 0; call gradient(errors, x, g); call compare('errors', errors, 1d-6, 1d-6)
  g = 0; call gradient(known, x, g)
  g = g - [1d0, 0.5d0, 2 * x(3) * erfc_scaled(x(3)) - 2 / sqrt(acos(-1d0))]
  print '(A, L2)', 'analytic', all(abs(g) < 1d-14)
contains
  subroutine compare(name, f, h, most)
    character(*), intent(in) :: name
    procedure(double) :: f
    real(8), intent(in) :: h, most
    real(8) :: up, kept, off
    integer :: i
    off = 0
    do i = 1, size(x)
      kept = x(i); x(i) = kept + h; up = f(x); x(i) = kept - h
      off = max(off, abs((up - f(x)) / (2 * h) - g(i))); x(i) = kept
    end do
    print '(A, L2)', name, off < most
  end subroutine
end program
