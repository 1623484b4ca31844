! Bessel functions of several orders at once, findloc, and transfer between numbers.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: orders: agrees
! CHECK: places: agrees
! CHECK: bits: agrees
module models
  implicit none
contains
  real(8) function orders(x)
    real(8), intent(in) :: x(:)
    real(8) :: j(0:3), y(2:5)
    j = bessel_jn(0, 3, 2 * x(1))
    y = bessel_yn(2, 5, 4 * x(2))
    orders = sum(j * x) + sum(y**2) + sum(bessel_jn(4, 4, x(3))) + size(bessel_yn(2, 1, x(4)))
  end function
  real(8) function places(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(3, 2)
    integer :: k(2), l(3)
    a(:, 1) = x(1:3)
    a(:, 2) = x(2:4)
    k = findloc(a, x(2))
    l = findloc(a, x(3), dim=2, back=.true.)
    places = a(k(1), k(2)) * x(1) + dot_product(l, a(:, 2)) * findloc(a(:, 1), x(3), dim=1)
    k = findloc(a, x(2), mask=a > 10)
    places = places + k(1) * x(4) + findloc(a(:, 1) > 0.6d0, .false., dim=1) * x(2)
  end function
  real(8) function bits(x)
    real(8), intent(in) :: x(:)
    real(8) :: z(4), y(3)
    complex(8) :: c(2)
    integer(8) :: word
    z = x**2
    c = transfer(z, c)
    z = transfer(c * (1d0, 2d0), z)
    y = transfer(c, y, 3)
    word = transfer(1.5d0, word)
    bits = sum(z * x) + y(1) * y(3) * transfer(word, 1d0) + transfer(x(4), 1d0) * real(transfer(y, c(1)))
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4)
  dx = 0
  call gradient(orders, x, dx)
  call compare('orders', orders, x, dx)
  dx = 0
  call gradient(places, x, dx)
  call compare('places', places, x, dx)
  dx = 0
  call gradient(bits, x, dx)
  call compare('bits', bits, x, dx)
end program
