! Messages have the names of the source, and lines where flang knows them.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: not %flang -O2 -c %s -o %t.o 2>&1 | FileCheck %s
! RUN: not %isozyme fc -O2 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLACES
! CHECK: error: in squares (module sums): no derivative is known for 'elsewhere_'{{.*}} 'isozyme fc -flto'
! CHECK: note: in function 'squares (module sums)': argument 1 of this call
! CHECK: note: the line is known with -g, or where 'isozyme fc' compiles the file
! PLACES: error: {{.*}}fortran-messages.f90:[[#@LINE+10]]:[[#]]: in squares (module sums): no derivative is known for 'elsewhere_'
! PLACES: error: {{.*}} in word (module sums): '_FortranATransfer' belongs to 'transfer' of flang's run time, {{.*}}; let the source and the mold consist of real or complex numbers of the same kind
! PLACES: error: {{.*}}fortran-messages.f90:[[#@LINE+25]]:[[#]]: in line (module sums): '_FortranAValueAt' belongs to the run time of flang for 'forall' and 'where', which Isozyme does not differentiate; write the statement as a loop{{.*}} [IZ201]
! PLACES-NOT: the line is known with
module sums
contains
subroutine squares(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  real(8), external :: elsewhere
  y = elsewhere(x)**2
end subroutine
subroutine word(x, y)
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  integer(8) :: bits
  bits = transfer(x, bits)
  y = transfer(bits, 1d0) * x
end subroutine
subroutine line(x, y)
  type list
    real(8), allocatable :: x(:)
  end type
  real(8), intent(in) :: x
  real(8), intent(out) :: y
  type(list) :: p(4)
  integer :: i
  forall (i = 1:4) p(i) = list([x**i, x])
  y = sum(p(1)%x)
end subroutine
end module
program main
  use sums
  external :: f__enzyme_autodiff
  real(8) :: x, dx, y, dy
  x = 1
  dx = 0
  dy = 1
  call f__enzyme_autodiff(squares, x, dx, y, dy)
  call f__enzyme_autodiff(word, x, dx, y, dy)
  call f__enzyme_autodiff(line, x, dx, y, dy)
  print *, dx
end program
