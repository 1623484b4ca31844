! Components of fixed size are assigned through pointers, in records that lead to records of the same type.
! REQUIRES: flang
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %if turn-1 %{ %fortran -O1 %s | FileCheck %s %}
! RUN: %if turn-2 %{ %fortran -O2 %s | FileCheck %s %}
! RUN: %if turn-3 %{ %fortran -O3 %s | FileCheck %s %}
! f = x1^2 + (x2 x3)^2 + x3^2 + x3^2 + (x1 + x2 + x3) x2 + (x2 + 1) x1
! CHECK: 3.000000 4.794000 6.178000
module chains
  implicit none
  type :: cell
    real(8) :: v(3)
    real(8), allocatable :: w(:)
    complex(8) :: z(2)
    type(cell), pointer :: next => null()
  end type
contains
  real(8) function f(x)
    real(8), intent(in) :: x(:)
    type(cell), target :: a
    type(cell), pointer :: c
    c => a
    c%v = [x(1), x(2)*x(3), x(3)]
    c%w = [x(1)*2, x(3)*x(3)]
    allocate(c%next)
    c => c%next
    c%v = [x(1), x(2), x(3)]
    c%w = [x(1), x(2)]
    c%z = [cmplx(x(2), x(1), 8), cmplx(1d0, 0d0, 8)]
    f = sum(a%v**2) + a%w(2) + sum(a%next%v) * a%next%w(2)
    f = f + real(sum(a%next%z)) * aimag(a%next%z(1))
    deallocate(a%next)
  end function
end module
program p
  use chains
  use isozyme
  implicit none
  real(8) :: x(3) = [0.3d0, 0.7d0, 1.1d0], dx(3)
  dx = 0
  call gradient(f, x, dx)
  print '(3F9.6)', dx
end program
