program main
  use chain
  implicit none
  print '(A, 3F7.2)', 'forces', forces([0d0, 1.5d0, 2d0])
end program
