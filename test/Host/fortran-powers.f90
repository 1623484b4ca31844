! Complex numbers to integer powers, positive, negative and 0, which flang computes in its library.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: double T
! CHECK: single T
module powers
  implicit none
contains
  real(8) function double(x)
    real(8), intent(in) :: x(:)
    complex(8) :: z
    integer :: n
    integer(8) :: m
    z = cmplx(x(1), x(2), 8)
    double = 0
    do n = -3, 4
      m = n
      double = double + real(z**n) * x(3) + aimag(z**m)
    end do
  end function
  real(8) function single(x)
    real(8), intent(in) :: x(:)
    complex(4) :: z
    integer :: n
    z = cmplx(x(1), x(2))
    single = 0
    do n = -1, 3
      single = single + abs(z**n) * x(3) + aimag(z**int(n, 8))
    end do
  end function
end module
program main
  use isozyme
  use powers
  implicit none
  real(8) :: x(3) = [0.75d0, -0.5d0, 1.5d0], g(3)
  g = 0; call gradient(double, x, g); call compare('double', double, 1d-6, 1d-7)
  g = 0; call gradient(single, x, g); call compare('single', single, 1d-3, 1d-3)
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
