; Active: varied with an active input and useful for an active output.
; RUN: %opt -passes='print<isozyme-activity>' -disable-output %s 2>&1 | FileCheck %s

@format = constant [4 x i8] c"%f\0A\00"

; CHECK-LABEL: activity of @f.prepared   reverse(@f: active double, const double)
; CHECK: argument %x: active (useful for %m)
; CHECK: argument %c: inactive
; CHECK: %m = fmul {{.*}} ; active (varied from argument %x; useful for %r)
; CHECK: %other = fmul {{.*}} ; inactive
; CHECK: %unused = fmul {{.*}} ; inactive
; CHECK: %step = {{.*}} ; inactive
; CHECK: %r = fadd {{.*}} ; active (varied from %m; useful for the result)
; CHECK: ret double %r  ; active
define double @f(double %x, double %c) "isozyme-request"="reverse(active,const)->active" {
  %m = fmul double %x, %c
  %other = fmul double %c, %c
  %unused = fmul double %x, %x
  call i32 (ptr, ...) @printf(ptr @format, double %unused)
  %step = call double @llvm.floor.f64(double %x)
  %t = fadd double %step, %other
  %r = fadd double %m, %t
  ret double %r
}

; CHECK-LABEL: activity of @g.prepared   forward(@g: dup double)
; CHECK: ret double %x  ; inactive
define double @g(double %x) "isozyme-request"="forward(dup)->const" {
  ret double %x
}
declare i32 @printf(ptr, ...)
declare double @llvm.floor.f64(double)
