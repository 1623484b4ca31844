! isozyme.f90 - Derivatives of Fortran procedures
!
! Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! `use isozyme` gives the words for activity (enzyme_const and the others), and gradient and
! derivative for functions of one variable: a number, a vector or a matrix. Nothing of this is
! compiled or linked: Isozyme puts the derivative where the program calls it.
module isozyme
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  private :: c_int

  ! What the next argument of a call is: differentiated (followed by its derivative), or not.
  integer(c_int), bind(c, name="enzyme_dup") :: enzyme_dup
  integer(c_int), bind(c, name="enzyme_dupnoneed") :: enzyme_dupnoneed
  integer(c_int), bind(c, name="enzyme_const") :: enzyme_const

  ! call gradient(f, x, dx): adds the gradient of f at x to dx.
  interface gradient
    subroutine gradient_4_0__enzyme_autodiff(f, x, dx)
      interface
        real(4) function f(x)
          real(4), intent(in) :: x
        end function
      end interface
      real(4), intent(in) :: x
      real(4), intent(inout) :: dx
    end subroutine
    subroutine gradient_4_1__enzyme_autodiff(f, x, dx)
      interface
        real(4) function f(x)
          real(4), intent(in) :: x(:)
        end function
      end interface
      real(4), intent(in) :: x(:)
      real(4), intent(inout) :: dx(:)
    end subroutine
    subroutine gradient_4_2__enzyme_autodiff(f, x, dx)
      interface
        real(4) function f(x)
          real(4), intent(in) :: x(:, :)
        end function
      end interface
      real(4), intent(in) :: x(:, :)
      real(4), intent(inout) :: dx(:, :)
    end subroutine
    subroutine gradient_8_0__enzyme_autodiff(f, x, dx)
      interface
        real(8) function f(x)
          real(8), intent(in) :: x
        end function
      end interface
      real(8), intent(in) :: x
      real(8), intent(inout) :: dx
    end subroutine
    subroutine gradient_8_1__enzyme_autodiff(f, x, dx)
      interface
        real(8) function f(x)
          real(8), intent(in) :: x(:)
        end function
      end interface
      real(8), intent(in) :: x(:)
      real(8), intent(inout) :: dx(:)
    end subroutine
    subroutine gradient_8_2__enzyme_autodiff(f, x, dx)
      interface
        real(8) function f(x)
          real(8), intent(in) :: x(:, :)
        end function
      end interface
      real(8), intent(in) :: x(:, :)
      real(8), intent(inout) :: dx(:, :)
    end subroutine
  end interface

  ! derivative(f, x, v): the derivative of f at x in the direction v.
  interface derivative
    real(4) function derivative_4_0__enzyme_fwddiff(f, x, v)
      interface
        real(4) function f(x)
          real(4), intent(in) :: x
        end function
      end interface
      real(4), intent(in) :: x, v
    end function
    real(4) function derivative_4_1__enzyme_fwddiff(f, x, v)
      interface
        real(4) function f(x)
          real(4), intent(in) :: x(:)
        end function
      end interface
      real(4), intent(in) :: x(:), v(:)
    end function
    real(4) function derivative_4_2__enzyme_fwddiff(f, x, v)
      interface
        real(4) function f(x)
          real(4), intent(in) :: x(:, :)
        end function
      end interface
      real(4), intent(in) :: x(:, :), v(:, :)
    end function
    real(8) function derivative_8_0__enzyme_fwddiff(f, x, v)
      interface
        real(8) function f(x)
          real(8), intent(in) :: x
        end function
      end interface
      real(8), intent(in) :: x, v
    end function
    real(8) function derivative_8_1__enzyme_fwddiff(f, x, v)
      interface
        real(8) function f(x)
          real(8), intent(in) :: x(:)
        end function
      end interface
      real(8), intent(in) :: x(:), v(:)
    end function
    real(8) function derivative_8_2__enzyme_fwddiff(f, x, v)
      interface
        real(8) function f(x)
          real(8), intent(in) :: x(:, :)
        end function
      end interface
      real(8), intent(in) :: x(:, :), v(:, :)
    end function
  end interface
end module
