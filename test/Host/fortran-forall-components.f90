! `forall` that assigns elements of allocatable and pointer components, with a mask, and where it reads what it
! overwrites: flang keeps descriptors of the elements on a stack.
! REQUIRES: flang
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %if turn-1 %{ %fortran -O1 %s | FileCheck %s %}
! RUN: %if turn-2 %{ %fortran -O2 %s | FileCheck %s %}
! RUN: %if turn-3 %{ %fortran -O3 %s | FileCheck %s %}
! CHECK: gradient agrees
! CHECK: direction agrees
module layers
  implicit none
  type layer
    real(8), allocatable :: w(:,:), b(:)
    real(8), pointer :: p(:) => null()
  end type
contains
  real(8) function cost(x)
    real(8), intent(in) :: x(:)
    type(layer) :: l
    real(8), target :: t(size(x))
    integer :: i, j, n
    n = size(x)
    allocate(l%w(n, n), l%b(n))
    t = 0
    l%p => t
    forall (i = 1:n, j = 1:n) l%w(i, j) = x(mod(i + j, n) + 1) * i
    forall (i = 1:n, x(i) > 0) l%b(i) = x(i)**2
    forall (i = 1:n, x(i) <= 0) l%b(i) = x(i)
    forall (i = 1:n) l%p(i) = l%b(n + 1 - i) * l%w(i, i)
    forall (i = 2:n) l%w(i, i) = l%w(i - 1, i - 1)
    cost = sum(l%w**2) + sum(l%b * l%p) + sum(t**2)
  end function
end module
program main
  use isozyme
  use layers
  implicit none
  real(8) :: x(4) = [0.7d0, 1.3d0, 0.4d0, -0.2d0], dx(4), v(4) = [1d0, -2d0, 0.5d0, 3d0], e(4), step(4)
  integer :: i
  dx = 0
  call gradient(cost, x, dx)
  do i = 1, 4
    step = 0
    step(i) = 1d-3
    e(i) = (8 * (cost(x + step) - cost(x - step)) - cost(x + 2 * step) + cost(x - 2 * step)) / 12d-3
  end do
  print '(A)', merge('gradient agrees ', 'gradient differs', all(abs(dx - e) < 1d-7))
  print '(A)', merge('direction agrees ', 'direction differs', abs(derivative(cost, x, v) - dot_product(e, v)) < 1d-7)
end program
