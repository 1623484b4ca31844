! The same plugin works in flang, at every level.
! REQUIRES: flang
! RUN: mkdir -p %t.dir
! RUN: cd %t.dir
! RUN: %flang -O0 %s -o program && ./program | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: 2.0 4.0 6.0
module markers
  use iso_c_binding
  integer(c_int), bind(c, name="enzyme_dup") :: enzyme_dup
  integer(c_int), bind(c, name="enzyme_const") :: enzyme_const
end module

subroutine squares(n, x, r)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: r
  integer :: i
  r = 0
  do i = 1, n
    r = r + x(i) * x(i)
  end do
end subroutine

program main
  use markers
  external :: squares, f__enzyme_autodiff
  real(8) :: x(3), dx(3), r, dr
  x = [1.0d0, 2.0d0, 3.0d0]
  dx = 0
  r = 0
  dr = 1
  call f__enzyme_autodiff(squares, enzyme_const, 3, enzyme_dup, x, dx, enzyme_dup, r, dr)
  print '(3(F3.1, 1X))', dx
end program
