; sqrt may write to errno, which is an int, so that the optimiser loads other ints again behind it.
; Differentiated code does not look at errno. The call itself stays what it was.
; RUN: %opt -passes='print<isozyme-prepared>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
declare double @sqrt(double)
declare double @unknown(double)

; CHECK-LABEL: prepared function for @around
; CHECK: %n = load i32
; CHECK-NOT: load i32
; CHECK: loop %for: {{.*}}last %
define void @around(ptr noalias %x, ptr %count) {
entry:
  %n = load i32, ptr %count, !tbaa !1
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %for, label %exit
for:
  %i = phi i32 [0, %entry], [%next, %for]
  %p = getelementptr inbounds double, ptr %x, i32 %i
  %v = load double, ptr %p, !tbaa !3
  %root = call double @sqrt(double %v)
  store double %root, ptr %p, !tbaa !3
  %next = add nuw nsw i32 %i, 1
  %again = load i32, ptr %count, !tbaa !1
  %more = icmp slt i32 %next, %again
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; CHECK-LABEL: prepared function for @kept
; CHECK: call double @sqrt(double %v){{$}}
define double @kept(ptr %x) {
  %v = load double, ptr %x
  %root = call double @sqrt(double %v)
  ret double %root
}

; An address, too, where no metadata tells that it is no int.
; CHECK-LABEL: prepared function for @address
; CHECK: load ptr
; CHECK-NOT: load ptr
; CHECK: ret double
define double @address(ptr %object, double %x) {
  %data = load ptr, ptr %object
  %y = call double @sqrt(double %x)
  %again = load ptr, ptr %object
  %at = getelementptr double, ptr %again, i64 1
  %v = load double, ptr %data
  %w = load double, ptr %at
  %s = fadd double %v, %w
  %r = fmul double %s, %y
  ret double %r
}

; What else is called may write to it.
; CHECK-LABEL: prepared function for @elsewhere
; CHECK: load i32
; CHECK: load i32
define i32 @elsewhere(ptr %count, double %x) {
  %n = load i32, ptr %count
  %y = call double @sqrt(double %x)
  %z = call double @unknown(double %y)
  %m = load i32, ptr %count
  %sum = add i32 %n, %m
  ret i32 %sum
}

!0 = !{!"root"}
!1 = !{!2, !2, i64 0}
!2 = !{!"int", !0}
!3 = !{!4, !4, i64 0}
!4 = !{!"double", !0}
