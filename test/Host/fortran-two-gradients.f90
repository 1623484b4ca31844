! Two functions of one program whose gradients are asked for. Inlined into the main program, their accesses to one
! array lose flang's tags, which differ from procedure to procedure; the second function copies a section.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: products: agrees
! CHECK: sections: agrees
! CHECK: growing: agrees
module models
  implicit none
contains
  subroutine scaled(x, y, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = x(i) * i
    end do
  end subroutine
  real(8) function product_of(a, b)
    real(8), intent(in) :: a
    real(8), intent(in), optional :: b
    product_of = a * a
    if (present(b)) product_of = product_of * b
  end function
  real(8) function products(x)
    real(8), intent(in) :: x(:)
    products = product_of(x(1)) + product_of(x(2), x(3))
  end function
  real(8) function sections(x)
    real(8), intent(in) :: x(:)
    real(8) :: z(4), y(4)
    call scaled(x, y, 4)
    call scaled(x(4:1:-1), z, 4)
    sections = z(1) * z(2) + y(1)
  end function
  real(8) function growing(x)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: a(:), b(:)
    integer :: i
    a = [real(8) ::]
    do i = 1, size(x)
      a = [a, x(i) * x(i)]
      if (i > 2) a = a(2:)
    end do
    call move_alloc(a, b)
    allocate(a, source=b)
    a = a * 2
    growing = sum(a) * b(1) + ubound(a, 1) * a(2)
  end function
end module

program main
  use isozyme
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4), y(4), slope(4)
  integer :: i
  dx = 0
  call gradient(products, x, dx)
  do i = 1, 4
    y = x
    y(i) = x(i) + 1d-6
    slope(i) = products(y)
    y(i) = x(i) - 1d-6
    slope(i) = (slope(i) - products(y)) / 2d-6
  end do
  if (all(abs(dx - slope) < 1d-6)) print '(A)', 'products: agrees'
  dx = 0
  call gradient(sections, x, dx)
  do i = 1, 4
    y = x
    y(i) = x(i) + 1d-6
    slope(i) = sections(y)
    y(i) = x(i) - 1d-6
    slope(i) = (slope(i) - sections(y)) / 2d-6
  end do
  if (all(abs(dx - slope) < 1d-6)) print '(A)', 'sections: agrees'
  dx = 0
  call gradient(growing, x, dx)
  do i = 1, 4
    y = x
    y(i) = x(i) + 1d-6
    slope(i) = growing(y)
    y(i) = x(i) - 1d-6
    slope(i) = (slope(i) - growing(y)) / 2d-6
  end do
  if (all(abs(dx - slope) < 1d-6)) print '(A)', 'growing: agrees'
end program
