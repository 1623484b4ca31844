; The request for a callee: a shadow for pointers, a gradient for numbers, nothing for
; integers and what does not vary; a callee that comes back is marked.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @f(double %x, double %c, ptr %p, i64 %n) "isozyme-request"="reverse(active, const, dup, const) -> active, width 2" {
  %a = call double @g(double %x, double %c, ptr %p, i64 %n)
  %b = call double @h(double %a)
  ret double %b
}
define double @g(double %x, double %c, ptr %p, i64 %n) noinline {
  store double %x, ptr %p
  %r = fmul double %x, %c
  ret double %r
}
define double @h(double %x) noinline {
  %small = fcmp olt double %x, 1.0
  br i1 %small, label %done, label %again
again:
  %half = fmul double %x, 0.5
  %r = call double @f(double %half, double 1.0, ptr null, i64 0)
  br label %done
done:
  %s = phi double [ %x, %0 ], [ %r, %again ]
  ret double %s
}
; CHECK:      calls
; CHECK-NEXT:   @g   differentiate   augment(@g: active double, const double, dup ptr overwritten, const i64) -> active, width 2   overwrites what it is passed{{$}}
; CHECK-NEXT:   @h   differentiate   augment(@h: active double) -> active, width 2   recursive
