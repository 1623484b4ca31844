; Functions of std::string return the string that they have changed: its address is known, that of the result is not.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @appended
; CHECK: call {{.*}}ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(ptr {{.*}}%text
; CHECK: call {{.*}}ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(ptr {{.*}}%text
; What begins in the string is another address.
; CHECK: %begin = call
; CHECK: load i8, ptr %begin
define double @appended(ptr %text, ptr %more, double %x) "isozyme-request"="reverse(const,const,active)->active" {
  %same = call nonnull align 8 dereferenceable(32) ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(ptr nonnull align 8 dereferenceable(32) %text, ptr %more)
  %again = call nonnull align 8 dereferenceable(32) ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(ptr nonnull align 8 dereferenceable(32) %same, ptr %more)
  %begin = call nonnull align 1 dereferenceable(1) ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE5frontEv(ptr nonnull align 8 dereferenceable(32) %again)
  %letter = load i8, ptr %begin
  %n = uitofp i8 %letter to double
  %r = fmul double %x, %n
  ret double %r
}

; A view of a string is its size and its data.
; CHECK-LABEL: @viewed
; CHECK: %[[SIZE:.*]] = call i64 @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv(ptr %text)
; CHECK: %[[DATA:.*]] = call ptr @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4dataEv(ptr %text)
; CHECK: getelementptr i8, ptr %[[DATA]], i64 %[[SIZE]]
define double @viewed(ptr %text, double %x) "isozyme-request"="reverse(const,active)->active" {
  %view = call { i64, ptr } @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEcvSt17basic_string_viewIcS2_EEv(ptr %text)
  %size = extractvalue { i64, ptr } %view, 0
  %data = extractvalue { i64, ptr } %view, 1
  %end = getelementptr i8, ptr %data, i64 %size
  %behind = getelementptr i8, ptr %end, i64 -1
  %letter = load i8, ptr %behind
  %n = uitofp i8 %letter to double
  %r = fmul double %x, %n
  ret double %r
}

declare { i64, ptr } @_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEcvSt17basic_string_viewIcS2_EEv(ptr)
declare nonnull align 8 dereferenceable(32) ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(ptr nonnull align 8 dereferenceable(32), ptr)
declare nonnull align 1 dereferenceable(1) ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE5frontEv(ptr nonnull align 8 dereferenceable(32))
