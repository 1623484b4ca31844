! What is more to a derived type than Isozyme knows is an error that says so.
! UNSUPPORTED: sanitizers
! REQUIRES: flang
! RUN: not %isozyme fc -O2 -c %s -o %t.o 2>&1 | FileCheck %s
! CHECK: error: fortran-other-records.f90:[[#]]:5: in poly (module m): '_FortranAAssign' belongs to the run time of flang for derived types, {{.*}} 'class' components, 'final' procedures or components of their own type, {{.*}} [IZ201]
! CHECK: error: fortran-other-records.f90:[[#]]:5: in trees (module m): '_FortranAAllocatableAllocate' belongs to the run time of flang for derived types, {{.*}} [IZ201]
! CHECK: error: fortran-other-records.f90:[[#]]:5: in assigned (module m): '_FortranAAssignPolymorphic' belongs to the run time of flang for 'class' variables, {{.*}} have no allocatable components{{.*}} [IZ201]
! CHECK-NOT: .deep
module m
  implicit none
  type :: shape
    real(8), allocatable :: r(:)
  end type
  type, extends(shape) :: round
    real(8), allocatable :: q(:)
  end type
  type :: holder
    class(shape), allocatable :: s
  end type
  type :: tree
    real(8) :: v
    type(tree), allocatable :: l, r
  end type
contains
  real(8) function poly(x)
    real(8), intent(in) :: x(:)
    type(holder) :: h, g
    allocate(round :: h%s)
    h%s%r = x
    g = h
    poly = sum(g%s%r)
  end function
  real(8) function trees(x)
    real(8), intent(in) :: x(:)
    type(tree) :: t, u
    t%v = x(1)
    allocate(t%l)
    t%l%v = x(2)
    u = t
    trees = u%v * u%l%v
  end function
  real(8) function assigned(x)
    real(8), intent(in) :: x(:)
    class(shape), allocatable :: s
    type(shape) :: t
    t%r = x
    s = t
    assigned = sum(s%r)
  end function
end module
program p
  use m
  use isozyme
  real(8) :: x(2) = [1d0, 2d0], g(2)
  g = 0
  call gradient(poly, x, g)
  call gradient(trees, x, g)
  call gradient(assigned, x, g)
  print *, g
end program
