; A member of a union is an index, and the same bytes are moved on where they are a float. The value that the optimiser
; loads once for both is a number where it is an index. Where it is moved, memory is: there its shadow tells what it is.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: sed -e 's/, align 8//' %s | not %opt -passes='print<isozyme-plan>' -disable-output - 2>&1 | FileCheck --check-prefix=ERROR %s

; CHECK-LABEL: derivative plan for reverse(@index: dup ptr, dup ptr, dup ptr) -> active
; CHECK: %bits primal
; CHECK: call @llvm.memcpy.p0.p0.i64: copy addresses, copy  floats or addresses
; ERROR: error: {{.*}}what is moved here may be a differentiated float, or else an address or an integer; {{.*}} [IZ202]
define internal double @index(ptr %v, ptr %table, ptr %out) #0 {
entry:
  %tag = load i64, ptr %v, align 8, !tbaa !4
  %at = getelementptr inbounds nuw i8, ptr %v, i64 8
  %bits = load i64, ptr %at, align 8, !tbaa !5
  %indexes = icmp eq i64 %tag, 1
  br i1 %indexes, label %look, label %move
look:
  %element = getelementptr inbounds double, ptr %table, i64 %bits
  %x = load double, ptr %element, !tbaa !6
  ret double %x
move:
  store i64 %tag, ptr %out, align 8, !tbaa !4
  %to = getelementptr inbounds nuw i8, ptr %out, i64 8
  store i64 %bits, ptr %to, align 8, !tbaa !5
  ret double 0.0
}

; The same of an address.
; CHECK-LABEL: derivative plan for reverse(@follow: dup ptr, dup ptr, dup ptr) -> active
; CHECK: call @llvm.memcpy.p0.p0.i64: copy addresses, copy  floats or addresses
define internal double @follow(ptr %v, ptr %table, ptr %out) #0 {
entry:
  %tag = load i64, ptr %v, align 8, !tbaa !4
  %at = getelementptr inbounds nuw i8, ptr %v, i64 8
  %p = load ptr, ptr %at, align 8, !tbaa !5
  %leads = icmp eq i64 %tag, 1
  br i1 %leads, label %look, label %move
look:
  %x = load double, ptr %p, !tbaa !6
  ret double %x
move:
  %to = getelementptr inbounds nuw i8, ptr %out, i64 8
  store ptr %p, ptr %to, align 8, !tbaa !5
  ret double 0.0
}

; What the source calls an integer is one: nothing is moved as anything else.
; CHECK-LABEL: derivative plan for reverse(@named: dup ptr, dup ptr, dup ptr) -> active
; CHECK-NOT: {{memcpy|memmove}}
define internal double @named(ptr %v, ptr %table, ptr %out) #0 {
  %at = getelementptr inbounds nuw i8, ptr %v, i64 8
  %count = load i64, ptr %v, align 8, !tbaa !4
  %element = getelementptr inbounds double, ptr %table, i64 %count
  %x = load double, ptr %element, !tbaa !6
  store i64 %count, ptr %out, align 8, !tbaa !4
  ret double %x
}

define double @f(ptr %v, ptr %table) {
  %out = alloca { i64, double }
  store i64 0, ptr %out, !tbaa !4
  %d = getelementptr inbounds nuw i8, ptr %out, i64 8
  store double 0.0, ptr %d, !tbaa !5
  %r = call double @index(ptr %v, ptr %table, ptr %out)
  %s = call double @follow(ptr %v, ptr %table, ptr %out)
  %t = call double @named(ptr %v, ptr %table, ptr %out)
  %y = load double, ptr %d, !tbaa !5
  %square = fmul double %y, %y
  %some = fadd double %r, %square
  %more = fadd double %some, %s
  %sum = fadd double %more, %t
  ret double %sum
}

attributes #0 = { "isozyme-request"="reverse(dup,dup,dup)->active" }

!0 = !{!"root"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!"long", !1, i64 0}
!3 = !{!"val", !2, i64 0, !1, i64 8}
!4 = !{!3, !2, i64 0}
!5 = !{!1, !1, i64 0}
!6 = !{!7, !7, i64 0}
!7 = !{!"double", !1, i64 0}
