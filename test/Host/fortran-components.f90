! Derived types with allocatable components, and arrays of them: they are made without anything
! allocated, assigned component by component, and released at the end of a procedure. Components with
! a value that each new record has.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: locals: agrees
! CHECK: copies: agrees
! CHECK: passed: agrees
! CHECK: parts: agrees
! CHECK: lists: agrees
! CHECK: defaults: agrees
module models
  implicit none
  type :: material
    real(8) :: stiffness
    real(8), allocatable :: z(:)
  end type
  type :: state
    real(8), allocatable :: u(:)
    real(8) :: mass
    integer :: count
    type(material) :: inner
    real(8), allocatable :: grid(:, :)
  end type
  type :: spring
    real(8) :: stiffness = 2.5d0, rest(2) = [0.5d0, 1.5d0]
    integer :: power = 3
    logical :: used = .true.
  end type
contains
  ! Arrays are allocated, change their sizes, and are released at the end.
  real(8) function locals(x)
    real(8), intent(in) :: x(:)
    type(state) :: s
    s%mass = x(1)
    s%count = size(x)
    allocate(s%u(s%count))
    s%u = x * x
    s%u = s%mass * [s%u, x(2)]
    s%grid = spread(s%u, 2, 2)
    s%inner%z = x
    s%inner%stiffness = 2
    locals = sum(s%u) * s%mass * s%inner%stiffness + sum(s%grid) * s%inner%z(3) + s%count
  end function

  ! Assignment of records: copies have arrays of their own, and none where there is none.
  real(8) function copies(x)
    real(8), intent(in) :: x(:)
    type(material) :: a, b, c
    a%stiffness = x(3)
    a%z = x * x
    b = a
    b%z(2) = 3 * b%z(1)
    c%stiffness = x(2)
    c%z = [x, x]
    c = b
    b = a
    copies = sum(a%z) * a%stiffness + b%z(2) * c%z(2) + sum(c%z) * c%stiffness
    if (allocated(a%z)) deallocate(a%z)
    c = a
    if (allocated(c%z)) copies = 0
  end function

  ! What is passed on is changed there.
  subroutine grow(m, by)
    type(material), intent(inout) :: m
    real(8), intent(in) :: by
    m%z = [m%z, by * m%z(1)]
    m%stiffness = m%stiffness * by
  end subroutine
  real(8) function passed(x)
    real(8), intent(in) :: x(:)
    type(material) :: m
    integer :: i
    m%stiffness = x(1)
    m%z = x
    do i = 1, 3
      call grow(m, x(i))
    end do
    passed = sum(m%z * m%z) * m%stiffness
  end function

  ! Arrays of records: local ones, and allocated ones.
  real(8) function parts(x)
    real(8), intent(in) :: x(:)
    type(material) :: p(3)
    integer :: i
    do i = 1, 3
      p(i)%stiffness = x(i)
      allocate(p(i)%z(i))
      p(i)%z = x(1:i) * x(i)
    end do
    parts = 0
    do i = 1, 3
      parts = parts + sum(p(i)%z) * p(i)%stiffness
    end do
  end function
  real(8) function lists(x)
    real(8), intent(in) :: x(:)
    type(material), allocatable :: m(:), copy(:)
    integer :: i
    allocate(m(size(x)))
    do i = 1, size(x)
      m(i)%stiffness = x(i)
      m(i)%z = x * x(i)
    end do
    m(1) = m(2)
    copy = m
    copy(2)%z = m(3)%z * x(1)
    lists = 0
    do i = 1, size(m)
      lists = lists + sum(copy(i)%z) * m(i)%stiffness
    end do
    deallocate(m)
    if (allocated(m)) lists = 0
  end function

  real(8) function defaults(x)
    real(8), intent(in) :: x(:)
    type(spring), allocatable :: s(:), alone
    integer :: i
    allocate(s(size(x)), alone)
    s(2)%stiffness = x(2)
    s(3)%used = .false.
    defaults = alone%stiffness * x(1)
    do i = 1, size(x)
      if (s(i)%used) defaults = defaults + s(i)%stiffness * sum(s(i)%rest) * x(i) ** s(i)%power
    end do
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(3) = [0.7d0, 1.3d0, -0.4d0], v(3) = [0.3d0, -0.5d0, 0.8d0], g(3)
  g = 0
  call gradient(locals, x, g)
  call compare('locals', locals, x, g, v, derivative(locals, x, v))
  g = 0
  call gradient(copies, x, g)
  call compare('copies', copies, x, g, v, derivative(copies, x, v))
  g = 0
  call gradient(passed, x, g)
  call compare('passed', passed, x, g, v, derivative(passed, x, v))
  g = 0
  call gradient(parts, x, g)
  call compare('parts', parts, x, g, v, derivative(parts, x, v))
  g = 0
  call gradient(lists, x, g)
  call compare('lists', lists, x, g, v, derivative(lists, x, v))
  g = 0
  call gradient(defaults, x, g)
  call compare('defaults', defaults, x, g, v, derivative(defaults, x, v))
end program
