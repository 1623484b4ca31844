! Arrays are assigned, rearranged and reduced by functions of flang's run-time library.
! REQUIRES: flang
! RUN: mkdir -p %t.dir
! RUN: cd %t.dir
! RUN: %flang -O0 %s -o program && ./program | FileCheck %s
! RUN: %if turn-1 %{ %flang -O1 %s -o program && ./program | FileCheck %s %}
! RUN: %if turn-2 %{ %flang -O2 %s -o program && ./program | FileCheck %s %}
! RUN: %if turn-2 %{ %flang -O2 -g %s -o program && ./program | FileCheck %s %}
! RUN: %if turn-3 %{ %flang -O3 %s -o program && ./program | FileCheck %s %}
! CHECK: assigned: agrees
! CHECK: reduced: agrees
! CHECK: moved: agrees
! CHECK: others: agrees
module markers
  use iso_c_binding
  integer(c_int), bind(c, name="enzyme_dup") :: enzyme_dup
  integer(c_int), bind(c, name="enzyme_const") :: enzyme_const
end module
module costs
  implicit none
contains
  subroutine assigned(x, n, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: r
    real(8), allocatable :: u(:), v(:), w(:,:)
    integer, allocatable :: k(:)
    integer :: i
    u = x
    v = u*u
    u = v(2:n)
    v = v(n:1:-1)
    u = [u, v, x(1)]
    k = [3, 1, 2]
    w = spread(u, 2, 3)
    w = w * spread([1d0, 2d0, 3d0], 1, size(u))
    w = transpose(w)
    u = w(2, :)
    u = u(k)
    k = k(2:3)
    r = sum(u * [(i, i = 1, size(u))]) + sum(w) * u(k(1))
    w = spread(x, 2, n) * spread(x, 1, n)
    r = r + w(1, 1) * w(2, 2) + spread_twice(x, n)
  end subroutine
  real(8) function spread_twice(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: w(n, 3)
    w = spread(x, 2, 3)
    spread_twice = w(1, 1) * w(2, 2)
  end function
  subroutine reduced(x, n, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: r
    real(8) :: a(2, n/2), s(n/2)
    integer :: at(2)
    a = reshape(x, [2, n/2])
    a = a * a + a
    s = sum(a, 1)
    r = sum(a, mask = a > 0.5d0) + product(x) + norm2(x) + dot_product(s, s) + sum(matmul(a, s))
    r = r + maxval(x) * minval(x) + sum(maxval(a, 2)) + sum(product(a, 1)) + sum(norm2(a, 1)) + sum(minval(a, 1))
    at = maxloc(a)
    r = r * a(at(1), at(2)) + a(1, minloc(s, 1)) + sum(matmul(transpose(a), a))
  end subroutine
  subroutine moved(x, n, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: r
    real(8), allocatable :: u(:), w(:)
    real(8) :: m(2, n/2)
    u = pack(x, x > 0.4d0)
    r = sum(u * u) * size(u)
    u = unpack(u, x > 0.4d0, x * 2)
    r = r + sum(u * cshift(u, 1) * eoshift(x, -1)) + sum(u * eoshift(x, 2, boundary = x(1)))
    m = reshape(u, [2, n/2], order = [2, 1])
    m = cshift(m, 1, dim = 2)
    r = r + sum(m(1, :) * m(2, :) * m(1, 1)) + sum(merge(x, u, x > 0.4d0) * x)
    call move_alloc(u, w)
    allocate(u, source = w)
    r = r + sum(w * u) + mod(x(1) * 7, 2d0) + modulo(-x(2) * 7, 2d0) * x(2)
  end subroutine
  subroutine others(x, n, r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: r
    complex(8) :: z(n), y(n)
    complex(8), allocatable :: c(:)
    real(4), allocatable :: f(:)
    real(8), pointer :: p(:), q(:)
    z = cmplx(x, x * x, 8)
    c = z * (1, 2)
    y = matmul(spread(c, 1, n), z)
    r = abs(dot_product(z, c)) + real(sum(c)) + aimag(product(c)) + real(y(1)) + abs(sum(y))
    f = real(x * 3, 4)
    f = f * f
    r = r + sum(f) + norm2(f) + maxval(f)
    allocate(p(n))
    p = x
    q => p(2:)
    q = q * 3
    r = r + sum(p) * q(1)
    deallocate(p)
    if (r < -1000) stop 1
  end subroutine
end module
program main
  use markers
  use costs
  implicit none
  external :: f__enzyme_autodiff
  integer, parameter :: n = 6
  real(8) :: x(n), dx(n), r, dr
  x = [0.3d0, 0.7d0, 1.1d0, 0.2d0, 0.9d0, 0.5d0]
  dx = 0; dr = 1
  call f__enzyme_autodiff(assigned, enzyme_dup, x, dx, enzyme_const, n, enzyme_dup, r, dr)
  call compare('assigned', assigned)
  dx = 0; dr = 1
  call f__enzyme_autodiff(reduced, enzyme_dup, x, dx, enzyme_const, n, enzyme_dup, r, dr)
  call compare('reduced', reduced)
  dx = 0; dr = 1
  call f__enzyme_autodiff(moved, enzyme_dup, x, dx, enzyme_const, n, enzyme_dup, r, dr)
  call compare('moved', moved)
  dx = 0; dr = 1
  call f__enzyme_autodiff(others, enzyme_dup, x, dx, enzyme_const, n, enzyme_dup, r, dr)
  call compare('others', others)
contains
  subroutine compare(name, f)
    character(*), intent(in) :: name
    external :: f
    real(8) :: s, a, b, worst
    real(8), parameter :: h = 1d-5
    integer :: i
    worst = 0
    do i = 1, n
      s = x(i)
      x(i) = s + h
      call f(x, n, a)
      x(i) = s - h
      call f(x, n, b)
      x(i) = s
      worst = max(worst, abs((a - b) / (2 * h) - dx(i)) / (1 + abs(dx(i))))
    end do
    ! The last one has a part in single precision.
    if (worst < 2d-7 .or. (name == 'others' .and. worst < 0.2d0)) then
      print '(A, A)', name, ': agrees'
    else
      print '(A, A, 9G12.4)', name, ': ', worst, dx
    end if
  end subroutine
end program
