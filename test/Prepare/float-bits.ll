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

; The exponent of one float, the mantissa of another: only the mantissa varies.
; CHECK-LABEL: @exponentOf
; CHECK:       fmul double %y, %
; CHECK-NOT:   fmul double %x
; CHECK:       ret double %z
define double @exponentOf(double %x, double %y) "isozyme-request"="reverse(active,active)->active" {
  %bx = bitcast double %x to i64
  %by = bitcast double %y to i64
  %ex = and i64 %bx, 9218868437227405312
  %my = and i64 %by, 4503599627370495
  %o = or i64 %ex, %my
  %z = bitcast i64 %o to double
  ret double %z
}

; The power of two of a whole number is a step, whatever the sign of the number.
; CHECK-LABEL: @powerOf
; CHECK-NOT:   stand.in
; CHECK:       ret double %z
define double @powerOf(double %x) "isozyme-request"="reverse(active)->active" {
  %k = fptosi double %x to i64
  %e = sub i64 1023, %k
  %b = shl i64 %e, 52
  %y = bitcast i64 %b to double
  %z = fmul double %y, %x
  ret double %z
}

; The exponent moves by a whole number, which is 1 on one way.
; CHECK-LABEL: @movedBy
; CHECK:       fmul double %x, %
; CHECK-NOT:   fmul double %y
; CHECK:       ret double %z
define double @movedBy(double %x, double %y, i1 %c) "isozyme-request"="reverse(active,active,const)->active" {
  %n = fptosi double %y to i64
  %k = select i1 %c, i64 %n, i64 1
  %e = shl i64 %k, 52
  %b = bitcast double %x to i64
  %s = add i64 %b, %e
  %z = bitcast i64 %s to double
  ret double %z
}

; Bits that are chosen come from a float that is chosen (a logarithm makes small numbers normal).
; CHECK-LABEL: @normal
; CHECK:       %ix.source = phi double [ %x, %entry ], [ %s, %small ]
; CHECK:       fmul double %ix.source, %
; CHECK:       %z = call double @isozyme.stand.in.double(
define double @normal(double %x) "isozyme-request"="reverse(active)->active" {
entry:
  %b = bitcast double %x to i64
  %c = icmp ult i64 %b, 4503599627370496
  br i1 %c, label %small, label %all
small:
  %s = fmul double %x, 4503599627370496.0
  %bs = bitcast double %s to i64
  %low = sub i64 %bs, 234187180623265792
  br label %all
all:
  %ix = phi i64 [ %b, %entry ], [ %low, %small ]
  %t = sub i64 %ix, 4604544271217802240
  %e = and i64 %t, -4503599627370496
  %iz = sub i64 %ix, %e
  %z = bitcast i64 %iz to double
  ret double %z
}

; A way that does not vary has the source 1; one that multiplies by another factor is no form.
; CHECK-LABEL: @orConstant
; CHECK:       %i.source = select i1 %c, double %x, double 1.000000e+00
; CHECK:       fmul double %i.source, %
define double @orConstant(double %x, i1 %c) "isozyme-request"="reverse(active,const)->active" {
  %b = bitcast double %x to i64
  %s = add i64 %b, 4503599627370496
  %i = select i1 %c, i64 %s, i64 4607182418800017408
  %y = bitcast i64 %i to double
  ret double %y
}

; CHECK-LABEL: @otherSlope
; CHECK-NOT:   stand.in
; CHECK-NOT:   source
; CHECK:       ret double %y
define double @otherSlope(double %x, i1 %c) "isozyme-request"="reverse(active,const)->active" {
  %b = bitcast double %x to i64
  %s = add i64 %b, 4503599627370496
  %h = lshr i64 %b, 1
  %r = add i64 %h, 2300000000000000000
  %i = select i1 %c, i64 %s, i64 %r
  %y = bitcast i64 %i to double
  ret double %y
}

; What comes round in a loop is made of no one float.
; CHECK-LABEL: @round
; CHECK-NOT:   stand.in
; CHECK:       ret double %y
define double @round(double %x, i64 %n) "isozyme-request"="reverse(active,const)->active" {
entry:
  %b = bitcast double %x to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i64 [ %b, %entry ], [ %s.next, %loop ]
  %s.next = add i64 %s, 4503599627370496
  %i.next = add i64 %i, 1
  %c = icmp eq i64 %i.next, %n
  br i1 %c, label %exit, label %loop
exit:
  %y = bitcast i64 %s.next to double
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
