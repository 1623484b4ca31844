; Functions of std::string that return the string that they have changed: the result is that string, and not also the one
; that it was given something of, which lies elsewhere in a record.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @assigned
; CHECK: %name -> every 32: {0..32 anything}
define double @assigned(ptr %records, ptr %to) "isozyme-request"="reverse(dup,dup)->active" {
  %local = alloca { double, [32 x i8] }
  %name = getelementptr i8, ptr %local, i64 8
  %other = getelementptr i8, ptr %records, i64 24
  %same = call nonnull align 8 dereferenceable(32) ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEaSEOS4_(ptr nonnull align 8 dereferenceable(32) %other, ptr nonnull align 8 dereferenceable(32) %name)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %records, i64 16, i1 false)
  %place = getelementptr i8, ptr %to, i64 8
  %next = load ptr, ptr %place
  %more = load double, ptr %next
  %number = load double, ptr %to
  store double %more, ptr %local
  %before = load double, ptr %local
  %sum = fadd double %number, %before
  ret double %sum
}
declare nonnull align 8 dereferenceable(32) ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEaSEOS4_(ptr nonnull align 8 dereferenceable(32), ptr nonnull align 8 dereferenceable(32))
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
