! Trees grown by a recursive procedure, in order of a number or of text. Where flang's calls become a loop, the left and
! the right child are one address, and only the names of descriptors tell their members from the numbers of a node.
! REQUIRES: flang
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %if turn-1 %{ %fortran -O1 %s | FileCheck %s %}
! RUN: %if turn-2 %{ %fortran -O2 %s | FileCheck %s %}
! RUN: %if turn-3 %{ %fortran -O3 %s | FileCheck %s %}
! CHECK: by numbers: agrees
! CHECK: by text: agrees
module trees
  implicit none
  type node
    real(8) :: key, val
    type(node), pointer :: left => null(), right => null()
  end type
  type entry
    character(8) :: key
    real(8) :: val
    type(entry), pointer :: left => null(), right => null()
  end type
contains
  recursive subroutine insert(t, key, val)
    type(node), pointer :: t
    real(8), intent(in) :: key, val
    if (.not. associated(t)) then
      allocate(t)
      t%key = key
      t%val = val
    else if (key < t%key) then
      call insert(t%left, key, val)
    else
      call insert(t%right, key, val)
    end if
  end subroutine

  recursive real(8) function total(t, depth) result(s)
    type(node), pointer, intent(in) :: t
    integer, intent(in) :: depth
    s = 0
    if (associated(t)) s = t%val * t%key * depth + total(t%left, depth + 1) + total(t%right, depth + 2)
  end function

  recursive subroutine clear(t)
    type(node), pointer :: t
    if (.not. associated(t)) return
    call clear(t%left)
    call clear(t%right)
    deallocate(t)
  end subroutine

  real(8) function by_numbers(x)
    real(8), intent(in) :: x(:)
    type(node), pointer :: root
    integer :: i
    root => null()
    do i = 1, size(x)
      call insert(root, sin(3 * x(i)), x(i)**2)
    end do
    by_numbers = total(root, 1)
    call clear(root)
  end function

  recursive subroutine enter(t, key, val)
    type(entry), pointer :: t
    character(*), intent(in) :: key
    real(8), intent(in) :: val
    if (.not. associated(t)) then
      allocate(t)
      t%key = key
      t%val = val
    else if (key < t%key) then
      call enter(t%left, key, val)
    else
      call enter(t%right, key, val)
    end if
  end subroutine

  recursive real(8) function sum_of(t, depth) result(s)
    type(entry), pointer, intent(in) :: t
    integer, intent(in) :: depth
    s = 0
    if (associated(t)) s = t%val * depth + sum_of(t%left, depth + 1) + sum_of(t%right, depth + 2)
  end function

  real(8) function by_text(x)
    real(8), intent(in) :: x(:)
    type(entry), pointer :: root
    integer :: i
    root => null()
    do i = 1, size(x)
      call enter(root, char(ichar('a') + mod(i * 7, 5)), x(i)**2)
    end do
    by_text = sum_of(root, 1)
  end function
end module

program main
  use isozyme
  use slopes
  use trees
  implicit none
  real(8) :: x(4) = [0.5d0, 1.5d0, 2.5d0, 0.9d0], dx(4)
  dx = 0
  call gradient(by_numbers, x, dx)
  call compare('by numbers', by_numbers, x, dx)
  dx = 0
  call gradient(by_text, x, dx)
  call compare('by text', by_text, x, dx)
end program
