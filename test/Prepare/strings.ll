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

declare nonnull align 8 dereferenceable(32) ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(ptr nonnull align 8 dereferenceable(32), ptr)
declare nonnull align 1 dereferenceable(1) ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE5frontEv(ptr nonnull align 8 dereferenceable(32))
