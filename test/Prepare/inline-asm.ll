; Assembly that does nothing but hide a value from the optimiser is that value; extrema of x86 are
; what the instruction does with equal operands and with nan.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NONE
; NONE-NOT: asm

; CHECK-LABEL: define {{.*}}@f.prepared
define double @f(double %x, double %y, <2 x double> %v, <2 x double> %w, ptr %p) {
  ; CHECK-NEXT: [[A:%.*]] = fadd double %x, %y
  %a = fadd double %x, %y
  %hidden = call double asm "", "=x,0,~{dirflag},~{fpsr},~{flags}"(double %a)
  ; CHECK-NEXT: store <2 x double> %v, ptr %p
  call void asm "", "=*imr|x,0,~{dirflag},~{fpsr},~{flags}"(ptr elementtype(<2 x double>) %p, <2 x double> %v)
  call void asm sideeffect "#a comment", "~{dirflag},~{fpsr},~{flags}"()
  call void asm sideeffect "", "r,~{memory}"(double %a)
  ; CHECK-NEXT: [[MORE:%.*]] = fcmp ogt <2 x double> %w, %v
  ; CHECK-NEXT: [[MAX:%.*]] = select <2 x i1> [[MORE]], <2 x double> %w, <2 x double> %v
  %max = call <2 x double> asm "maxpd $1, $0", "=x,x,0,~{dirflag},~{fpsr},~{flags}"(<2 x double> %v, <2 x double> %w)
  ; CHECK-NEXT: [[LESS:%.*]] = fcmp olt <2 x double> [[MAX]], %v
  ; CHECK-NEXT: [[MIN:%.*]] = select <2 x i1> [[LESS]], <2 x double> [[MAX]], <2 x double> %v
  %min = call <2 x double> asm "vminpd $1, $2, $0", "=x,x,x,~{dirflag},~{fpsr},~{flags}"(<2 x double> %v, <2 x double> %max)
  ; CHECK-NEXT: extractelement <2 x double> [[MIN]], i64 1
  %e = extractelement <2 x double> %min, i64 1
  %r = fmul double %hidden, %e
  ret double %r
}
declare void @__enzyme_autodiff(ptr, ...)
define void @df(double %x, double %y, <2 x double> %v, ptr %p, ptr %dp) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, double %y, <2 x double> %v, <2 x double> %v, ptr %p, ptr %dp)
  ret void
}
