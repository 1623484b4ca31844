!mod$ v1 sum:c1b28581acc78aa3
module costs
type::particle
real(8)::x(1_8:2_8)
real(8)::mass
integer(4)::id
end type
contains
function energy(x)
real(8),intent(in)::x(:)
real(8)::energy
end
subroutine grown(u)
real(8),allocatable,intent(inout)::u(:)
end
function dummies(x)
real(8),intent(in)::x(:)
real(8)::dummies
end
end
