! Internal procedures that are passed to other procedures: flang makes code for them on the stack. The other
! procedures call them, hand them on, call themselves with them, and ask whether an optional one is there.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! RUN: not %isozyme fc -O1 -DPOINTER -cpp -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=KEPT
! KEPT: error: {{.*}}fortran-internal.f90:{{.*}} in kept{{.*}} (module solvers): the internal procedure 'curve{{.*}}' is passed on by code that is made when the program runs, {{.*}} make it a procedure of the module{{.*}} [IZ201]
module solvers
  implicit none
  abstract interface
    real(8) function scalar(t)
      real(8), intent(in) :: t
    end function
    function rates(t, y) result(d)
      real(8), intent(in) :: t, y(:)
      real(8) :: d(size(y))
    end function
  end interface
#ifdef POINTER
  type box
    procedure(scalar), pointer, nopass :: f
  end type
#endif
contains
  recursive real(8) function integral(g, a, b, tolerance) result(s)
    procedure(scalar) :: g
    real(8), intent(in) :: a, b, tolerance
    real(8) :: m, one, two
    m = (a + b) / 2
    one = (b - a) / 6 * (g(a) + 4 * g(m) + g(b))
    two = (m - a) / 6 * (g(a) + 4 * g((a + m) / 2) + g(m)) + (b - m) / 6 * (g(m) + 4 * g((m + b) / 2) + g(b))
    if (abs(one - two) < tolerance) then
      s = two
    else
      s = integral(g, a, m, tolerance / 2) + integral(g, m, b, tolerance / 2)
    end if
  end function
  real(8) function mean(g, n)
    procedure(scalar) :: g
    integer, intent(in) :: n
    mean = integral(g, 0d0, 1d0 * n, 1d-5) / n
  end function
  real(8) function root(g, slope, guess)
    procedure(scalar) :: g
    procedure(scalar), optional :: slope
    real(8), intent(in) :: guess
    integer :: i
    root = guess
    do i = 1, 30
      if (present(slope)) then
        root = root - g(root) / slope(root)
      else
        root = root - 2d-3 * g(root) / (g(root + 1d-3) - g(root - 1d-3))
      end if
    end do
  end function
  subroutine steps(f, y, n, h)
    procedure(rates) :: f
    real(8), intent(inout) :: y(:)
    integer, intent(in) :: n
    real(8), intent(in) :: h
    real(8) :: k(size(y))
    integer :: i
    do i = 1, n
      k = f((i - 1) * h, y)
      y = y + h * f((i - 0.5d0) * h, y + h / 2 * k)
    end do
  end subroutine
  ! The variables of the procedure around them are differentiated, too, and one that is not is counted.
  real(8) function cost(x)
    real(8), intent(in) :: x(:)
    real(8) :: y(2), a(3)
    integer :: calls
    calls = 0
    a = x
    y = x(:2)
    call steps(pendulum, y, 5, 0.1d0)
    call steps(pendulum, y, 3, 0.2d0)
    cost = integral(wave, 0d0, 2d0, 1d-4) + mean(wave, 2) * root(level, incline, 1d0) + root(level, guess=2d0)
    cost = cost + mean(square, 3) + y(1) * y(2) + calls
  contains
    function pendulum(t, y) result(d)
      real(8), intent(in) :: t, y(:)
      real(8) :: d(size(y))
      d = [y(2), -x(3) * sin(y(1)) + a(1) * cos(t)]
    end function
    real(8) function wave(t)
      real(8), intent(in) :: t
      calls = calls + 1
      wave = x(1) * sin(a(2) * t) + exp(-a(3) * t)
    end function
    real(8) function level(t)
      real(8), intent(in) :: t
      level = t**3 + a(1) * t - x(2) - a(3)**2
    end function
    real(8) function incline(t)
      real(8), intent(in) :: t
      incline = 3 * t**2 + a(1)
    end function
  end function
  real(8) function square(t)
    real(8), intent(in) :: t
    square = t**2
  end function
#ifdef POINTER
  real(8) function kept(x)
    real(8), intent(in) :: x(:)
    type(box) :: b
    b%f => curve
    kept = through(b, x(2))
  contains
    real(8) function curve(t)
      real(8), intent(in) :: t
      curve = x(1) * t**2
    end function
  end function
  recursive real(8) function through(b, t) result(s)
    type(box), intent(in) :: b
    real(8), intent(in) :: t
    s = b%f(t)
    if (t > 1) s = s + through(b, t / 2)
  end function
#endif
end module
program main
  use isozyme
  use solvers
  implicit none
  real(8) :: x(3) = [0.7d0, 1.3d0, 0.4d0], dx(3), v(3) = [1d0, -2d0, 0.5d0], e(3), step(3)
  integer :: i
  dx = 0
#ifdef POINTER
  call gradient(kept, x, dx)
#else
  call gradient(cost, x, dx)
  do i = 1, 3
    step = 0
    step(i) = 1d-4
    e(i) = (8 * (cost(x + step) - cost(x - step)) - cost(x + 2 * step) + cost(x - 2 * step)) / 12d-4
  end do
  ! CHECK: gradient agrees
  print '(A)', merge('gradient agrees ', 'gradient differs', all(abs(dx - e) < 1d-7))
  ! CHECK: direction agrees
  print '(A)', merge('direction agrees ', 'direction differs', abs(derivative(cost, x, v) - dot_product(e, v)) < 1d-7)
#endif
end program
