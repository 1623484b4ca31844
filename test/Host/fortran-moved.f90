! move_alloc releases what the target had: the records, and the arrays in them.
! REQUIRES: flang, valgrind
! UNSUPPORTED: sanitizers
! RUN: env RUNNER="valgrind -q --leak-check=full --error-exitcode=3" %fortran -O0 %s | FileCheck %s
! RUN: env RUNNER="valgrind -q --leak-check=full --error-exitcode=3" %fortran -O2 %s | FileCheck %s
! CHECK: 20.00 3.00 5.00 7.00
! CHECK: 40.00 6.00 30.00 14.00
module models
  implicit none
  type :: bag
    real(8), allocatable :: z(:)
  end type
contains
  real(8) function records(x)
    real(8), intent(in) :: x(:)
    type(bag), allocatable :: a(:), b(:)
    allocate(a(2), b(2))
    a(1)%z = x
    b(1)%z = x * x
    b(2)%z = 2 * x
    call move_alloc(a, b)
    records = sum(b(1)%z * x)
    allocate(a(1))
    a(1)%z = b(1)%z
    records = records + sum(a(1)%z)
  end function
  real(8) function numbers(x)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: a(:), b(:)
    a = [x, x]
    b = x * x
    call move_alloc(b, a)
    if (allocated(b)) a = 0
    b = a + x
    numbers = sum(b) * x(2)
  end function
end module

program main
  use isozyme
  use models
  implicit none
  real(8) :: x(3) = [1d0, 2d0, 3d0], g(3)
  g = 0
  call gradient(records, x, g)
  print '(4(F0.2, 1X))', records(x), g
  g = 0
  call gradient(numbers, x, g)
  print '(4(F0.2, 1X))', numbers(x), g
end program
