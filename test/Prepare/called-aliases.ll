; A call by another name of a function is one of that function: of a constructor of complete objects, where nothing is
; optimised. Not where another file may give the name another meaning, or the function's own: the alias is this body.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

@complete = alias void (ptr), ptr @base
@later = weak alias void (ptr), ptr @base
@third = alias void (ptr), ptr @complete
@kept = alias void (ptr), ptr @replaced
@here = hidden alias void (ptr), ptr @base

define void @base(ptr %this) noinline {
  store double 0.0, ptr %this
  ret void
}

define weak void @replaced(ptr %this) noinline {
  store double 1.0, ptr %this
  ret void
}

; CHECK-LABEL: prepared function for @make
; CHECK: call void @base(
; CHECK: call void @later(
; CHECK: call void @base(
; CHECK: call void @kept(
; CHECK: call void @here(
define double @make(ptr %this, ptr %other) "isozyme-request"="reverse(dup,dup)->active" {
  call void @complete(ptr %this)
  call void @later(ptr %other)
  call void @third(ptr %this)
  call void @kept(ptr %other)
  call void @here(ptr %other)
  %r = load double, ptr %this
  ret double %r
}
