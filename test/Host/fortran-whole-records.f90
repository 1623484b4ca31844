! Arrays of derived types that hold integers beside arrays of numbers are assigned as a whole, component by
! component; types with bound procedures are made and passed on.
! REQUIRES: flang
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: saved: agrees
! CHECK: large: agrees
! CHECK: bound: agrees
module costs
  implicit none
  type particle
    integer :: id
    real(8) :: pos(3), mass
    integer :: colour
  end type
  type large
    integer :: id
    real(8) :: field(40)
  end type
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
    real(8) :: start, rate
  contains
    procedure :: at => decay_at
  end type
  type, extends(model) :: line
    real(8) :: slope
  contains
    procedure :: at => line_at
  end type
contains
  real(8) function saved(x)
    real(8), intent(in) :: x(:)
    type(particle), allocatable :: p(:), old(:)
    type(particle) :: fixed(3), one
    integer :: i
    allocate(p(3))
    do i = 1, 3
      p(i)%id = i; p(i)%colour = 2 * i; p(i)%mass = x(i)
      p(i)%pos = [x(i), x(3), x(1)] * i
    end do
    old = p
    p = [p, old(2)]
    old = pack(p(2:4), p(2:4)%id > 0)
    fixed = old
    one = fixed(2); fixed(2) = fixed(3); fixed(3) = one
    old(1:2) = fixed(2:3)
    old(3) = particle(7, x(1:3), x(2), 9)
    saved = 0
    do i = 1, 3
      saved = saved + old(i)%mass * sum(old(i)%pos**2) * old(i)%id * old(i)%colour + fixed(i)%pos(2)
    end do
  end function
  real(8) function big(x)
    real(8), intent(in) :: x(:)
    type(large), allocatable :: p(:), q(:)
    integer :: i
    allocate(p(3))
    do i = 1, 3
      p(i)%id = i; p(i)%field = x(i)
    end do
    q = p
    big = 0
    do i = 1, 3
      big = big + sum(q(i)%field**2) * q(i)%id
    end do
  end function
  real(8) function decay_at(self, t)
    class(decay), intent(in) :: self
    real(8), intent(in) :: t
    decay_at = self%start * exp(-self%rate * t)
  end function
  real(8) function line_at(self, t)
    class(line), intent(in) :: self
    real(8), intent(in) :: t
    line_at = self%slope * t
  end function
  real(8) function integral(m)
    class(model), intent(in) :: m
    integer :: i
    integral = 0
    do i = 1, 5
      integral = integral + m%at(i * 0.1d0)
    end do
  end function
  real(8) function bound(x)
    real(8), intent(in) :: x(:)
    type(decay), target :: a
    type(line), target :: b
    class(model), pointer :: m
    integer :: i
    a = decay(x(1), x(2)); b = line(x(3))
    bound = integral(decay(x(2), x(3)))
    do i = 1, 4
      if (mod(i, 2) == 0) then
        m => a
      else
        m => b
      end if
      bound = bound + m%at(i * 0.1d0) * integral(m)
    end do
  end function
end module
program p
  use costs
  use isozyme
  use slopes
  implicit none
  real(8) :: x(3) = [0.3d0, 0.7d0, 1.1d0], dx(3)
  dx = 0; call gradient(saved, x, dx); call compare('saved', saved, x, dx)
  dx = 0; call gradient(big, x, dx); call compare('large', big, x, dx)
  dx = 0; call gradient(bound, x, dx); call compare('bound', bound, x, dx)
end program
