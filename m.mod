!mod$ v1 sum:b39b41369c4ab768
module m
type::point
real(8)::x
real(8)::y
end type
type::bag
real(8),allocatable::v(:)
real(8)::s
end type
contains
subroutine area(n,u,r)
integer(4),intent(in)::n
real(8),intent(in)::u(1_8:int(n,kind=8))
real(8),intent(inout)::r
end
subroutine whole(n,u,r)
integer(4),intent(in)::n
real(8),intent(in)::u(1_8:int(n,kind=8))
real(8),intent(inout)::r
end
subroutine bags(n,u,r)
integer(4),intent(in)::n
real(8),intent(in)::u(1_8:int(n,kind=8))
real(8),intent(inout)::r
end
subroutine plain(n,u,r)
integer(4),intent(in)::n
real(8),intent(in)::u(1_8:int(n,kind=8))
real(8),intent(inout)::r
end
end
