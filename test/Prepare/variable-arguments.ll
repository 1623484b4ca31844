; A call of a function with a variable number of arguments becomes one of a copy for these arguments. What only hands
; them on, structures that are copied and long double, which takes two words, stay as they are.
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
%list = type { i32, i32, ptr, ptr }

; CHECK-LABEL: prepared function for @user
; CHECK: call double @second.with.double.double(i32 2, double %x, double %y)
; CHECK: call double (i32, ...) @second(i32 1, x86_fp80 %z)
; CHECK: call double (i32, ...) @second(i32 1, ptr byval(double) %p)
; CHECK: call double (i32, ...) @ignores(i32 1, double %x)
define double @user(double %x, double %y, x86_fp80 %z, ptr %p) {
  %a = call double (i32, ...) @second(i32 2, double %x, double %y)
  %b = call double (i32, ...) @second(i32 1, x86_fp80 %z)
  %c = call double (i32, ...) @second(i32 1, ptr byval(double) %p)
  %d = call double (i32, ...) @ignores(i32 1, double %x)
  %ab = fadd double %a, %b
  %cd = fadd double %c, %d
  %s = fadd double %ab, %cd
  ret double %s
}

define double @second(i32 %n, ...) {
  %l = alloca %list, align 8
  call void @llvm.va_start(ptr %l)
  %used.at = getelementptr i8, ptr %l, i64 4
  %used = load i32, ptr %used.at
  %left = icmp ult i32 %used, 161
  br i1 %left, label %registers, label %memory
registers:
  %saved.at = getelementptr i8, ptr %l, i64 16
  %saved = load ptr, ptr %saved.at
  %in.saved = getelementptr i8, ptr %saved, i32 %used
  %behind = getelementptr i8, ptr %in.saved, i64 16
  br label %done
memory:
  %area.at = getelementptr i8, ptr %l, i64 8
  %area = load ptr, ptr %area.at
  %next = getelementptr i8, ptr %area, i64 8
  br label %done
done:
  %at = phi ptr [ %behind, %registers ], [ %next, %memory ]
  %v = load double, ptr %at
  call void @llvm.va_end(ptr %l)
  ret double %v
}

define double @ignores(i32 %n, ...) {
  ret double 1.0
}
