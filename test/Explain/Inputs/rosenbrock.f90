double precision function rosenbrock(x, n)
  implicit none
  integer, intent(in) :: n
  double precision, intent(in) :: x(n)
  integer :: i
  rosenbrock = 0d0
  do i = 1, n - 1
    rosenbrock = rosenbrock + 100d0 * (x(i + 1) - x(i)**2)**2 + (1d0 - x(i))**2
  end do
end function
