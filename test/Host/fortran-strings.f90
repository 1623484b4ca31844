! Text that is a component of a record with numbers: `trim`, `adjustl` and the like choose what is computed.
! REQUIRES: flang
! RUN: mkdir -p %t.dir
! RUN: cd %t.dir
! RUN: %preload%isozyme fc -O0 %s -o program && ./program | FileCheck %s
! RUN: %if turn-1 %{ %preload%isozyme fc -O1 %s -o program && ./program | FileCheck %s %}
! RUN: %if turn-2 %{ %preload%isozyme fc -O2 %s -o program && ./program | FileCheck %s %}
! RUN: %if turn-3 %{ %preload%isozyme fc -O3 %s -o program && ./program | FileCheck %s %}
! CHECK: OK
module rules
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: options
    character(len=16) :: method = 'simpson'
    real(dp) :: tol = 1d-3
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
end module
program main
  use isozyme
  use rules
  implicit none
  real(dp) :: x(2), d(2), up, dn, keep
  integer :: i
  logical :: ok
  x = [0.9_dp, 1.2_dp]
  d = 0; ok = .true.
  call gradient(cost, x, d)
  do i = 1, 2
    keep = x(i)
    x(i) = keep + 1d-6; up = cost(x); x(i) = keep - 1d-6; dn = cost(x); x(i) = keep
    if (abs(d(i) - (up - dn) / 2d-6) > 1d-5 * (1 + abs(d(i)))) then
      print *, 'WRONG', i, d(i), (up - dn) / 2d-6; ok = .false.
    end if
  end do
  if (ok) print '(A)', 'OK'
  if (.not. ok) stop 1
end program
