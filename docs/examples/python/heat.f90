! The temperature of a rod, after heat has spread in it for some time. Its ends are insulated.
module heat
  implicit none
contains

  ! warm: temperatures of n cells. fourier: conductivity * dt / dx**2, at most 0.5.
  subroutine spread_heat(before, n, fourier, steps, after)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: before(n), fourier
    real(8), intent(out) :: after(n)
    real(8) :: flow(0:n)
    integer :: i
    after = before
    flow(0) = 0
    flow(n) = 0
    do i = 1, steps
      flow(1:n-1) = fourier * (after(2:n) - after(1:n-1))
      after = after + flow(1:n) - flow(0:n-1)
    end do
  end subroutine

  ! How far the rod is from what was measured at its end, and how rough it was at the start.
  real(8) function misfit(before, n, fourier, steps, measured, smoothing)
    integer, intent(in) :: n, steps
    real(8), intent(in) :: before(n), fourier, measured(n), smoothing
    real(8) :: after(n)
    call spread_heat(before, n, fourier, steps, after)
    misfit = sum((after - measured)**2) + smoothing * sum((before(2:n) - before(1:n-1))**2)
  end function
end module
