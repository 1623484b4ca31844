; What a call may overwrite is found from the bodies of the functions that it leads to, and from
; what Isozyme knows of math functions: they write errno at most.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

declare double @lgamma(double)
declare double @frexp(double, ptr)
declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare void @unknown()
@total = internal global double 0.0

define double @f(ptr %x, i64 %n, ptr %p) "isozyme-request"="reverse(dup, const, const) -> active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %w = fmul double %v, %v
  %sum.next = fadd double %sum, %w
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %a = call double @prior(double 3.0)
  %b = call double @even(i64 %n)
  %c = call double @exponents(double 4.0)
  call void @fills(ptr %p)
  call void @adds(double %a)
  call void @calls.unknown()
  %r = fadd double %sum.next, %a
  ret double %r
}
define double @prior(double %a) noinline {
  %g = call double @lgamma(double %a)
  ret double %g
}
; Functions that call each other.
define double @even(i64 %n) noinline {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %stop, label %on
on:
  %m = sub i64 %n, 1
  %r = call double @odd(i64 %m)
  ret double %r
stop:
  ret double 0.0
}
define double @odd(i64 %n) noinline {
  %end = icmp eq i64 %n, 0
  br i1 %end, label %stop, label %on
on:
  %m = sub i64 %n, 1
  %r = call double @even(i64 %m)
  %g = call double @lgamma(double %r)
  ret double %g
stop:
  ret double 1.0
}
; A result in a local variable, and memory that is gone when it returns.
define double @exponents(double %a) noinline {
  %e = alloca i32
  %block = call ptr @malloc(i64 8)
  store double %a, ptr %block
  %m = call double @frexp(double %a, ptr %e)
  call void @free(ptr %block)
  ret double %m
}
define void @fills(ptr %p) noinline {
  %g = call double @lgamma(double 2.0)
  store double %g, ptr %p
  ret void
}
define void @adds(double %a) noinline {
  store double %a, ptr @total
  ret void
}
define void @calls.unknown() noinline {
  call void @unknown()
  ret void
}
; CHECK:      %v primal {{.*}} cache
; CHECK:      calls
; CHECK:        @prior   inactive {{.*}} overwrites nothing
; CHECK-NEXT:   @even   inactive {{.*}} overwrites nothing
; CHECK-NEXT:   @exponents   inactive {{.*}} overwrites nothing
; CHECK-NEXT:   @fills   inactive {{.*}} overwrites what it is passed
; CHECK-NEXT:   @adds   inactive   nothing active goes through it{{$}}
; CHECK-NEXT:   @calls.unknown   inactive   nothing active goes through it{{$}}

; Who comes back from a call has not met what ends the program, or leaves by an exception.
define void @checks(double %a) noinline {
  %bad = fcmp olt double %a, 0.0
  br i1 %bad, label %fail, label %fine
fail:
  call void @unknown()
  unreachable
fine:
  ret void
}
; Memory of its own, or none.
define double @maybe.empty(double %a, i64 %n) noinline {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %join, label %make
make:
  %block = call ptr @malloc(i64 %n)
  br label %join
join:
  %at = phi ptr [ null, %entry ], [ %block, %make ]
  store double %a, ptr %at
  %r = load double, ptr %at
  ret double %r
}
; The end of what it is passed.
define ptr @fill.up(ptr %p, i64 %n) noinline {
  store double 1.0, ptr %p
  %end = getelementptr double, ptr %p, i64 %n
  ret ptr %end
}

; Nothing is kept where only such functions come later, and one more address is passed on.
define double @g(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  %local = alloca double
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %w = fmul double %v, %v
  %sum.next = fadd double %sum, %w
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %a = call double @prior(double 3.0)
  call void @fills(ptr %local)
  call void @checks(double %a)
  %d = call double @maybe.empty(double %a, i64 %n)
  %end = call ptr @fill.up(ptr %local, i64 1)
  %back = getelementptr double, ptr %end, i64 -1
  call void @fills(ptr %back)
  %b = load double, ptr %local
  %s = fadd double %a, %b
  %r = fadd double %sum.next, %s
  ret double %r
}
; CHECK-LABEL: plan for reverse(@g
; CHECK:         %v primal  for %w  reload  (not overwritten afterwards)
