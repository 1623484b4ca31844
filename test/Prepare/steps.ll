; The steps of Prepare run in the order of PrepareSteps.def; the code can be printed after each.
; RUN: %opt %s -passes=autodiff -isozyme-print-after=steps -isozyme-verify-each -disable-output 2>&1 | FileCheck %s
; RUN: %opt %s -passes=autodiff -isozyme-print-after=one-return -disable-output 2>&1 | FileCheck %s --check-prefix=AFTER
; RUN: env ISOZYME_OPTIONS=-isozyme-print-after=registers %opt %s -passes=autodiff -disable-output 2>&1 | FileCheck %s --check-prefix=BEFORE
; RUN: not %opt %s -passes=autodiff -isozyme-print-after=register -disable-output 2>&1 | FileCheck %s --check-prefix=UNKNOWN
; CHECK:      steps for @f:
; CHECK-NEXT: Calls computed-gotos{{$}}
; CHECK-NEXT: Calls variable-arguments{{$}}
; CHECK-NEXT: Calls versions{{$}}
; CHECK-NEXT: Calls matrices{{$}}
; CHECK-NEXT: Calls callees{{$}}
; CHECK-NEXT: Calls loop-arrays{{$}}
; CHECK-NEXT: Calls markers{{$}}
; CHECK-NEXT: Calls zero-guards{{$}}
; CHECK-NEXT: Calls by-value{{$}}
; CHECK-NEXT: Calls unwinding{{$}}
; CHECK-NEXT: Calls float-environment{{$}}
; CHECK-NEXT: Calls wide-powers{{$}}
; CHECK-NEXT: Calls paired-math{{$}}
; CHECK-NEXT: Calls complex-math{{$}}
; CHECK-NEXT: Calls dynamic-casts{{$}}
; CHECK-NEXT: Calls strings{{$}}
; CHECK-NEXT: Calls streams{{$}}
; CHECK-NEXT: Calls input{{$}}
; CHECK-NEXT: Calls allocation{{$}}
; CHECK-NEXT: Calls inline-asm{{$}}
; CHECK-NEXT: Calls target-vectors{{$}}
; CHECK-NEXT: Calls reductions{{$}}
; CHECK-NEXT: Memory mixed-values{{$}}
; CHECK-NEXT: Memory iterations{{$}}
; CHECK-NEXT: Memory aggregates{{$}}
; CHECK-NEXT: Memory integer-addresses{{$}}
; CHECK-NEXT: Registers registers: changed{{$}}
; CHECK-NEXT: Registers null-members{{$}}
; CHECK-NEXT: Registers function-addresses{{$}}
; CHECK-NEXT: Registers branches: changed{{$}}
; CHECK-NEXT: Registers device-queries
; CHECK-NEXT: Registers invariant-loads
; CHECK-NEXT: Registers assumptions{{$}}
; CHECK-NEXT: Registers releases{{$}}
; CHECK-NEXT: Control exchanged-constants{{$}}
; CHECK-NEXT: Control exchange-loops{{$}}
; CHECK-NEXT: Control extremum-loops{{$}}
; CHECK-NEXT: Control reducible{{$}}
; CHECK-NEXT: Control one-return{{$}}
; CHECK-NEXT: Control joins{{$}}
; CHECK-NEXT: Control loop-form: changed{{$}}
; CHECK-NEXT: Control uncarried-phis{{$}}
; CHECK-NEXT: Control walking-addresses{{$}}
; CHECK-NEXT: Control checkpoints{{$}}
; CHECK-NEXT: Bits constants{{$}}
; CHECK-NEXT: Bits constant-memory{{$}}
; CHECK-NEXT: Bits lanes-of-records{{$}}
; CHECK-NEXT: Bits merged-stores{{$}}
; CHECK-NEXT: Bits pointer-bits{{$}}
; CHECK-NEXT: Bits exchanges{{$}}
; CHECK-NEXT: Bits float-idioms{{$}}
; CHECK-NEXT: Bits halves{{$}}
; CHECK-NEXT: Bits packed-floats{{$}}
; CHECK-NEXT: Bits carried-floats{{$}}
; CHECK-NEXT: Bits float-bits{{$}}
; CHECK-NEXT: Bits shuffles{{$}}
; CHECK-NEXT: Bits roundings{{$}}
; CHECK-NEXT: Bits poison{{$}}
; CHECK-NEXT: Loops loops: changed{{$}}
; CHECK-NEXT: Loops trip-counts{{$}}
; CHECK-NEXT: Loops counter-constants{{$}}
; CHECK-NEXT: Facts blocks{{$}}
; CHECK-NEXT: Facts joins: changed{{$}}
; CHECK-NEXT: Facts chosen-iterations{{$}}
; CHECK-NEXT: Facts names{{$}}
; CHECK-NEXT: Facts numbers{{$}}
; CHECK-NEXT: Facts types{{$}}
; CHECK-NEXT: Facts loop-facts{{$}}
; AFTER: ; after one-return of @f
; AFTER: %common.ret.op = phi double
; BEFORE: ; after registers of @f
; BEFORE-NOT: alloca
; UNKNOWN: 'register' is no stage; it is prepared, types, activity, plan, steps, or one of the steps

declare double @__enzyme_autodiff(ptr, ...)

; x to the power n, or 1 where n is 0.
define double @f(double %x, i32 %n) {
entry:
  %y = alloca double
  store double 1.0, ptr %y
  %none = icmp eq i32 %n, 0
  br i1 %none, label %one, label %loop

one:
  ret double 1.0

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = load double, ptr %y
  %new = fmul double %old, %x
  store double %new, ptr %y
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  %result = load double, ptr %y
  ret double %result
}

define double @slope(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i32 3)
  ret double %d
}
