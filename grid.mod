!mod$ v1 sum:edff631b8436e821
module grid
contains
function smooth(a,w)
real(8),intent(in)::a(:,:)
real(8),intent(in)::w(0_8:)
real(8)::smooth
end
subroutine diffuse(n,m,u,total)
integer(4),intent(in)::n
integer(4),intent(in)::m
real(8),intent(in)::u(1_8:int(n,kind=8),1_8:int(m,kind=8))
real(8),intent(out)::total
end
function middle(c)
real(8),intent(in)::c(1_8:2_8,-1_8:1_8)
real(8)::middle
end
end
