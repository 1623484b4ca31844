!mod$ v1 sum:1d6def60edefa6d7
!need$ 2494346d1a411ef1 n isozyme
module shapes
contains
subroutine grown(x,r)
real(8),allocatable,intent(inout)::x(:)
real(8),intent(inout)::r
end
subroutine passed(x,dx,r,dr)
real(8),allocatable,intent(inout)::x(:)
real(8),allocatable,intent(inout)::dx(:)
real(8),intent(inout)::r
real(8),intent(inout)::dr
end
subroutine pointed(x,dx,r,dr)
real(8),intent(inout),pointer::x(:)
real(8),intent(inout),pointer::dx(:)
real(8),intent(inout)::r
real(8),intent(inout)::dr
end
end
