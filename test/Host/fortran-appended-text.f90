! Records with text and numbers are made by a bound procedure, which fills the text up with blanks, and appended to an
! array; the text is looked at later.
! REQUIRES: flang
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %if turn-2 %{ %fortran -O2 %s | FileCheck %s %}
! RUN: %if turn-3 %{ %fortran -O3 %s | FileCheck %s %}
! CHECK: terms: agrees
module terms
  implicit none
  type :: term
    character(len=16) :: kind = ''
    real(8) :: coef = 0, power = 1
  end type
  type :: poly
    type(term), allocatable :: t(:)
    integer :: n = 0
  contains
    procedure :: append
    procedure :: eval
  end type
contains
  subroutine append(self, kind, c, p)
    class(poly), intent(inout) :: self
    character(len=*), intent(in) :: kind
    real(8), intent(in) :: c, p
    type(term) :: new
    new%kind = adjustl(kind)
    new%coef = c
    new%power = p
    if (.not. allocated(self%t)) allocate(self%t(0))
    self%t = [self%t, new]
    self%n = self%n + 1
  end subroutine
  real(8) function eval(self, x)
    class(poly), intent(in) :: self
    real(8), intent(in) :: x
    integer :: i
    eval = 0
    do i = 1, size(self%t)
      select case (trim(self%t(i)%kind))
      case ('pow')
        eval = eval + self%t(i)%coef * x**self%t(i)%power
      case ('exp')
        eval = eval + self%t(i)%coef * exp(-x * self%t(i)%power)
      case default
        error stop 'bad term'
      end select
    end do
  end function
  real(8) function f(x)
    real(8), intent(in) :: x(:)
    type(poly) :: p
    integer :: i
    call p%append(' pow', x(1), 2d0)
    call p%append('exp ', x(2), x(3))
    call p%append('pow', 0.5d0, x(1))
    f = 0
    do i = 1, 4
      f = f + p%eval(0.3d0 * i) * i
    end do
  end function
end module
program p
  use terms
  use isozyme
  use slopes
  implicit none
  real(8) :: x(3) = [0.3d0, 0.7d0, 1.1d0], dx(3)
  dx = 0
  call gradient(f, x, dx)
  call compare('terms', f, x, dx)
end program
