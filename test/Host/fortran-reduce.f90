! `reduce` with functions of the program: arguments by reference and by value, masks, dimensions, internal functions.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: whole: agrees
! CHECK: lines: agrees
! CHECK: internal: agrees
module models
  implicit none
contains
  pure real(8) function damped(a, b)
    real(8), intent(in) :: a, b
    damped = a + 0.5d0 * b * a
  end function
  pure real(8) function by_value(a, b)
    real(8), value :: a, b
    by_value = a * b + b
  end function
  pure real(4) function single(a, b)
    real(4), intent(in) :: a, b
    single = 2 * a + b
  end function
  real(8) function whole(x)
    real(8), intent(in) :: x(:)
    real(8) :: u(2, 4)
    u(1, :) = x
    u(2, :) = x**2
    whole = reduce(x, damped) + reduce(u, by_value, mask=u > 0.8d0) + reduce(u, damped, u > 100, identity=x(1))
  end function
  real(8) function lines(x)
    real(8), intent(in) :: x(:)
    real(8) :: u(2, 4)
    real(4) :: f(3)
    u(1, :) = x
    u(2, :) = x**2
    f = [0.5, 0.25, 2.]
    lines = sum(reduce(u, damped, dim=1) * x) + reduce(reduce(u, by_value, dim=2), damped) * reduce(f, single)
  end function
  real(8) function internal(x)
    real(8), intent(in) :: x(:)
    real(8) :: factor
    factor = x(1)
    internal = reduce(x, inner)
  contains
    pure real(8) function inner(a, b)
      real(8), intent(in) :: a, b
      inner = a * factor + b
    end function
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4)
  dx = 0
  call gradient(whole, x, dx)
  call compare('whole', whole, x, dx)
  dx = 0
  call gradient(lines, x, dx)
  call compare('lines', lines, x, dx)
  dx = 0
  call gradient(internal, x, dx)
  call compare('internal', internal, x, dx)
end program
