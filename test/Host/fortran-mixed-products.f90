! Products of arrays of different types: dot_product took the elements of both for numbers of the result's type at -O0,
! and matmul was refused.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! CHECK: dots: agrees
! CHECK: complexes: agrees
! CHECK: matrices: agrees
module models
  implicit none
contains
  real(8) function dots(x)
    real(8), intent(in) :: x(:)
    integer :: k(4)
    integer(1) :: small(4)
    real(4) :: f(4)
    k = [1, 2, 3, 4]
    small = int([5, 6, 7, 8], 1)
    f = [0.5, 0.25, 2., 4.]
    dots = dot_product(k, x) * dot_product(x, f) + dot_product(x(4:1:-1), small) + dot_product(x, x)
  end function
  real(8) function complexes(x)
    real(8), intent(in) :: x(:)
    complex(8) :: c(4)
    complex(4) :: d(4)
    integer :: k(4)
    k = [1, 2, 3, 4]
    d = (1., 2.)
    c = cmplx(x, x(4:1:-1), 8)
    complexes = aimag(dot_product(c, x)) + aimag(dot_product(x, c)) * 2 + abs(dot_product(c, k)) + aimag(dot_product(d, c))
  end function
  real(8) function matrices(x)
    real(8), intent(in) :: x(:)
    integer :: k(4, 4), i
    real(4) :: f(4, 4)
    complex(8) :: c(4)
    k = reshape([(i, i = 1, 16)], [4, 4])
    f = 0.5
    c = cmplx(x, x * 2, 8)
    c = matmul(f, c) + matmul(c, k)
    matrices = sum(matmul(transpose(k), x) * x) + sum(matmul(x, k)**2) + abs(sum(c))
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4)
  dx = 0
  call gradient(dots, x, dx)
  call compare('dots', dots, x, dx)
  dx = 0
  call gradient(complexes, x, dx)
  call compare('complexes', complexes, x, dx)
  dx = 0
  call gradient(matrices, x, dx)
  call compare('matrices', matrices, x, dx)
end program
