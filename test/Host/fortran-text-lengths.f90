! Texts of deferred length in records take the length of what they are assigned, shorter or longer than what they were.
! REQUIRES: flang
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %if turn-1 %{ %fortran -O2 %s | FileCheck %s %}
! CHECK: lengths T
module records
  implicit none
  type r
    character(len=:), allocatable :: name
    real(8) :: a(2)
  end type
contains
  real(8) function f(x)
    real(8), intent(in) :: x(:)
    type(r), allocatable :: b(:), c(:)
    type(r) :: one
    integer :: i
    allocate(b(2))
    do i = 1, 2
      one%name = repeat('x', i)
      one%a = x(2*i-1:2*i)
      b(i) = one
    end do
    c = b
    c(1) = b(2); c(2) = b(1); c(2) = b(2)
    f = sum(c(1)%a * b(1)%a) * len(c(2)%name) * x(4) + sum(c(2)%a**2)
  end function
end module
program p
  use isozyme
  use records, only: f
  implicit none
  real(8) :: x(4) = [1d0, .5d0, 2d0, .9d0], g(4), h = 1d-6, a, b, w = 0, k
  integer :: i
  g = 0
  call gradient(f, x, g)
  do i = 1, 4
    k = x(i); x(i) = k + h; a = f(x); x(i) = k - h; b = f(x); x(i) = k
    w = max(w, abs((a-b)/(2*h) - g(i)))
  end do
  print '(A, L2)', 'lengths', w < 1d-5
end program
