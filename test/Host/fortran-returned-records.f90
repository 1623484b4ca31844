! Functions that return arrays of records: the caller finalizes them (which does nothing without `final` procedures),
! and releases their components.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: plain: agrees
! CHECK: deep: agrees
! CHECK: in_loops: agrees
module models
  implicit none
  type :: point
    real(8) :: v
    integer :: k = 3
    real(8) :: w = 0.5d0
  end type
  type :: line
    real(8), allocatable :: p(:)
    real(8) :: scale
  end type
contains
  function points(x) result(r)
    real(8), intent(in) :: x(:)
    type(point) :: r(size(x))
    integer :: i
    do i = 1, size(x)
      r(i)%v = x(i)**2
      r(i)%k = i
      r(i)%w = sin(x(i))
    end do
  end function
  function lines(x, n) result(r)
    real(8), intent(in) :: x(:)
    integer, intent(in) :: n
    type(line), allocatable :: r(:)
    integer :: i
    allocate(r(n))
    do i = 1, n
      r(i)%p = x(:i) * i
      r(i)%scale = x(1) * x(i)
    end do
  end function
  real(8) function plain(x)
    real(8), intent(in) :: x(:)
    type(point) :: r(size(x))
    r = points(x)
    plain = sum(r%v * r%w * r%k)
  end function
  real(8) function deep(x)
    real(8), intent(in) :: x(:)
    type(line), allocatable :: r(:)
    integer :: i
    r = lines(x, 3)
    deep = 0
    do i = 1, size(r)
      deep = deep + sum(r(i)%p**2) * r(i)%scale
    end do
  end function
  real(8) function in_loops(x)
    real(8), intent(in) :: x(:)
    type(line), allocatable :: r(:)
    type(point), allocatable :: s(:)
    integer :: i
    in_loops = 0
    do i = 1, 3
      r = lines(x * i, i)
      s = points(r(i)%p)
      in_loops = in_loops + sum(s%v * s%w) * r(i)%scale
    end do
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4)
  dx = 0
  call gradient(plain, x, dx)
  call compare('plain', plain, x, dx)
  dx = 0
  call gradient(deep, x, dx)
  call compare('deep', deep, x, dx)
  dx = 0
  call gradient(in_loops, x, dx)
  call compare('in_loops', in_loops, x, dx)
end program
