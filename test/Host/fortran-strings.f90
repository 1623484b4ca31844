! Text that is a component of a record with numbers: `trim`, `adjustl` and the like choose what is computed; `write` puts
! a name there.
! REQUIRES: flang
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %if turn-1 %{ %fortran -O1 %s | FileCheck %s %}
! RUN: %if turn-2 %{ %fortran -O2 %s | FileCheck %s %}
! RUN: %if turn-3 %{ %fortran -O3 %s | FileCheck %s %}
! CHECK: chosen: agrees
! CHECK: written: agrees
module rules
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: options
    character(len=16) :: method = 'simpson'
    real(dp) :: tol = 1d-3
  end type
  type :: particle
    real(dp) :: at(2)
    character(len=8) :: name
  end type
contains
  real(dp) function pick(o, x)
    type(options), intent(in) :: o
    real(dp), intent(in) :: x(:)
    character(len=:), allocatable :: name
    character(len=8) :: tag
    name = trim(adjustl(o%method)) // '_rule'
    write (tag, '(I3)') size(x)
    if (index(name, 'simp') > 0) then
      pick = x(1)**2 + len_trim(name)
    else if (name == 'trapez_rule') then
      pick = sin(x(2)) * o%tol
    else
      pick = 0
    end if
    tag = adjustr(adjustl(tag))
    select case (trim(adjustl(tag)))
    case ('2'); pick = pick * x(2)
    case default; pick = pick + 1
    end select
    if (scan(name, 'xyz') > 0) pick = pick * 2
    if (verify(name, 'simpson_rule') > 0) pick = pick * x(1)
  end function
  real(dp) function cost(x)
    real(dp), intent(in) :: x(:)
    type(options) :: o
    cost = pick(o, x)
    o%method = '  trapez'; o%tol = x(1)
    cost = cost + pick(o, x)
  end function
  real(dp) function named(x)
    real(dp), intent(in) :: x(:)
    type(particle) :: p(size(x))
    integer :: i
    do i = 1, size(x)
      p(i)%at = [x(i), x(i)**2]
      write (p(i)%name, '(A, I0)') 'p', i * 9
    end do
    named = 0
    do i = 1, size(x)
      named = named + sum(p(i)%at) * len_trim(p(i)%name)
    end do
  end function
end module
program main
  use isozyme
  use rules
  use slopes
  implicit none
  real(dp) :: x(2) = [0.9_dp, 1.2_dp], d(2)
  d = 0
  call gradient(cost, x, d)
  call compare('chosen', cost, x, d)
  d = 0
  call gradient(named, x, d)
  call compare('written', named, x, d)
end program
