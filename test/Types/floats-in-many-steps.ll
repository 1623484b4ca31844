; An array of floats of which much is known, in steps that have little in common, is an array of floats all the same:
; it takes no period of all steps to tell so.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @f.prepared
; CHECK: %x -> every 8: {0..8 float double}
define double @f(ptr %x, i64 %n, ptr %to) "isozyme-request"="reverse(dup,const,dup)->active" {
  %whole = load [200 x double], ptr %x
  %single = extractvalue [200 x double] %whole, 3
  br label %loop

loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %sum = phi double [ %single, %0 ], [ %last, %loop ]
  %p = getelementptr [1 x double], ptr %x, i64 %i
  %q = getelementptr [7 x double], ptr %x, i64 %i
  %r = getelementptr [9 x double], ptr %x, i64 %i
  %s = getelementptr [13 x double], ptr %x, i64 %i
  %a = load double, ptr %p
  %b = load double, ptr %q
  %c = load double, ptr %r
  %d = load double, ptr %s
  %ab = fmul double %a, %b
  %cd = fmul double %c, %d
  %abcd = fmul double %ab, %cd
  %last = fadd double %sum, %abcd
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  %size = mul i64 %n, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %x, i64 %size, i1 false)
  ret double %last
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
