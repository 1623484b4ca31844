module grid
  implicit none
contains
  real(8) function smooth(a, w)
    real(8), intent(in) :: a(:, :), w(0:)
    integer :: i, j
    smooth = 0
    do j = 1, size(a, 2)
      do i = 1, size(a, 1)
        smooth = smooth + a(i, j)**2 * w(i - 1)
      end do
    end do
  end function

  subroutine diffuse(n, m, u, total)
    integer, intent(in) :: n, m
    real(8), intent(in) :: u(n, m)
    real(8), intent(out) :: total
    integer :: i, j
    total = 0
    do j = 2, m
      do i = 2, n
        total = total + u(i, j) * u(i - 1, j) * u(i, j - 1)
      end do
    end do
  end subroutine

  real(8) function middle(c)
    real(8), intent(in) :: c(2, -1:1)
    middle = c(2, 0)**2
  end function
end module
