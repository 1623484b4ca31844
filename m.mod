!mod$ v1 sum:25e4567648097f68
module m
contains
function ss(v)
real(8),intent(in)::v(:)
real(8)::ss
end
subroutine tt(v,r)
real(8),intent(in)::v(:)
real(8),intent(inout)::r
end
end
