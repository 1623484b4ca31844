! Arrays of records with allocatable components that are assigned to parts of themselves: all are read before one is
! assigned or released, as flang's library does. The derivative was that of an assignment one after the other.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: shifted: agrees
! CHECK: shrunk: agrees
! CHECK: turned: agrees
! CHECK: lengths: agrees
module models
  implicit none
  type :: series
    real(8), allocatable :: v(:)
    real(8) :: s = 1
  end type
contains
  real(8) function total(of)
    type(series), intent(in) :: of(:)
    integer :: i
    total = 0
    do i = 1, size(of)
      total = total * 0.7d0 + sum(of(i)%v) * of(i)%s
    end do
  end function
  real(8) function shifted(x)
    real(8), intent(in) :: x(:)
    type(series) :: l(3)
    integer :: i
    do i = 1, 3
      l(i)%v = x(i:i + 1)
      l(i)%s = x(5 - i)
    end do
    l(2:3) = l(1:2)
    shifted = total(l)
  end function
  real(8) function shrunk(x)
    real(8), intent(in) :: x(:)
    type(series), allocatable :: l(:)
    integer :: i
    allocate(l(4))
    do i = 1, 4
      l(i)%v = x(i:)
      l(i)%s = x(5 - i)
    end do
    l = l(2:)
    l = l(3:1:-1)
    l(1) = l(3)
    shrunk = total(l) + l(2)%v(1)**2
  end function
  real(8) function turned(x)
    real(8), intent(in) :: x(:)
    type(series), allocatable :: l(:, :)
    integer :: i
    allocate(l(2, 2))
    do i = 1, 4
      l(mod(i, 2) + 1, (i + 1) / 2)%v = x(i:)
      l(mod(i, 2) + 1, (i + 1) / 2)%s = x(5 - i)
    end do
    l(:, 1) = l(2:1:-1, 1)
    l(1, :) = l(:, 2)
    l = l(2:2, 1:2)
    turned = total(l(1, :))
  end function
  ! Beside functions with such records, at -O0: one that has none.
  real(8) function lengths(x)
    real(8), intent(in) :: x(:)
    lengths = length(x(1:3)) + length(x(2:4))
  end function
  real(8) function length(v)
    real(8), intent(in) :: v(:)
    real(8), allocatable :: l(:)
    l = v
    length = norm2(l)
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4)
  dx = 0
  call gradient(shifted, x, dx)
  call compare('shifted', shifted, x, dx)
  dx = 0
  call gradient(shrunk, x, dx)
  call compare('shrunk', shrunk, x, dx)
  dx = 0
  call gradient(turned, x, dx)
  call compare('turned', turned, x, dx)
  dx = 0
  call gradient(lengths, x, dx)
  call compare('lengths', lengths, x, dx)
end program
