! Arguments of assumed rank, and `select rank`.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: ranks: agrees
module models
  implicit none
contains
  subroutine any_rank(a, r)
    real(8), intent(inout) :: a(..)
    real(8), intent(out) :: r
    select rank (a)
    rank (1)
      r = sum(a) * lbound(a, 1)
      a = a * 2
    rank (2)
      r = a(1, 2) * a(2, 1)
      a(1, 1) = r
    rank default
      r = 0
    end select
  end subroutine
  real(8) function ranks(x)
    real(8), intent(in) :: x(:)
    real(8) :: v(0:3), b(2:4, 0:2), r
    v = x
    b = spread(x(1:3), 1, 3)
    call any_rank(v(3:0:-2), r)
    ranks = r * v(1) + v(3)
    call any_rank(b(3:4, 1:2), r)
    ranks = ranks + r * sum(b)
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4)
  dx = 0
  call gradient(ranks, x, dx)
  call compare('ranks', ranks, x, dx)
end program
