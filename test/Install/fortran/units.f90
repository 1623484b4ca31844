! What both other files use.
module units
  implicit none
  type :: spring
    real(8) :: stiffness, length
  end type
contains
  pure real(8) function tension(s, stretch)
    type(spring), intent(in) :: s
    real(8), intent(in) :: stretch
    tension = s%stiffness * (stretch - s%length)**2 / 2
  end function
end module
