; Doubles that are only moved, and carry two floats, become vectors of floats; what is computed as a
; double stays, and a load that is used both ways is done twice.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @lanes
; CHECK:       [[F:%.*]] = load <2 x float>, ptr %p, align 4
; CHECK:       [[W:%.*]] = shufflevector <2 x float> [[F]], <2 x float> poison, <4 x i32> <i32 0, i32 1, i32 0, i32 0>
; CHECK:       [[V:%.*]] = shufflevector <4 x float> zeroinitializer, <4 x float> [[W]], <4 x i32> <i32 4, i32 5, i32 2, i32 3>
; CHECK:       fmul <4 x float> [[V]], [[V]]
define <4 x float> @lanes(ptr %p) "isozyme-request"="forward(dup)->dup" {
  %d = load double, ptr %p, align 4
  %v = insertelement <2 x double> zeroinitializer, double %d, i64 0
  %f = bitcast <2 x double> %v to <4 x float>
  %y = fmul <4 x float> %f, %f
  ret <4 x float> %y
}

; CHECK-LABEL: @chosen
; CHECK:       phi <2 x float>
; CHECK:       store <2 x float>
; CHECK-NOT:   double
define float @chosen(ptr %p, ptr %q, i1 %c) "isozyme-request"="forward(dup,dup,const)->dup" {
entry:
  %a = load double, ptr %p
  br i1 %c, label %other, label %join
other:
  %b = load double, ptr %q
  br label %join
join:
  %d = phi double [ %a, %entry ], [ %b, %other ]
  store double %d, ptr %q
  %f = bitcast double %d to <2 x float>
  %x = extractelement <2 x float> %f, i64 1
  %y = fmul float %x, %x
  ret float %y
}

; CHECK-LABEL: @union
; CHECK-DAG:   load double, ptr %p
; CHECK-DAG:   load <2 x float>, ptr %p
; CHECK-NOT:   bitcast double
define double @union(ptr %p, i1 %c) "isozyme-request"="forward(dup,const)->dup" {
entry:
  %d = load double, ptr %p
  br i1 %c, label %double, label %float
double:
  %s = fmul double %d, %d
  ret double %s
float:
  %f = bitcast double %d to <2 x float>
  %x = extractelement <2 x float> %f, i64 1
  %y = fmul float %x, %x
  %z = fpext float %y to double
  ret double %z
}

; CHECK-LABEL: @computed
; CHECK:       bitcast double %s to <2 x float>
define float @computed(double %x) "isozyme-request"="forward(dup)->dup" {
  %s = fmul double %x, %x
  %f = bitcast double %s to <2 x float>
  %y = extractelement <2 x float> %f, i64 1
  ret float %y
}

; Doubles that are moved as pairs of floats.
; CHECK-LABEL: @pairs
; CHECK:       [[S:%.*]] = shufflevector <2 x double> %a, <2 x double> %b, <2 x i32> <i32 1, i32 2>
; CHECK-NOT:   float
; CHECK:       fmul <2 x double> [[S]], %a
define <2 x double> @pairs(<2 x double> %a, <2 x double> %b) "isozyme-request"="forward(dup,dup)->dup" {
  %f = bitcast <2 x double> %a to <4 x float>
  %g = bitcast <2 x double> %b to <4 x float>
  %s = shufflevector <4 x float> %f, <4 x float> %g, <4 x i32> <i32 2, i32 3, i32 4, i32 5>
  %d = bitcast <4 x float> %s to <2 x double>
  %y = fmul <2 x double> %d, %a
  ret <2 x double> %y
}

; A half of one and a half of another make no double.
; CHECK-LABEL: @halves
; CHECK:       shufflevector <4 x float>
define <2 x double> @halves(<2 x double> %a, <2 x double> %b) "isozyme-request"="forward(dup,dup)->dup" {
  %f = bitcast <2 x double> %a to <4 x float>
  %g = bitcast <2 x double> %b to <4 x float>
  %s = shufflevector <4 x float> %f, <4 x float> %g, <4 x i32> <i32 2, i32 4, i32 1, i32 5>
  %d = bitcast <4 x float> %s to <2 x double>
  %y = fmul <2 x double> %d, %a
  ret <2 x double> %y
}
