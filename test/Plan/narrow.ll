; An integer is kept in no more bytes than its values fill.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s -o - | FileCheck %s --check-prefix=CODE

define double @f(ptr %x, ptr %table, i64 %n) "isozyme-request"="reverse(dup, const, const) -> active" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = getelementptr i64, ptr %table, i64 %i
  %entry.i = load i64, ptr %at
  %digit = urem i64 %entry.i, 1000
  store i64 0, ptr %at
  %p = getelementptr double, ptr %x, i64 %digit
  %v = load double, ptr %p
  %sum.next = fadd double %sum, %v
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}
declare double @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
define void @df(ptr %x, ptr %dx, ptr %table, i64 %n) {
  call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr @enzyme_const, ptr %table, i64 %n)
  ret void
}

; CHECK: %digit primal  cache #1  (cheaper than what it is computed from)
; CHECK: #1  i16 array %loop  2 bytes * (%0+1)  %digit primal

; CODE-LABEL: define internal void @reverse.f(
; CODE:         [[N:%.*]] = trunc i64 %digit to i16
; CODE:         store i16 [[N]], ptr %tape.at
; CODE:         [[K:%.*]] = load i16, ptr %tape.at
; CODE:         zext i16 [[K]] to i64
