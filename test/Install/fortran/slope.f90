module functions
  implicit none
contains
  real(8) function cube(x)
    real(8), intent(in) :: x
    cube = x**3
  end function
end module

program slope
  use isozyme
  use functions
  implicit none
  real(8) :: x = 2d0, dx = 0d0
  call gradient(cube, x, dx)
  print '(A, F6.2)', 'slope', dx
end program
