! Sections of arrays that are passed to procedures which want contiguous ones: flang's library makes
! a copy, with a descriptor that nothing has set before. Types that extend one without components.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: sections: agrees
! CHECK: extended: agrees
module models
  implicit none
  type, abstract :: kernel
  contains
    procedure(value_of), deferred :: value
  end type
  type, extends(kernel) :: polynomial
    real(8), allocatable :: c(:)
  contains
    procedure :: value => polynomial_value
  end type
  abstract interface
    real(8) function value_of(this, r)
      import :: kernel
      class(kernel), intent(in) :: this
      real(8), intent(in) :: r
    end function
  end interface
contains
  real(8) function polynomial_value(this, r)
    class(polynomial), intent(in) :: this
    real(8), intent(in) :: r
    integer :: i
    polynomial_value = 0
    do i = size(this%c), 1, -1
      polynomial_value = polynomial_value * r + this%c(i)
    end do
  end function
  real(8) function total(k, points)
    class(kernel), intent(in) :: k
    real(8), intent(in), contiguous :: points(:, :)
    integer :: i, j
    total = 0
    do i = 1, size(points, 2)
      do j = i + 1, size(points, 2)
        total = total + k%value(sum((points(:, i) - points(:, j))**2))
      end do
    end do
  end function
  subroutine smooth(u)
    real(8), intent(inout), contiguous :: u(:)
    integer :: i
    do i = 2, size(u)
      u(i) = u(i) + 0.5d0 * u(i - 1)**2
    end do
  end subroutine
  real(8) function sections(x)
    real(8), intent(in) :: x(:)
    real(8) :: grid(2, 4)
    integer :: i
    do i = 1, 4
      grid(:, i) = [x(i), x(i)**2]
    end do
    call smooth(grid(1, :))
    call smooth(grid(2, 4:1:-1))
    sections = sum(grid * grid)
  end function
  real(8) function extended(x)
    real(8), intent(in) :: x(:)
    type(polynomial) :: p
    real(8), allocatable :: points(:, :)
    integer :: i
    allocate(p%c(3))
    do i = 1, 3
      p%c(i) = x(i)
    end do
    allocate(points(2, 6))
    do i = 1, 6
      points(:, i) = [x(mod(i, 4) + 1), x(1) * i * 0.1d0]
    end do
    extended = total(p, points(:, 1:6:2)) + total(p, points)
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4)
  dx = 0
  call gradient(sections, x, dx)
  call compare('sections', sections, x, dx)
  dx = 0
  call gradient(extended, x, dx)
  call compare('extended', extended, x, dx)
end program
