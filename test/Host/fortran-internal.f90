! An internal procedure that is passed to another procedure: flang makes code for it on the stack. Where that remains
! when the derivative is made, it is an error.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! RUN: not %isozyme fc -O1 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=O1
! O1: error: {{.*}}fortran-internal.f90:[[#@LINE+18]]:{{.*}} in total (module areas): the internal procedure 'parabola{{.*}}' is passed to another procedure, by code that is made when the program runs; compile with -O2, or make it a procedure of the module, {{.*}} [IZ201]
module areas
  implicit none
  abstract interface
    real(8) function curve(t)
      real(8), intent(in) :: t
    end function
  end interface
contains
  real(8) function area(f, t)
    procedure(curve) :: f
    real(8), intent(in) :: t
    area = f(t) * t
  end function
  real(8) function total(x)
    real(8), intent(in) :: x(:)
    real(8) :: factor
    factor = x(1)
    total = area(parabola, x(2))
  contains
    ! The variable of the procedure around it is differentiated, too.
    real(8) function parabola(t)
      real(8), intent(in) :: t
      parabola = factor * t**2
    end function
  end function
end module
program main
  use isozyme
  use areas
  implicit none
  real(8) :: x(2) = [2d0, 3d0], dx(2) = 0
  call gradient(total, x, dx)
  ! CHECK: gradient 27.00 54.00
  print '(A, 2F6.2)', 'gradient', dx
end program
