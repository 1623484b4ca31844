! Procedures as arguments: dummy procedures with arrays of assumed shape, that only the call of the
! derivative hands over; procedure pointers; records that begin with an array, passed by `external`.
! REQUIRES: flang
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %if turn-1 %{ %fortran -O1 %s | FileCheck %s %}
! RUN: %if turn-2 %{ %fortran -O2 %s | FileCheck %s %}
! RUN: %if turn-3 %{ %fortran -O3 %s | FileCheck %s %}
! CHECK: handed over 6.0 24.0 54.0
! CHECK: one behind the other 6.0 24.0 54.0
! CHECK: by a pointer 4.0 8.0 12.0
! CHECK: record 6.0 24.0 9.0
module procedures
  implicit none
  type series
    real(8), allocatable :: x(:)
    real(8) :: scale
  end type
  abstract interface
    real(8) function of_array(x)
      real(8), intent(in) :: x(:)
    end function
  end interface
contains
  real(8) function cubes(x)
    real(8), intent(in) :: x(:)
    integer :: i
    cubes = 0
    do i = 1, size(x)
      cubes = cubes + x(i)**3
    end do
  end function
  real(8) function squares(x)
    real(8), intent(in) :: x(:)
    squares = sum(x**2)
  end function
  subroutine twice(g, x, r)
    procedure(of_array) :: g
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: r
    r = 2 * g(x)
  end subroutine
  subroutine around(g, n, x, r)
    procedure(of_array) :: g
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: r
    call twice(g, x, r)
  end subroutine
  subroutine chosen(k, n, x, r)
    integer, intent(in) :: k, n
    real(8), intent(in) :: x(n)
    real(8), intent(inout) :: r
    procedure(of_array), pointer :: p
    p => cubes
    if (k == 2) p => squares
    call twice(p, x, r)
  end subroutine
  subroutine total(s, r)
    type(series), intent(in) :: s
    real(8), intent(inout) :: r
    r = sum(s%x**3) * s%scale
  end subroutine
end module
program main
  use isozyme
  use procedures
  implicit none
  interface
    subroutine twice__enzyme_autodiff(f, word_g, g, word_x, x, dx, word_r, r, dr)
      import :: twice, of_array
      procedure(twice) :: f
      procedure(of_array) :: g
      integer, intent(in) :: word_g, word_x, word_r
      real(8), intent(in) :: x(:)
      real(8), intent(inout) :: dx(:), r, dr
    end subroutine
  end interface
  external :: around__enzyme_autodiff, chosen__enzyme_autodiff, total__enzyme_autodiff
  real(8) :: x(3) = [1d0, 2d0, 3d0], dx(3), r, dr
  type(series), allocatable :: s, ds
  dx = 0
  r = 0
  dr = 1
  call twice__enzyme_autodiff(twice, enzyme_const, cubes, enzyme_dup, x, dx, enzyme_dup, r, dr)
  print '(A, 3(F5.1))', 'handed over', dx
  dx = 0
  dr = 1
  call around__enzyme_autodiff(around, enzyme_const, cubes, enzyme_const, 3, enzyme_dup, x, dx, enzyme_dup, r, dr)
  print '(A, 3(F5.1))', 'one behind the other', dx
  dx = 0
  dr = 1
  call chosen__enzyme_autodiff(chosen, enzyme_const, 2, enzyme_const, 3, enzyme_dup, x, dx, enzyme_dup, r, dr)
  print '(A, 3(F5.1))', 'by a pointer', dx
  allocate(s, ds)
  s%x = [1d0, 2d0]
  s%scale = 2
  ds%x = [0d0, 0d0]
  ds%scale = 0
  dr = 1
  call total__enzyme_autodiff(total, enzyme_dup, s, ds, enzyme_dup, r, dr)
  print '(A, 3(F5.1))', 'record', ds%x, ds%scale
end program
