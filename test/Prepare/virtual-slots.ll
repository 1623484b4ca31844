; A virtual function is called through its slot only: those of other slots have other arguments in mind.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

@_ZTI1A = external constant ptr
@_ZTI1B = external constant ptr
@_ZTV1A = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI1A, ptr @A0, ptr @A1] }
@_ZTV1B = constant { [3 x ptr], [4 x ptr] } { [3 x ptr] [ptr null, ptr @_ZTI1B, ptr @B0], [4 x ptr] [ptr inttoptr (i64 -8 to ptr), ptr @_ZTI1B, ptr @B0, ptr @B1] }
@elsewhere = global ptr @kept

define double @A0(ptr %p) noinline {
  %x = load double, ptr %p
  ret double %x
}
define double @A1(ptr %p) noinline {
  %x = load double, ptr %p
  %y = fmul double %x, %x
  ret double %y
}
define double @B0(ptr %p) noinline {
  %x = load double, ptr %p
  %y = fadd double %x, %x
  ret double %y
}
define double @B1(ptr %p) noinline {
  %x = load double, ptr %p
  %y = fsub double %x, 1.0
  ret double %y
}
define double @kept(ptr %p) noinline {
  %x = load double, ptr %p
  %y = fadd double %x, 1.0
  ret double %y
}

; CHECK-LABEL: prepared function for @first
; CHECK-NOT: @A1
; CHECK-NOT: @B1
; CHECK: icmp eq ptr %f, @A0
; CHECK-NOT: @A1
; CHECK-NOT: @B1
; CHECK: icmp eq ptr %f, @B0
; CHECK-NOT: @A1
; CHECK-NOT: @B1
; CHECK: icmp eq ptr %f, @kept
define double @first(ptr %p) "isozyme-request"="reverse(dup)->active" {
  %table = load ptr, ptr %p
  %f = load ptr, ptr %table
  %r = call double %f(ptr %p)
  ret double %r
}

; CHECK-LABEL: prepared function for @second
; CHECK-NOT: @A0
; CHECK-NOT: @B0
; CHECK: icmp eq ptr %f, @A1
; CHECK-NOT: @A0
; CHECK-NOT: @B0
; CHECK: icmp eq ptr %f, @B1
; CHECK-NOT: @A0
; CHECK-NOT: @B0
; CHECK: icmp eq ptr %f, @kept
define double @second(ptr %p) "isozyme-request"="reverse(dup)->active" {
  %table = load ptr, ptr %p
  %slot = getelementptr inbounds i8, ptr %table, i64 8
  %f = load ptr, ptr %slot
  %r = call double %f(ptr %p)
  ret double %r
}

; Not where one slot or another is read: a pointer to a member.
; CHECK-LABEL: prepared function for @any
; CHECK-DAG: icmp eq ptr %f, @A0
; CHECK-DAG: icmp eq ptr %f, @A1
; CHECK-DAG: icmp eq ptr %f, @B0
; CHECK-DAG: icmp eq ptr %f, @B1
define double @any(ptr %p, i64 %which) "isozyme-request"="reverse(dup,const)->active" {
  %table = load ptr, ptr %p
  %slot = getelementptr inbounds i8, ptr %table, i64 %which
  %f = load ptr, ptr %slot
  %r = call double %f(ptr %p)
  ret double %r
}
