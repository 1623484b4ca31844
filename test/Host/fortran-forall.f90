! `forall` on components of derived types, with a mask, and where it reads what it overwrites.
! REQUIRES: flang
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %if turn-1 %{ %fortran -O1 %s | FileCheck %s %}
! RUN: %if turn-2 %{ %fortran -O2 %s | FileCheck %s %}
! RUN: %if turn-3 %{ %fortran -O3 %s | FileCheck %s %}
! CHECK: 9.00 24.75 50.75
module lines
  implicit none
  type point
    real(8) :: x, y
  end type
  type line
    type(point) :: p(4)
    real(8) :: w(4)
  end type
contains
  subroutine length(n, u, r)
    integer, intent(in) :: n
    real(8), intent(in) :: u(n)
    real(8), intent(inout) :: r
    type(point) :: p(n)
    type(line) :: l
    integer :: i
    forall (i = 1:n) p(i)%x = u(i)**2
    forall (i = 1:n, u(i) > 1) p(i)%y = u(i)**3
    forall (i = 1:n, u(i) <= 1) p(i)%y = u(i)
    forall (i = 1:4) l%p(i)%x = p(min(i, n))%x * 2
    forall (i = 2:4) l%w(i) = l%p(i - 1)%x
    l%w(1) = 0
    forall (i = 1:n) p(i)%x = p(n + 1 - i)%x * (n + 1 - i)
    r = sum(p%x) + sum(p%y) + sum(l%w)
    do i = 1, n
      r = r + u(i) * (4 + i)
    end do
  end subroutine
end module
program main
  use isozyme
  use lines
  implicit none
  external :: length__enzyme_autodiff
  real(8) :: u(3) = [0.5d0, 1.5d0, 2.5d0], du(3), r, dr
  du = 0
  r = 0
  dr = 1
  call length__enzyme_autodiff(length, enzyme_const, 3, enzyme_dup, u, du, enzyme_dup, r, dr)
  print '(3(F6.2))', du
end program
