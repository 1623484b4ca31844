! The model: the energy of a chain of springs, and its gradient.
module chain
  use units
  implicit none
contains
  real(8) function energy(x)
    real(8), intent(in) :: x(:)
    type(spring) :: s
    integer :: i
    s = spring(3d0, 1d0)
    energy = 0
    do i = 2, size(x)
      energy = energy + tension(s, x(i) - x(i - 1))
    end do
  end function

  function forces(x) result(f)
    use isozyme
    real(8), intent(in) :: x(:)
    real(8) :: f(size(x))
    f = 0
    call gradient(energy, x, f)
    f = -f
  end function
end module
