! Fortran is checked as well: a subroutine that prints, and one that copies a derived type.
! REQUIRES: flang
! RUN: rm -rf %t && mkdir -p %t && cd %t
! RUN: %flang -O1 -g -mllvm -isozyme-check %s -o program
! RUN: ./program 2>&1 | FileCheck %s
! CHECK: 2 values
! CHECK-NOT: values
! CHECK: 4.0 8.0 5.0 2.0
! CHECK: isozyme check: 2 calls checked, 0 wrong{{$}}
module markers
  use iso_c_binding
  integer(c_int), bind(c, name="enzyme_dup") :: enzyme_dup
  integer(c_int), bind(c, name="enzyme_const") :: enzyme_const
end module
module model
  implicit none
  type particle
    real(8) :: x, v
    integer :: id
  end type
contains
  subroutine squares(x, n, total)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: total
    integer :: i
    print '(i0, a)', n, ' values'
    total = 0
    do i = 1, n
      total = total + 2 * x(i)**2
    end do
  end subroutine
  subroutine products(p, n, total)
    integer, intent(in) :: n
    type(particle), intent(in) :: p(n)
    real(8), intent(out) :: total
    type(particle) :: q(n)
    integer :: i
    do i = 1, n
      q(i) = p(n + 1 - i)
    end do
    total = 0
    do i = 1, n
      total = total + q(i)%x * q(i)%v
    end do
  end subroutine
end module
program main
  use markers
  use model
  implicit none
  external squares__enzyme_autodiff, products__enzyme_autodiff
  real(8) :: x(2), dx(2), total, dtotal
  type(particle) :: p(2), dp(2)
  x = [1, 2]
  dx = 0
  dtotal = 1
  call squares__enzyme_autodiff(squares, enzyme_dup, x, dx, enzyme_const, 2, enzyme_dup, total, dtotal)
  p(1) = particle(1, 5, 7)
  p(2) = particle(2, 3, 8)
  dp(1) = particle(0, 0, 7)
  dp(2) = particle(0, 0, 8)
  dtotal = 1
  call products__enzyme_autodiff(products, enzyme_dup, p, dp, enzyme_const, 2, enzyme_dup, total, dtotal)
  print '(4f4.1)', dx, dp(1)%x, dp(2)%v
end program
