! An array that the call passes without bounds, to a procedure that expects them, is an error, and the
! other way round: what stands in memory would be taken for something else, and the gradient be 0.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: not %isozyme fc -O0 -c %s -o %t.o 2>&1 | FileCheck %s
! RUN: not %isozyme fc -O1 -c %s -o %t.o 2>&1 | FileCheck %s
! RUN: not %isozyme fc -O2 -c %s -o %t.o 2>&1 | FileCheck %s
module shapes
  implicit none
contains
  subroutine assumed(x, r)
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: r
    r = sum(x**3)
  end subroutine
  subroutine explicit(n, x, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: r
    integer :: i
    r = 0
    do i = 1, n
      r = r + x(i)**3
    end do
  end subroutine
  ! The procedure has the arrays with bounds itself, and passes the elements.
  subroutine passed(x, dx, r, dr)
    use isozyme
    real(8), intent(inout) :: x(:), dx(:), r, dr
    external :: b__enzyme_autodiff
    ! CHECK: fortran-shapes.f90:[[#@LINE+1]]:{{.*}} argument 3 of the call is an array without its bounds, and argument 1 ('x') of 'assumed (module shapes)' is one of assumed shape, which comes with them; declare the call with an interface {{.*}} [IZ109]
    call b__enzyme_autodiff(assumed, enzyme_dup, x, dx, enzyme_dup, r, dr)
  end subroutine
end module
program main
  use isozyme
  use shapes
  implicit none
  interface
    subroutine explicit__enzyme_autodiff(f, word_n, n, word_x, x, dx, word_r, r, dr)
      import :: explicit
      procedure(explicit) :: f
      integer, intent(in) :: word_n, word_x, word_r, n
      real(8), intent(in) :: x(:)
      real(8), intent(inout) :: dx(:), r, dr
    end subroutine
    subroutine assumed__enzyme_autodiff(f, word_x, x, dx, word_r, r, dr)
      import :: assumed
      procedure(assumed) :: f
      integer, intent(in) :: word_x, word_r
      real(8), intent(in) :: x(:)
      real(8), intent(inout) :: dx(3), r, dr
    end subroutine
  end interface
  external :: a__enzyme_autodiff
  real(8) :: x(3) = [1d0, 2d0, 3d0], dx(3), r, dr
  real(8), allocatable :: a(:), da(:)
  a = x
  da = 0 * a
  dx = 0
  r = 0
  dr = 1
  ! CHECK: fortran-shapes.f90:[[#@LINE+1]]:{{.*}} argument 3 of the call is an array without its bounds, and argument 1 ('x') of 'assumed (module shapes)' is one of assumed shape, which comes with them; declare the call with an interface {{.*}} [IZ109]
  call a__enzyme_autodiff(assumed, enzyme_dup, x, dx, enzyme_dup, r, dr)
  ! CHECK: fortran-shapes.f90:[[#@LINE+1]]:{{.*}} argument 3 of the call is an array without its bounds, and argument 1 ('x') of 'assumed (module shapes)' is one of assumed shape, which comes with them; declare the call with an interface {{.*}} [IZ109]
  call a__enzyme_autodiff(assumed, enzyme_dup, a, da, enzyme_dup, r, dr)
  ! CHECK: fortran-shapes.f90:[[#@LINE+1]]:{{.*}} argument 4 of the call is an array without its bounds, and the shadow of argument 1 ('x') of 'assumed (module shapes)' is one of assumed shape{{.*}} [IZ109]
  call assumed__enzyme_autodiff(assumed, enzyme_dup, x, dx, enzyme_dup, r, dr)
  ! CHECK: fortran-shapes.f90:[[#@LINE+1]]:{{.*}} argument 5 of the call is an array with its bounds, and argument 2 ('x') of 'explicit (module shapes)' is one of explicit shape, which comes without; {{.*}} [IZ109]
  call explicit__enzyme_autodiff(explicit, enzyme_const, 3, enzyme_dup, x, dx, enzyme_dup, r, dr)
  print *, dx, da
end program
