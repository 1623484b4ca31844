; A float whose bits are an affine function of another's gets its derivative beside its value; what
; is only an exponent gets none; masks that keep few bits and scrambled bits stay as they are.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @scaled
; CHECK:       %c = add i64 %b, 13510798882111488
; CHECK:       [[Y:%.*]] = bitcast i64 %c to double
; CHECK:       [[S:%.*]] = call double @isozyme.stand.in.double(double 0.000000e+00, double {{%.*}})
; CHECK:       [[D:%.*]] = fmul double %x, [[S]]
; CHECK:       %y = call double @isozyme.stand.in.double(double [[D]], double [[Y]])
; CHECK:       ret double %y
define double @scaled(double %x) "isozyme-request"="reverse(active)->active" {
  %b = bitcast double %x to i64
  %c = add i64 %b, 13510798882111488
  %y = bitcast i64 %c to double
  ret double %y
}

; CHECK-LABEL: @exponent
; CHECK:       %y = call double @isozyme.stand.in.double(double 0.000000e+00, double {{%.*}})
define double @exponent(double %x) "isozyme-request"="reverse(active)->active" {
  %b = bitcast double %x to i64
  %c = and i64 %b, 9218868437227405312
  %y = bitcast i64 %c to double
  ret double %y
}

; CHECK-LABEL: @few
; CHECK-NOT:   stand.in
; CHECK:       ret double %y
define double @few(double %x) "isozyme-request"="reverse(active)->active" {
  %b = bitcast double %x to i64
  %c = and i64 %b, -70368744177664
  %y = bitcast i64 %c to double
  ret double %y
}

; CHECK-LABEL: @fromAnInteger
; CHECK-NOT:   stand.in
; CHECK:       ret double %z
define double @fromAnInteger(ptr %state, double %x) "isozyme-request"="reverse(const,active)->active" {
  %s = load i64, ptr %state
  %m = lshr i64 %s, 12
  %b = or i64 %m, 4607182418800017408
  %y = bitcast i64 %b to double
  %z = fmul double %y, %x
  ret double %z
}
