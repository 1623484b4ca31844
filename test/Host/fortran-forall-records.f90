! `forall` that assigns whole records, with a mask, in components, and where it reads what it overwrites: flang keeps the
! values on a stack until all are computed.
! REQUIRES: flang, valgrind
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %if turn-1 %{ %fortran -O1 %s | FileCheck %s %}
! RUN: %if turn-2 %{ env RUNNER="valgrind -q --leak-check=full --error-exitcode=3" %fortran -O2 %s | FileCheck %s %}
! RUN: %if turn-3 %{ %fortran -O3 %s | FileCheck %s %}
! CHECK: turned: agrees
! CHECK: inside: agrees
! CHECK: many: agrees
module lines
  implicit none
  type point
    real(8) :: x, y
    integer :: tag
  end type
  type line
    type(point) :: p(3)
    real(8) :: w(2) = 1
  end type
contains
  real(8) function turned(x)
    real(8), intent(in) :: x(:)
    type(point) :: p(size(x)), q(size(x))
    integer :: i, n
    n = size(x)
    forall (i = 1:n) p(i) = point(x(i), x(i)**2, i)
    forall (i = 1:n) q(i) = p(n + 1 - i)
    forall (i = 1:n, q(i)%tag > 1) p(i) = q(i)
    forall (i = 2:n) p(i) = p(i - 1)
    turned = 0
    do i = 1, n
      turned = turned + p(i)%x * p(i)%y * i + q(i)%tag * p(i)%x
    end do
  end function

  real(8) function inside(x)
    real(8), intent(in) :: x(:)
    type(line) :: l(2)
    integer :: i
    forall (i = 1:3) l(1)%p(i) = point(x(i), x(1) * i, i)
    l(1)%w = x(1:2)
    forall (i = 1:2) l(i) = l(1)
    forall (i = 1:3) l(2)%p(i) = l(1)%p(4 - i)
    inside = dot_product(l(2)%p%x, l(1)%p%y) + sum(l(2)%w) * x(3)
  end function

  real(8) function many(x)
    real(8), intent(in) :: x(:)
    type(point), allocatable :: p(:)
    integer :: i
    allocate(p(50))
    forall (i = 1:50) p(i) = point(x(mod(i, 3) + 1) * i, x(1), i)
    forall (i = 1:49) p(i) = p(i + 1)
    many = sum(p%x * p%y) + sum(p%x**2) / 100
  end function
end module

program main
  use isozyme
  use lines
  use slopes
  implicit none
  real(8) :: x(3) = [0.5d0, 1.5d0, 2.5d0], dx(3), v(3) = [0.3d0, -0.5d0, 0.8d0]
  dx = 0
  call gradient(turned, x, dx)
  call compare('turned', turned, x, dx, v, derivative(turned, x, v))
  dx = 0
  call gradient(inside, x, dx)
  call compare('inside', inside, x, dx, v, derivative(inside, x, v))
  dx = 0
  call gradient(many, x, dx)
  call compare('many', many, x, dx, v, derivative(many, x, v))
end program
