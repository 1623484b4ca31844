! Arrays of derived types, assumed shape, allocatable dummy arguments.
! REQUIRES: flang
! RUN: mkdir -p %t.dir
! RUN: cd %t.dir
! RUN: %flang -O2 %s -o program && ./program | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: energy: agrees
! CHECK: dummies: agrees
module costs
  implicit none
  type particle
    real(8) :: x(2), mass
    integer :: id
  end type
contains
  real(8) function energy(x)
    real(8), intent(in) :: x(:)
    type(particle), allocatable :: p(:), q(:)
    integer :: i
    allocate(p(size(x)))
    do i = 1, size(x)
      p(i)%x = [x(i), x(i)**2]
      p(i)%mass = i
      p(i)%id = i
    end do
    q = p
    q(1) = p(2)
    energy = sum(q%mass * q%x(1)) + sum(q(:)%x(2)) + q(1)%x(2)
  end function
  subroutine grown(u)
    real(8), allocatable, intent(inout) :: u(:)
    u = [u, 2 * u(1)]
  end subroutine
  real(8) function dummies(x)
    real(8), intent(in) :: x(:)
    real(8), allocatable :: u(:)
    u = x
    call grown(u)
    call grown(u)
    dummies = sum(u * u) + norm2(u(::2))
  end function
end module
program main
  use costs
  implicit none
  interface
    subroutine g__enzyme_autodiff(f, x, dx)
      external :: f
      real(8) :: x(:), dx(:)
    end subroutine
  end interface
  real(8) :: x(3), dx(3)
  x = [0.5d0, 0.75d0, 1.25d0]
  dx = 0
  call g__enzyme_autodiff(energy, x, dx)
  call compare('energy', energy)
  dx = 0
  call g__enzyme_autodiff(dummies, x, dx)
  call compare('dummies', dummies)
contains
  subroutine compare(name, f)
    character(*), intent(in) :: name
    interface
      real(8) function f(x)
        real(8), intent(in) :: x(:)
      end function
    end interface
    real(8) :: s, a, b, worst
    integer :: i
    worst = 0
    do i = 1, 3
      s = x(i)
      x(i) = s + 1d-5
      a = f(x)
      x(i) = s - 1d-5
      b = f(x)
      x(i) = s
      worst = max(worst, abs((a - b) / 2d-5 - dx(i)) / (1 + abs(dx(i))))
    end do
    if (worst < 2d-7) then
      print '(A, A)', name, ': agrees'
    else
      print '(A, A, 9G12.4)', name, ': ', worst, dx
    end if
  end subroutine
end program
