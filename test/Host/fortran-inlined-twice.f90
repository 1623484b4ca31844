! A procedure that is inlined twice: what is its `y` at first is its `x` then. flang's tags (TBAA) of the two deny that
! they are the same memory, and the gradient missed what goes from one call to the other.
! REQUIRES: flang
! RUN: %if turn-0 %{ %fortran -O0 %s | FileCheck %s %}
! RUN: %fortran -O2 %s | FileCheck %s
! RUN: %fortran -O3 %s | FileCheck %s
! CHECK: gradient agrees
! CHECK: direction agrees
module vectors
  implicit none
contains
  subroutine multiply(trans, m, n, alpha, a, lda, x, incx, beta, y, incy)
    character :: trans
    integer :: m, n, lda, incx, incy, i, j, ix, jy
    real(8) :: alpha, beta, a(lda, *), x(*), y(*), t
    if (trans == 'N') then
      do i = 1, m
        y(1 + (i - 1) * incy) = beta * y(1 + (i - 1) * incy)
      end do
      ix = 1
      do j = 1, n
        t = alpha * x(ix)
        jy = 1
        do i = 1, m
          y(jy) = y(jy) + t * a(i, j)
          jy = jy + incy
        end do
        ix = ix + incx
      end do
    else
      do j = 1, n
        t = 0
        do i = 1, m
          t = t + a(i, j) * x(1 + (i - 1) * incx)
        end do
        y(1 + (j - 1) * incy) = beta * y(1 + (j - 1) * incy) + alpha * t
      end do
    end if
  end subroutine
  real(8) function f(x)
    real(8), intent(in) :: x(:)
    real(8) :: a(5, 3), y(7), w(12)
    integer :: i, j
    a = 0
    w = 0.3d0 * x(5)
    do j = 1, 3
      do i = 1, 3
        a(i, j) = x(mod(2*i + j, 6) + 1) + merge(2, 0, i == j)
      end do
    end do
    y = [(x(mod(i, 6) + 1), i = 1, 7)]
    call multiply('N', 3, 3, x(1), a, 5, w(2), 2, 0.5d0, y(1), 3)
    call multiply('N', 3, 1, 1d0, a(2, 1), 5, y(7), -1, 1d0, w, 1)
    f = sum(y) + sum(w(1:3)) * a(1, 1) * a(2, 2) * a(3, 3)
  end function
end module
program main
  use isozyme
  use vectors
  implicit none
  real(8) :: x(6) = [2.7d0, 1.3d0, 0.4d0, -0.2d0, 3.1d0, 1.9d0], dx(6), e(6), step(6)
  real(8) :: v(6) = [1d0, -2d0, 0.5d0, 3d0, -1d0, 0.25d0]
  integer :: i
  dx = 0
  call gradient(f, x, dx)
  do i = 1, 6
    step = 0
    step(i) = 1d-3
    e(i) = (8 * (f(x + step) - f(x - step)) - f(x + 2 * step) + f(x - 2 * step)) / 12d-3
  end do
  print '(A)', merge('gradient agrees ', 'gradient differs', all(abs(dx - e) < 1d-6 * max(1d0, abs(e))))
  print '(A)', merge('direction agrees ', 'direction differs', abs(derivative(f, x, v) - dot_product(e, v)) < 1d-5)
end program
