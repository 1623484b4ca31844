! A bound procedure that is called through a `class` pointer, in a module with records that have allocatable components:
! the helpers that assign these were taken for procedures that the call may lead to.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: dispatched: agrees
! CHECK: stepped: agrees
module models
  implicit none
  type, abstract :: operation
  contains
    procedure(applying), deferred :: apply
  end type
  abstract interface
    subroutine applying(self, v)
      import operation
      class(operation), intent(inout) :: self
      real(8), intent(inout) :: v(:)
    end subroutine
  end interface
  type, extends(operation) :: scaler
    real(8) :: s
    integer :: n = 0
  contains
    procedure :: apply => scale_by
  end type
  type, extends(operation) :: shifter
    real(8) :: d(2)
  contains
    procedure :: apply => shift_by
  end type
  type :: grid
    integer :: nx, ny
    real(8), allocatable :: u(:, :), next(:, :)
    real(8) :: k
  end type
contains
  subroutine scale_by(self, v)
    class(scaler), intent(inout) :: self
    real(8), intent(inout) :: v(:)
    v = v * self%s
    self%n = self%n + 1
    self%s = self%s * 1.1d0
  end subroutine
  subroutine shift_by(self, v)
    class(shifter), intent(inout) :: self
    real(8), intent(inout) :: v(:)
    v(1:2) = v(1:2) + self%d
    self%d = self%d(2:1:-1)
  end subroutine
  real(8) function dispatched(x)
    real(8), intent(in) :: x(:)
    type(scaler), target :: a
    type(shifter), target :: b
    class(operation), pointer :: o
    real(8) :: v(3)
    integer :: i
    a = scaler(x(1))
    b%d = x(2:3)
    v = x(4)
    do i = 1, 6
      if (mod(i, 2) == 0) then
        o => a
      else
        o => b
      end if
      call o%apply(v)
    end do
    dispatched = sum(v**2) + a%s * a%n + b%d(1)
  end function
  subroutine step(g, dt)
    type(grid), intent(inout) :: g
    real(8), intent(in) :: dt
    integer :: i, j
    do j = 2, g%ny - 1
      do i = 2, g%nx - 1
        g%next(i, j) = g%u(i, j) + dt * g%k * (g%u(i + 1, j) + g%u(i - 1, j) - 2 * g%u(i, j))
      end do
    end do
    g%next(1, :) = g%next(g%nx - 1, :)
    g%next(g%nx, :) = g%next(2, :)
    g%u = g%next
  end subroutine
  real(8) function stepped(x)
    real(8), intent(in) :: x(:)
    type(grid) :: g
    integer :: i
    g%nx = 4
    g%ny = 3
    g%k = x(1)
    allocate(g%u(4, 3), g%next(4, 3))
    g%next = 0
    do i = 1, 3
      g%u(:, i) = x * i
    end do
    do i = 1, 3
      call step(g, x(2))
    end do
    stepped = sum(g%u**2)
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4)
  dx = 0
  call gradient(dispatched, x, dx)
  call compare('dispatched', dispatched, x, dx)
  dx = 0
  call gradient(stepped, x, dx)
  call compare('stepped', stepped, x, dx)
end program
