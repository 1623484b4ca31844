! Allocatable records within each other: allocated one in the other, assigned as a whole and in
! parts, moved, released, and made again.
! REQUIRES: flang, valgrind
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %if turn-1 %{ %fortran -O1 %s | FileCheck %s %}
! RUN: %if turn-2 %{ env RUNNER="valgrind -q --leak-check=full --error-exitcode=3" %fortran -O2 %s | FileCheck %s %}
! RUN: %if turn-3 %{ %fortran -O3 %s | FileCheck %s %}
! CHECK: built: agrees
! CHECK: copied: agrees
! CHECK: renewed: agrees
module model
  implicit none
  type :: cell
    real(8), allocatable :: t(:)
    integer :: kind = 2
  end type
  type :: column
    type(cell), allocatable :: c(:)
    real(8) :: area
  end type
  type :: ocean
    type(column), allocatable :: col(:, :)
    type(cell), allocatable :: top
    type(column) :: edge
    type(cell), pointer :: seen => null()
    character(8) :: name
  end type
contains
  subroutine build(o, x)
    type(ocean), intent(out) :: o
    real(8), intent(in) :: x(:)
    integer :: i, j, k
    allocate(o%col(2, size(x) / 2))
    do j = 1, size(o%col, 2)
      do i = 1, 2
        allocate(o%col(i, j)%c(3))
        o%col(i, j)%area = x(1) * i
        do k = 1, 3
          o%col(i, j)%c(k)%t = x * k + i * j
        end do
      end do
    end do
    allocate(o%top)
    o%top%t = x**2
    allocate(o%edge%c(1))
    o%edge%c(1)%t = [x, x(1)]
    o%edge%area = x(2)
    o%name = 'big'
  end subroutine
  real(8) function heat(o)
    type(ocean), intent(in) :: o
    integer :: i, j, k
    heat = 0
    do j = 1, size(o%col, 2)
      do i = 1, 2
        if (.not. allocated(o%col(i, j)%c)) cycle
        do k = 1, size(o%col(i, j)%c)
          if (allocated(o%col(i, j)%c(k)%t)) &
            heat = heat + o%col(i, j)%area * sum(o%col(i, j)%c(k)%t**2) * o%col(i, j)%c(k)%kind
        end do
      end do
    end do
    if (allocated(o%top)) heat = heat + sum(o%top%t)
    heat = heat + o%edge%area * sum(o%edge%c(1)%t)
  end function
  ! Built in a subroutine, and released at the end.
  real(8) function built(x)
    real(8), intent(in) :: x(:)
    type(ocean) :: o
    call build(o, x)
    built = heat(o)
  end function
  ! Assigned as a whole, twice, and parts of it.
  real(8) function copied(x)
    real(8), intent(in) :: x(:)
    type(ocean) :: o, p
    call build(o, x)
    p = o
    p%col(1, 1)%c(2)%t = 2 * p%col(1, 1)%c(2)%t
    copied = heat(o)
    o%col(2, 1) = p%col(1, 1)
    o%top = p%col(2, 2)%c(1)
    o%edge = o%col(1, 2)
    copied = copied + heat(p) + heat(o)
    p = o
    copied = copied * heat(p)
  end function
  ! Released and made again; built twice; moved.
  real(8) function renewed(x)
    real(8), intent(in) :: x(:)
    type(ocean) :: o
    type(cell), allocatable :: spare(:)
    integer :: k
    call build(o, x)
    renewed = heat(o)
    call build(o, x(:2))
    renewed = renewed + 2 * heat(o)
    deallocate(o%col(1, 1)%c)
    call move_alloc(o%col(2, 1)%c, spare)
    deallocate(o%top)
    renewed = renewed + heat(o)
    do k = 1, size(spare)
      renewed = renewed + sum(spare(k)%t) * k
    end do
    allocate(o%col(1, 1)%c(2))
    o%col(1, 1)%c(2)%t = x(3:4)
    renewed = renewed + heat(o)
  end function
end module
program main
  use model
  use isozyme
  use slopes
  implicit none
  real(8) :: x(4), dx(4)
  x = [0.5d0, 0.75d0, 1.25d0, 2d0]
  dx = 0
  call gradient(built, x, dx)
  call compare('built', built, x, dx)
  dx = 0
  call gradient(copied, x, dx)
  call compare('copied', copied, x, dx)
  dx = 0
  call gradient(renewed, x, dx)
  call compare('renewed', renewed, x, dx)
end program
