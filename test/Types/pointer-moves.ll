; A pointer that is only moved is what memory says: a float in @number, an address in @address.
; Where both may be, it is copied in memory. What nothing is known of is an address.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @number.prepared
; CHECK: %to -> every 8: {0..8 float double
; CHECK: %moved.bits: float double
define double @number(ptr %from, double %x) #0 {
  %to = alloca ptr
  store double %x, ptr %from
  %moved = load ptr, ptr %from
  store ptr %moved, ptr %to
  %y = load double, ptr %to
  ret double %y
}

; CHECK-LABEL: types of @address.prepared
; CHECK: %moved -> every 8: {0..8 float double}
define double @address(ptr %from, ptr %to) #1 {
  %moved = load ptr, ptr %from
  store ptr %moved, ptr %to
  %there = load ptr, ptr %to
  %y = load double, ptr %there
  ret double %y
}

; CHECK-LABEL: types of @either.prepared
; CHECK: copy of 8 bytes at %from
define double @either(ptr %from, ptr %to) #1 {
  %moved = load ptr, ptr %from
  store ptr %moved, ptr %to
  %there = load ptr, ptr %from
  %y = load double, ptr %there
  %z = load double, ptr %from
  %sum = fadd double %y, %z
  ret double %sum
}

; CHECK-LABEL: types of @nothing.prepared
; CHECK: %to -> starts with {0..8 pointer}
define void @nothing(ptr %from, ptr %to) #2 {
  %moved = load ptr, ptr %from
  store ptr %moved, ptr %to
  ret void
}

; A number of a variant is stored as the address that another alternative has, on a way that is never taken.
; CHECK-LABEL: types of @forwarded.prepared
; CHECK-NEXT: %from -> every 8: {0..8 float double}
; CHECK-NEXT: %to
; CHECK-NEXT: float double
define double @forwarded(ptr %from, ptr %to, i8 %alternative) #3 {
  %moved = load ptr, ptr %from, !tbaa !0
  %isVector = icmp eq i8 %alternative, 1
  br i1 %isVector, label %vector, label %number

vector:
  store ptr %moved, ptr %to, !tbaa !3
  ret double 0.0

number:
  store ptr %moved, ptr %to, !tbaa !0
  %z = load double, ptr %to, !tbaa !0
  ret double %z
}

attributes #0 = { "isozyme-request"="reverse(dup,active)->active" }
attributes #1 = { "isozyme-request"="reverse(dup,dup)->active" }
attributes #2 = { "isozyme-request"="reverse(dup,dup)->const" }
attributes #3 = { "isozyme-request"="reverse(dup,dup,const)->active" }

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"omnipotent char", !5}
!3 = !{!4, !4, i64 0}
!4 = !{!"any pointer", !2}
!5 = !{!"Simple C/C++ TBAA"}
