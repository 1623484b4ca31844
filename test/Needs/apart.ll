; What a function is passed that nothing else leads to is apart in the request for its derivative:
; stores through other arguments do not overwrite it.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

; y = x * w, then y is changed: x and w are read after the store to y.
define internal void @scale(ptr captures(none) %y, ptr readonly captures(none) %x, ptr readonly captures(none) %w) noinline {
  %xv = load double, ptr %x
  %wv = load double, ptr %w
  %p = fmul double %xv, %wv
  store double %p, ptr %y
  ret void
}

; y is local, so that it is neither x nor w.
define double @local(ptr %x, ptr %w) "isozyme-request"="reverse(dup, dup) -> active" {
  %y = alloca double
  call void @scale(ptr %y, ptr %x, ptr %w)
  %r = load double, ptr %y
  %s = fmul double %r, %r
  ret double %s
}
; CHECK-LABEL: plan for reverse(@local
; CHECK:         augment(@scale: dup ptr apart, dup ptr, dup ptr)

; The same local twice.
define double @twice(ptr %w) "isozyme-request"="reverse(dup) -> active" {
  %y = alloca double
  store double 2.0, ptr %y
  call void @scale(ptr %y, ptr %y, ptr %w)
  %r = load double, ptr %y
  %s = fmul double %r, %r
  ret double %s
}
; CHECK-LABEL: plan for reverse(@twice
; CHECK:         augment(@scale: dup ptr, dup ptr, dup ptr)

; Two parts of one local.
define double @parts(ptr %w, i64 %i) "isozyme-request"="reverse(dup, const) -> active" {
  %y = alloca [4 x double]
  store double 2.0, ptr %y
  %part = getelementptr double, ptr %y, i64 %i
  call void @scale(ptr %y, ptr %part, ptr %w)
  %r = load double, ptr %y
  %s = fmul double %r, %r
  ret double %s
}
; CHECK-LABEL: plan for reverse(@parts
; CHECK:         augment(@scale: dup ptr, dup ptr, dup ptr)

; Its address is in memory, and what is passed comes from memory.
define double @escaped(ptr %w, ptr %box) "isozyme-request"="reverse(dup, dup) -> active" {
  %y = alloca double
  store double 2.0, ptr %y
  store ptr %y, ptr %box
  %found = load ptr, ptr %box
  call void @scale(ptr %y, ptr %found, ptr %w)
  %r = load double, ptr %y
  %s = fmul double %r, %r
  ret double %s
}
; CHECK-LABEL: plan for reverse(@escaped
; CHECK:         augment(@scale:
; CHECK-NOT:     ptr apart

; Arguments may be one: nothing is known of them here.
define double @arguments(ptr %y, ptr %x, ptr %w) "isozyme-request"="reverse(dup, dup, dup) -> active" {
  call void @scale(ptr %y, ptr %x, ptr %w)
  %r = load double, ptr %y
  %s = fmul double %r, %r
  ret double %s
}
; CHECK-LABEL: plan for reverse(@arguments
; CHECK:         augment(@scale: dup ptr, dup ptr, dup ptr)

; In the function itself: y is apart, so x and w can be read again. Without, they are kept.
define void @within(ptr %y, ptr %x, ptr %w) "isozyme-request"="augment(dup ptr apart, dup ptr, dup ptr) -> const" {
  %xv = load double, ptr %x
  %wv = load double, ptr %w
  %p = fmul double %xv, %wv
  store double %p, ptr %y
  ret void
}
; CHECK-LABEL: plan for augment(@within: dup ptr apart, dup ptr, dup ptr)
; CHECK-DAG:     %xv primal  for %p  reload
; CHECK-DAG:     %wv primal  for %p  reload
define void @without(ptr %y, ptr %x, ptr %w) "isozyme-request"="augment(dup ptr, dup ptr, dup ptr) -> const" {
  %xv = load double, ptr %x
  %wv = load double, ptr %w
  %p = fmul double %xv, %wv
  store double %p, ptr %y
  ret void
}
; CHECK-LABEL: plan for augment(@without: dup ptr, dup ptr, dup ptr)
; CHECK-DAG:     %xv primal  for %p  cache
; CHECK-DAG:     %wv primal  for %p  cache

; Apart from others, not from itself.
define void @through(ptr %y, ptr %x) "isozyme-request"="augment(dup ptr apart, dup ptr) -> const" {
  %again = getelementptr double, ptr %y, i64 1
  %xv = load double, ptr %again
  %p = fmul double %xv, %xv
  store double %p, ptr %y
  %q = getelementptr double, ptr %y, i64 1
  store double 0.0, ptr %q
  ret void
}
; CHECK-LABEL: plan for augment(@through
; CHECK:         %xv primal  for %p  cache
