; Where a loop only reads shadows of a local variable, again and again and in no order, they are copied before it, the
; lanes of a number side by side. Not what the loop writes, what it reads in order, or what it reads less often than the
; shadows of others.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s --check-prefix=CODE

; CHECK-LABEL: derivative plan for forward(@gather: dup double, const ptr, const i64) -> dup, width 4
; CHECK-NEXT:    loop %loop: lanes are elements of vectors; the 16 tangents of %table are copied side by side before it
define double @gather(double %x, ptr readonly %order, i64 %n) "isozyme-request"="forward(dup,const,const)->dup, width 4" {
entry:
  %table = alloca [16 x double], align 8
  call void @fill(ptr %table, double %x)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 0.0, %entry ], [ %s, %loop ]
  %at = getelementptr i64, ptr %order, i64 %i
  %k = load i64, ptr %at
  %number = getelementptr double, ptr %table, i64 %k
  %v = load double, ptr %number, align 8
  %s = fadd double %r, %v
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret double %s
}
; CHECK-LABEL: derivative plan for forward(@written: dup double, const ptr, const i64) -> dup, width 4
; CHECK-NOT:     loop
define double @written(double %x, ptr readonly %order, i64 %n) "isozyme-request"="forward(dup,const,const)->dup, width 4" {
entry:
  %table = alloca [16 x double], align 8
  call void @fill(ptr %table, double %x)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 0.0, %entry ], [ %s, %loop ]
  %at = getelementptr i64, ptr %order, i64 %i
  %k = load i64, ptr %at
  %number = getelementptr double, ptr %table, i64 %k
  %v = load double, ptr %number, align 8
  %s = fadd double %r, %v
  store double %s, ptr %number, align 8
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret double %s
}
; CHECK-LABEL: derivative plan for forward(@inOrder: dup double, const i64) -> dup, width 4
; CHECK-NOT:     loop
define double @inOrder(double %x, i64 %n) "isozyme-request"="forward(dup,const)->dup, width 4" {
entry:
  %table = alloca [16 x double], align 8
  call void @fill(ptr %table, double %x)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 0.0, %entry ], [ %s, %loop ]
  %number = getelementptr double, ptr %table, i64 %i
  %v = load double, ptr %number, align 8
  %s = fadd double %r, %v
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret double %s
}
; CHECK-LABEL: derivative plan for forward(@mostlyOthers: dup ptr, const ptr, const i64) -> dup, width 4
; CHECK-NOT:     loop
define double @mostlyOthers(ptr %in, ptr readonly %order, i64 %n) "isozyme-request"="forward(dup,const,const)->dup, width 4" {
entry:
  %table = alloca [16 x double], align 8
  %x = load double, ptr %in
  call void @fill(ptr %table, double %x)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 0.0, %entry ], [ %s, %loop ]
  %at = getelementptr i64, ptr %order, i64 %i
  %k = load i64, ptr %at
  %number = getelementptr double, ptr %table, i64 %k
  %v = load double, ptr %number, align 8
  %one = getelementptr double, ptr %in, i64 %k
  %a = load double, ptr %one
  %two = getelementptr double, ptr %one, i64 1
  %b = load double, ptr %two
  %ab = fmul double %a, %b
  %w = fmul double %v, %ab
  %s = fadd double %r, %w
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret double %s
}
; The address of a number in the middle of another is no multiple of its size.
; CHECK-LABEL: derivative plan for forward(@unaligned: dup double, const ptr, const i64) -> dup, width 4
; CHECK-NOT:     loop
define double @unaligned(double %x, ptr readonly %order, i64 %n) "isozyme-request"="forward(dup,const,const)->dup, width 4" {
entry:
  %table = alloca [16 x double], align 8
  call void @fill(ptr %table, double %x)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %r = phi double [ 0.0, %entry ], [ %s, %loop ]
  %at = getelementptr i64, ptr %order, i64 %i
  %k = load i64, ptr %at
  %number = getelementptr i8, ptr %table, i64 %k
  %v = load double, ptr %number, align 4
  %s = fadd double %r, %v
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %exit, label %loop
exit:
  ret double %s
}
define void @fill(ptr nocapture %table, double %x) noinline {
  store double %x, ptr %table, align 8
  ret void
}

; CHECK-LABEL: derivative plan for forward(@gather: dup double, const ptr, const i64) -> dup, width 2
; The copy is made in front of the loop, and a distance there is that in the variable times the width.
; CODE-LABEL: define internal {{.*}}gather
; CODE:         load double, ptr
; CODE:         insertelement <2 x double> poison, double {{.*}}, i64 0
; CODE:         load double, ptr
; CODE:         insertelement <2 x double> {{.*}}, i64 1
; CODE:         store <2 x double> {{.*}}, align 16
; CODE:       {{^}}loop:
; CODE:         %[[BYTES:.*]] = mul i64 %k, 16
; CODE-NEXT:    %[[AT:.*]] = getelementptr i8, ptr %table.lanes, i64 %[[BYTES]]
; CODE-NEXT:    %v.tans = load <2 x double>, ptr %[[AT]], align 16
; CODE:         fadd {{.*}}<2 x double>
@enzyme_width = external global i32
@enzyme_dup = external global i32
@enzyme_const = external global i32
declare { double, double } @__enzyme_fwddiff(ptr, ...)
define { double, double } @caller(double %x, ptr %order, i64 %n) {
  %w = load i32, ptr @enzyme_width
  %d = load i32, ptr @enzyme_dup
  %c = load i32, ptr @enzyme_const
  %r = call { double, double } (ptr, ...) @__enzyme_fwddiff(ptr @gather, i32 %w, i32 2, i32 %d, double %x, double 1.0, double 0.0, i32 %c, ptr %order, i32 %c, i64 %n)
  ret { double, double } %r
}
