! What is read from files and text, or random, is constant: `read` sets differentiated variables, and leaves what is left
! out, or stands behind the end, as it was. Nothing is read twice.
! REQUIRES: flang
! UNSUPPORTED: sanitizers
! RUN: %fortran -O0 %s | FileCheck %s
! RUN: %fortran -O1 %s | FileCheck %s
! RUN: %fortran -O2 %s | FileCheck %s
! CHECK: single: agrees
! CHECK: arrays: agrees
! CHECK: lines: agrees
! CHECK: random: agrees
module models
  implicit none
contains
  real(8) function single(x)
    real(8), intent(in) :: x(:)
    real(8) :: p(4)
    real(4) :: f
    complex(8) :: c
    integer :: k
    character(40) :: text
    p = x**2
    f = real(x(1), 4)
    c = cmplx(p(1), p(2), 8)
    text = '1.5 , , 2.5 (1, 2) 4 7'
    read(text, *) p(1), p(2), p(3), c, k, f
    single = sum(p * x) + real(c * p(2)) * k + f * x(3)
  end function
  real(8) function arrays(x)
    real(8), intent(in) :: x(:)
    real(8) :: p(4)
    complex(8) :: c(2)
    character(40) :: text
    p = x**2
    c = cmplx(p(1:2), p(3:4), 8)
    text = '1.5 , , 2.5 3'
    read(text, *) p
    text = '(1, 2) /'
    read(text, *) c
    arrays = sum(p * x) + real(c(1) * c(2))
    text = '4 5'
    read(text, *) p(1:4:2)
    arrays = arrays * p(3) + p(2) * p(1)
  end function
  real(8) function lines(x)
    real(8), intent(in) :: x(:)
    real(8) :: p
    integer :: unit, status, k
    open(newunit=unit, status='scratch')
    write(unit, *) 2d0
    write(unit, *) 3d0
    rewind(unit)
    lines = 0
    do k = 1, 3
      p = x(k)**2
      read(unit, *, iostat=status) p
      lines = lines + p * x(1) * k
      if (status /= 0) lines = lines * x(2)
    end do
    close(unit)
  end function
  real(8) function random(x)
    real(8), intent(in) :: x(:)
    real(8) :: p(4), q(2, 2), r
    integer :: seed(8), k
    seed = 7
    call random_seed(put=seed)
    p = x
    q = reshape(x, [2, 2])
    r = x(1)
    call random_number(p)
    call random_number(q(1, :))
    random = sum(p * x) + sum(q**2)
    do k = 1, 3
      random = random * r + x(k)
      call random_number(r)
    end do
  end function
end module

program main
  use isozyme
  use slopes
  use models
  implicit none
  real(8) :: x(4) = [1d0, 0.5d0, 0.7d0, 0.9d0], dx(4)
  dx = 0
  call gradient(single, x, dx)
  call compare('single', single, x, dx)
  dx = 0
  call gradient(arrays, x, dx)
  call compare('arrays', arrays, x, dx)
  dx = 0
  call gradient(lines, x, dx)
  call compare('lines', lines, x, dx)
  dx = 0
  call gradient(random, x, dx)
  call compare('random', random, x, dx)
end program
