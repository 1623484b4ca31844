! `class` variables that are allocated with a type or with a value, and assigned as a whole; they live on in other
! procedures, in pointers and in arrays.
! REQUIRES: flang
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %if turn-2 %{ %fortran -O2 %s | FileCheck %s %}
! RUN: %if turn-3 %{ %fortran -O3 %s | FileCheck %s %}
! CHECK: chosen: agrees
! CHECK: made: agrees
! CHECK: pointers: agrees
! CHECK: many: agrees
module models
  implicit none
  type, abstract :: model
  contains
    procedure(value_at), deferred :: at
  end type
  abstract interface
    real(8) function value_at(self, t)
      import model
      class(model), intent(in) :: self
      real(8), intent(in) :: t
    end function
  end interface
  type, extends(model) :: decay
    real(8) :: start = 2, rate
    integer :: n = 3
  contains
    procedure :: at => decay_at
  end type
  type, extends(model) :: line
    integer :: k = 2
    real(8) :: slope
  contains
    procedure :: at => line_at
  end type
  type, extends(line) :: curve
    real(8) :: bend(2) = [1d0, 2d0]
  contains
    procedure :: at => curve_at
  end type
  type :: holder
    class(model), pointer :: p => null()
  end type
contains
  real(8) function decay_at(self, t)
    class(decay), intent(in) :: self
    real(8), intent(in) :: t
    decay_at = self%start * exp(-self%rate * t) * self%n
  end function
  real(8) function line_at(self, t)
    class(line), intent(in) :: self
    real(8), intent(in) :: t
    line_at = self%slope * t * self%k
  end function
  real(8) function curve_at(self, t)
    class(curve), intent(in) :: self
    real(8), intent(in) :: t
    curve_at = self%slope * t * self%k + self%bend(1) * t**2 + self%bend(2)
  end function

  real(8) function chosen(x)
    real(8), intent(in) :: x(:)
    class(model), allocatable :: a, b
    if (x(1) > 0) then
      allocate(a, source=decay(x(1), x(2), 2))
    else
      allocate(a, source=line(1, x(2)))
    end if
    allocate(line :: b)
    select type (b)
    type is (line)
      b%slope = x(3)
    end select
    chosen = a%at(0.5d0) * b%at(1.5d0)
  end function

  subroutine make(kind, x, m)
    integer, intent(in) :: kind
    real(8), intent(in) :: x(:)
    class(model), allocatable, intent(out) :: m
    select case (kind)
    case (1)
      m = decay(x(1), x(2), 4)
    case (2)
      m = line(3, x(3))
    case default
      m = curve(2, x(1), x(2:3))
    end select
  end subroutine
  real(8) function made(x)
    real(8), intent(in) :: x(:)
    class(model), allocatable :: m
    integer :: i
    made = 0
    do i = 1, 4
      call make(i, x, m)
      made = made + m%at(0.5d0 * i) * x(1 + mod(i, 3))
    end do
  end function

  real(8) function pointers(x)
    real(8), intent(in) :: x(:)
    class(model), pointer :: a
    type(holder) :: h(2)
    integer :: i
    allocate(decay :: h(1)%p)
    allocate(h(2)%p, source=curve(2, x(1), x(2:3)))
    allocate(line :: a)
    select type (a)
    class is (line)
      a%slope = x(3)
    end select
    associate (p => h(1)%p)
      select type (p)
      type is (decay)
        p%rate = x(2)
      end select
    end associate
    pointers = a%at(1d0)
    do i = 1, 2
      pointers = pointers * h(i)%p%at(0.5d0)
      deallocate(h(i)%p)
    end do
    deallocate(a)
  end function

  real(8) function many(x)
    real(8), intent(in) :: x(:)
    class(line), allocatable :: a(:)
    integer :: i
    allocate(curve :: a(3))
    do i = 1, 3
      a(i)%slope = x(i)
    end do
    select type (a)
    type is (curve)
      a(2)%bend = x(1:2)
    end select
    many = 0
    do i = 1, 3
      many = many + a(i)%at(0.1d0 * i) * x(1)
    end do
  end function
end module
program p
  use models
  use isozyme
  use slopes
  implicit none
  real(8) :: x(3) = [0.3d0, 0.7d0, 1.1d0], dx(3)
  dx = 0; call gradient(chosen, x, dx); call compare('chosen', chosen, x, dx)
  dx = 0; call gradient(made, x, dx); call compare('made', made, x, dx)
  dx = 0; call gradient(pointers, x, dx); call compare('pointers', pointers, x, dx)
  dx = 0; call gradient(many, x, dx); call compare('many', many, x, dx)
end program
