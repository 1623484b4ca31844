! What tests of Fortran compare gradients with: differences of the function itself.
module slopes
  implicit none
  abstract interface
    real(8) function scalar_function(x)
      real(8), intent(in) :: x(:)
    end function
  end interface
contains
  ! Prints "name: agrees", or what does not agree. `slope_along` is the derivative of forward mode along `v`.
  subroutine compare(name, f, x, dx, v, slope_along)
    character(*), intent(in) :: name
    procedure(scalar_function) :: f
    real(8), intent(in) :: x(:), dx(:)
    real(8), intent(in), optional :: v(:), slope_along
    real(8), parameter :: h = 1d-5
    real(8) :: more(size(x)), less(size(x)), slope
    integer :: i
    logical :: agrees
    agrees = .true.
    do i = 1, size(x)
      more = x
      less = x
      more(i) = x(i) + h
      less(i) = x(i) - h
      slope = (f(more) - f(less)) / (2 * h)
      if (abs(slope - dx(i)) <= 1d-6 * (1 + abs(dx(i)))) cycle
      agrees = .false.
      print '(A, A, I0, A, 2G20.12)', name, ': by x(', i, ') ', slope, dx(i)
    end do
    if (present(v)) then
      if (abs(dot_product(dx, v) - slope_along) > 1d-10 * (1 + abs(slope_along))) then
        agrees = .false.
        print '(A, A, 2G20.12)', name, ': along v ', dot_product(dx, v), slope_along
      end if
    end if
    if (agrees) print '(A, A)', name, ': agrees'
  end subroutine
end module
