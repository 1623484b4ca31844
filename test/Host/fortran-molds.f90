! `allocate(a, mold=b)`: the bounds are those of b, for numbers, records and `class` variables. The bounds of `class`
! variables were not set, and the derivative was zero.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: numbers: agrees
! CHECK: lower_bounds: agrees
! CHECK: records: agrees
! CHECK: extended: agrees
module models
  implicit none
  type :: point
    real(8) :: v = 0.5d0
    real(8) :: w
    integer :: k = 3
  end type
  type, extends(point) :: solid
    real(8) :: z
  end type
contains
  real(8) function numbers(x)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: a(:), b(:), c(:, :)
    a = x * x
    allocate(b, mold=a)
    b = a(1)
    b(2) = x(3)
    allocate(c(2, 2), mold=reshape(x, [2, 2]))
    c = b(2) * x(4)
    numbers = sum(b) * c(1, 2)
  end function
  real(8) function lower_bounds(x)
    real(8), intent(in) :: x(:)
    complex(8), allocatable :: a(:, :), b(:, :)
    real(8), pointer :: p(:), q(:)
    allocate(a(0:1, 2))
    a = cmplx(x(1), x(2), 8)
    a(1, 2) = x(3)
    allocate(b, mold=a)
    b = a * (0d0, 1d0)
    allocate(p(3))
    p = x(1:3)
    allocate(q, mold=p)
    q = p * p
    lower_bounds = aimag(b(1, 2)) * real(b(0, 1)) + q(3) * lbound(b, 1) + q(2) * size(b, 1) + sum(p)
    deallocate(p, q)
  end function
  real(8) function records(x)
    real(8), intent(in) :: x(:)
    type(point), allocatable :: s(:)
    type(point) :: r(3)
    integer :: i
    allocate(s, mold=r)
    do i = 1, size(s)
      s(i)%v = x(i) * i
      s(i)%w = x(1)
    end do
    records = sum(s%v**2 * s%w) * s(2)%k
  end function
  real(8) function extended(x)
    real(8), intent(in) :: x(:)
    class(point), allocatable :: s(:), u(:)
    type(solid) :: r(2:3)
    integer :: i
    do i = 2, 3
      r(i)%v = x(i)
      r(i)%w = x(1) * i
      r(i)%z = x(4)
    end do
    allocate(s, source=r)
    allocate(u, mold=r)
    extended = 0
    do i = lbound(u, 1), ubound(u, 1)
      u(i)%w = x(i)
      extended = extended + u(i)%w**2 * u(i)%v
    end do
    select type (s)
    type is (solid)
      do i = lbound(s, 1), ubound(s, 1)
        extended = extended + s(i)%z * s(i)%v * s(i)%w
      end do
    end select
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4)
  dx = 0
  call gradient(numbers, x, dx)
  call compare('numbers', numbers, x, dx)
  dx = 0
  call gradient(lower_bounds, x, dx)
  call compare('lower_bounds', lower_bounds, x, dx)
  dx = 0
  call gradient(records, x, dx)
  call compare('records', records, x, dx)
  dx = 0
  call gradient(extended, x, dx)
  call compare('extended', extended, x, dx)
end program
