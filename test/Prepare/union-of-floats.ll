; An integer that is a double in one branch and a float in another, or whose memory others read, is
; passed as a whole: in halves, the derivative of the double was zero without a word.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @f.prepared
; CHECK:       store i64 %w, ptr [[S:%.*]], align
; CHECK:       call double @value.by.memory(i32 %k, ptr [[S]])
; CHECK:       store i64 %w, ptr [[T:%.*]], align
; CHECK:       call double @handedOn.by.memory(i32 %k, ptr [[T]])
; CHECK:       store i32
; CHECK:       store i32
; CHECK:       call float @record.by.memory(
define double @f(ptr %p, i32 %k) "isozyme-request"="forward(dup,const)->dup" {
  %w = load i64, ptr %p
  %x = call double @value(i32 %k, i64 %w)
  %y = call double @handedOn(i32 %k, i64 %w)
  %q = getelementptr i64, ptr %p, i64 1
  %v = load i64, ptr %q
  %z = call float @record(i64 %v)
  %d = fpext float %z to double
  %s = fadd double %x, %y
  %t = fadd double %s, %d
  ret double %t
}

define internal double @value(i32 %k, i64 %w) noinline {
  %u = alloca i64
  store i64 %w, ptr %u
  %c = icmp eq i32 %k, 0
  br i1 %c, label %double, label %float
double:
  %d = bitcast i64 %w to double
  ret double %d
float:
  %f = load float, ptr %u
  %e = fpext float %f to double
  ret double %e
}

define internal double @handedOn(i32 %k, i64 %w) noinline {
  %u = alloca i64
  store i64 %w, ptr %u
  %c = icmp eq i32 %k, 0
  br i1 %c, label %double, label %float
double:
  %d = call double @read(ptr %u)
  ret double %d
float:
  %n = trunc i64 %w to i32
  %f = bitcast i32 %n to float
  %e = fpext float %f to double
  ret double %e
}

define internal double @read(ptr %p) noinline {
  %d = load double, ptr %p
  ret double %d
}

; A record of a float and an integer.
define internal float @record(i64 %w) noinline {
  %n = trunc i64 %w to i32
  %f = bitcast i32 %n to float
  %h = lshr i64 %w, 32
  %k = trunc i64 %h to i32
  %i = sitofp i32 %k to float
  %y = fmul float %f, %i
  ret float %y
}
