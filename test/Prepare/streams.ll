; A stream that output hands back is the one that it was called with. The record that Fortran's
; runtime makes is not the null that stands for an absent descriptor.
; RUN: %opt -passes=autodiff -isozyme-print-after=streams -disable-output %s 2>&1 | FileCheck %s
declare ptr @_ZNSo9_M_insertIdEERSoT_(ptr, double)
declare ptr @_FortranAioBeginExternalFormattedOutput(ptr, i64, ptr, i32, ptr, i32)
declare i1 @_FortranAioOutputReal64(ptr, double)
declare i32 @_FortranAioEndIoStatement(ptr)

; CHECK-LABEL: define internal double @prints.prepared(
; CHECK: call ptr @_ZNSo9_M_insertIdEERSoT_(ptr %out, double %x)
; CHECK: call ptr @_ZNSo9_M_insertIdEERSoT_(ptr %out, double 1.0
; CHECK: %record = call ptr @_FortranAioBeginExternalFormattedOutput(
; CHECK: call i1 @_FortranAioOutputReal64(ptr %record, double %x)
; CHECK: call i32 @_FortranAioEndIoStatement(ptr %record)
define double @prints(double %x, ptr %out) {
  %s = call ptr @_ZNSo9_M_insertIdEERSoT_(ptr %out, double %x)
  %t = call ptr @_ZNSo9_M_insertIdEERSoT_(ptr %s, double 1.0)
  %record = call ptr @_FortranAioBeginExternalFormattedOutput(ptr %out, i64 3, ptr null, i32 6, ptr %out, i32 1)
  %is = call i1 @_FortranAioOutputReal64(ptr %record, double %x)
  %end = call i32 @_FortranAioEndIoStatement(ptr %record)
  %y = fmul double %x, %x
  ret double %y
}

declare double @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
define double @gradient(double %x, ptr %out) {
  %c = load i32, ptr @enzyme_const
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @prints, double %x, i32 %c, ptr %out)
  ret double %d
}
