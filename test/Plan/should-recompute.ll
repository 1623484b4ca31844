; enzyme_shouldrecompute: the call is repeated, where that gives the same; where not, the plan
; says why. (Without the mark, results of calls are kept.)
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

@table = internal constant [2 x double] [double 1.0, double 2.0]
@counter = global i32 0

declare double @stated(double) "enzyme_shouldrecompute"
declare double @unknown(double)

define double @pure(double %x) "enzyme_shouldrecompute" noinline {
  %local = alloca double
  store double %x, ptr %local
  %again = load double, ptr %local
  %two = load double, ptr getelementptr ([2 x double], ptr @table, i64 0, i64 1)
  %s = call double @sin(double %again)
  %y = fmul double %s, %two
  ret double %y
}
define double @counts(double %x) "enzyme_shouldrecompute" noinline {
  %n = load i32, ptr @counter
  %more = add i32 %n, 1
  store i32 %more, ptr @counter
  ret double %x
}
define double @writes(double %x) "enzyme_shouldrecompute" noinline {
  store i32 1, ptr @counter
  ret double %x
}
define double @asks(double %x) "enzyme_shouldrecompute" noinline {
  %y = call double @unknown(double %x)
  ret double %y
}
define double @reads(ptr %p) "enzyme_shouldrecompute" noinline {
  %y = load double, ptr %p
  ret double %y
}

; CHECK-DAG: %a primal  for %ta  recompute  (enzyme_shouldrecompute)
; CHECK-DAG: %b primal  for %tb  recompute  (enzyme_shouldrecompute)
; CHECK-DAG: %c primal  for %tc  cache #{{[0-9]+}}  (enzyme_shouldrecompute cannot be followed, since it reads memory that may change)
; CHECK-DAG: %d primal  for %td  cache #{{[0-9]+}}  (enzyme_shouldrecompute cannot be followed, since it writes memory)
; CHECK-DAG: %e primal  for %te  cache #{{[0-9]+}}  (enzyme_shouldrecompute cannot be followed, since it calls 'unknown', which has no body here)
; CHECK-DAG: %f primal  for %tf  cache #{{[0-9]+}}  (enzyme_shouldrecompute cannot be followed, since it takes addresses)
; CHECK-DAG: %g primal  for %g  recompute  (enzyme_shouldrecompute)
define double @user(double %x, ptr %p, i64 %n, double %k) "isozyme-request"="reverse(active, const, const, const) -> active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sg, %loop ]
  %fi = uitofp i64 %i to double
  %k1 = fadd double %k, %fi
  %a = call double @pure(double %k1)
  %b = call double @stated(double %k1)
  %c = call double @counts(double %k1)
  %d = call double @writes(double %k1)
  %e = call double @asks(double %k1)
  %f = call double @reads(ptr %p)
  %g = call double @exp(double %x) "enzyme_shouldrecompute"
  %ta = fmul double %a, %x
  %sa = fadd double %sum, %ta
  %tb = fmul double %b, %x
  %sb = fadd double %sa, %tb
  %tc = fmul double %c, %x
  %sc = fadd double %sb, %tc
  %td = fmul double %d, %x
  %sd = fadd double %sc, %td
  %te = fmul double %e, %x
  %se = fadd double %sd, %te
  %tf = fmul double %f, %x
  %sf = fadd double %se, %tf
  %sg = fadd double %sf, %g
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sg
}
declare double @sin(double)
declare double @exp(double)
