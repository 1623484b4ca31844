; Sign-bit arithmetic on the bits of floats is written with floats.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @signs
; CHECK: %n = fneg double %x
; CHECK: %a = call double @llvm.fabs.f64(double %x)
; CHECK: %cs = call double @llvm.copysign.f64(double %x, double %y)
; CHECK: %o = fneg double %{{.*}}
; CHECK-NOT: bitcast
define double @signs(double %x, double %y) {
  %xb = bitcast double %x to i64
  %yb = bitcast double %y to i64
  %n = xor i64 %xb, -9223372036854775808
  %nf = bitcast i64 %n to double
  %a = and i64 %xb, 9223372036854775807
  %af = bitcast i64 %a to double
  %s = and i64 %yb, -9223372036854775808
  %cs = or i64 %a, %s
  %csf = bitcast i64 %cs to double
  %o = or i64 %yb, -9223372036854775808
  %of = bitcast i64 %o to double
  %t1 = fadd double %nf, %af
  %t2 = fadd double %t1, %csf
  %t3 = fadd double %t2, %of
  ret double %t3
}

; CHECK-LABEL: prepared function for @loads
; CHECK: %v = load <4 x float>, ptr %p
; CHECK: call <4 x float> @llvm.fabs.v4f32(<4 x float> %v)
; CHECK: load float, ptr %p
; CHECK: load volatile i32, ptr %p
; CHECK-NOT: bitcast
define float @loads(ptr %p, ptr %q) {
  %v = load <4 x i32>, ptr %p
  %m = and <4 x i32> %v, splat (i32 2147483647)
  %f = bitcast <4 x i32> %m to <4 x float>
  store <4 x float> %f, ptr %q
  %w = load i32, ptr %p
  %wf = bitcast i32 %w to float
  %copy = load volatile i32, ptr %p
  store volatile i32 %copy, ptr %q
  ret float %wf
}

; Bits taken apart are integers.
; CHECK-LABEL: prepared function for @exponent
; CHECK: bitcast double %x to i64
; CHECK: and i64 %{{.*}}, 9218868437227405312
define i64 @exponent(double %x) {
  %b = bitcast double %x to i64
  %e = and i64 %b, 9218868437227405312
  ret i64 %e
}

; CHECK-LABEL: prepared function for @lanes
; CHECK: [[N:%.*]] = fneg <2 x double> %v
; CHECK: select <2 x i1> <i1 false, i1 true>, <2 x double> [[N]], <2 x double> %v
define double @lanes(<2 x double> %v) {
  %b = bitcast <2 x double> %v to <2 x i64>
  %n = xor <2 x i64> %b, <i64 0, i64 -9223372036854775808>
  %f = bitcast <2 x i64> %n to <2 x double>
  %first = extractelement <2 x double> %f, i64 0
  %second = extractelement <2 x double> %f, i64 1
  %r = fmul double %first, %second
  ret double %r
}

; Bits that come from memory and go to memory are those of floats, if signs change in between.
; CHECK-LABEL: prepared function for @moved
; CHECK: load <2 x double>, ptr %p
; CHECK: fneg <2 x double>
; CHECK: load double, ptr %q
; CHECK: fneg double
; CHECK: xor i64 %k
define void @moved(ptr %p, ptr %q, ptr %r) {
  %v = load <2 x i64>, ptr %p, align 8
  %n = xor <2 x i64> %v, splat (i64 -9223372036854775808)
  store <2 x i64> %n, ptr %p, align 8
  %w = load i64, ptr %q, align 8
  %m = xor i64 %w, -9223372036854775808
  store i64 %m, ptr %q, align 8
  %k = load i64, ptr %r, align 8
  %kept = xor i64 %k, -9223372036854775808
  %less = icmp slt i64 %kept, 5
  %one = zext i1 %less to i64
  %sum = add i64 %one, %kept
  store i64 %kept, ptr %r, align 8
  store i64 %sum, ptr %r, align 8
  ret void
}
