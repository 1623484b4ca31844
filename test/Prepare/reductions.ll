; Products and extrema of vectors are done element by element; sums, which are linear, stay.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @product
; CHECK:       [[A:%.*]] = extractelement <2 x double> %v, i64 0
; CHECK:       [[P:%.*]] = fmul double %start, [[A]]
; CHECK:       [[B:%.*]] = extractelement <2 x double> %v, i64 1
; CHECK:       %p = fmul double [[P]], [[B]]
define double @product(double %start, <2 x double> %v) "isozyme-request"="forward(dup,dup)->dup" {
  %p = call double @llvm.vector.reduce.fmul.v2f64(double %start, <2 x double> %v)
  ret double %p
}

; CHECK-LABEL: @largest
; CHECK:       call nnan double @llvm.maxnum.f64
; CHECK:       call double @llvm.minimum.f64
; CHECK:       call double @llvm.vector.reduce.fadd.v2f64
define double @largest(<2 x double> %v) "isozyme-request"="forward(dup)->dup" {
  %a = call nnan double @llvm.vector.reduce.fmax.v2f64(<2 x double> %v)
  %b = call double @llvm.vector.reduce.fminimum.v2f64(<2 x double> %v)
  %c = fadd double %a, %b
  %d = call double @llvm.vector.reduce.fadd.v2f64(double %c, <2 x double> %v)
  ret double %d
}
