!mod$ v1 sum:91b72696ccf07e31
module model
type::cell
real(8),allocatable::t(:)
integer(4)::kind=2_4
end type
type::column
type(cell),allocatable::c(:)
real(8)::area
end type
type::ocean
type(column),allocatable::col(:,:)
type(cell),allocatable::top
type(column)::edge
type(cell),pointer::seen=>NULL()
character(8_4,1)::name
end type
intrinsic::null
contains
subroutine build(o,x)
type(ocean),intent(out)::o
real(8),intent(in)::x(:)
end
function heat(o)
type(ocean),intent(in)::o
real(8)::heat
end
function built(x)
real(8),intent(in)::x(:)
real(8)::built
end
function copied(x)
real(8),intent(in)::x(:)
real(8)::copied
end
function renewed(x)
real(8),intent(in)::x(:)
real(8)::renewed
end
end
