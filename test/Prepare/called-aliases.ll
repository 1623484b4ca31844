; A call by another name of a function is one of that function: of a constructor of complete objects, where nothing is
; optimised. Not where another file may give the name another meaning.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

@complete = alias void (ptr), ptr @base
@later = weak alias void (ptr), ptr @base

define void @base(ptr %this) noinline {
  store double 0.0, ptr %this
  ret void
}

; CHECK-LABEL: prepared function for @make
; CHECK: call void @base(
; CHECK: call void @later(
define double @make(ptr %this, ptr %other) "isozyme-request"="reverse(dup,dup)->active" {
  call void @complete(ptr %this)
  call void @later(ptr %other)
  %r = load double, ptr %this
  ret double %r
}
