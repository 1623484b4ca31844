; What a derivative does for each instruction is decided before it is written. The plan shows
; what does not follow from the code: how shadows are reached, guards, sums that are atomic, and
; what copies move.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

@work = global ptr null
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare double @llvm.sqrt.f64(double)

; Memory that nobody may have made a shadow for is looked for in pages. A vector does not lie in
; one page: the program ends where it is in such memory.
; CHECK-LABEL: derivative plan for reverse(@paged:
; CHECK:       steps
; CHECK-NEXT:    store %p: store  shadow paged  (nobody may have made a shadow for the memory)
; CHECK-NEXT:    store %q: check, store  shadow stopped  (nobody may have made a shadow for the memory, and it does not lie in one page)
; CHECK-NEXT:    %w = load: check, load  shadow stopped  (nobody may have made a shadow for the memory, and it does not lie in one page)
; CHECK-NEXT:    %z = load: load  shadow paged  (nobody may have made a shadow for the memory)
; CHECK-NEXT:  shadows of global variables: @work
; CHECK-NEXT:  reverse
define double @paged(ptr %x) "isozyme-request"="reverse(dup)->active" {
entry:
  %p = load ptr, ptr @work
  %v = load double, ptr %x
  store double %v, ptr %p
  %q = getelementptr double, ptr %p, i64 2
  %u = load <2 x double>, ptr %x
  store <2 x double> %u, ptr %q
  %w = load volatile <2 x double>, ptr %q
  %z = load volatile double, ptr %p
  %first = extractelement <2 x double> %w, i64 0
  %r = fadd double %first, %z
  ret double %r
}

; Another thread may add at the same time, and what is subtracted receives the negative.
; CHECK-LABEL: derivative plan for reverse(@shared:
; CHECK:       steps
; CHECK-NEXT:    %v = load: load  atomic
; CHECK-NEXT:    %old = atomicrmw: atomic  atomic negated
; CHECK-NEXT:  reverse
define void @shared(ptr %x, ptr %sum) "isozyme-request"="reverse(dup,dup)->const" {
entry:
  %v = load atomic double, ptr %x monotonic, align 8
  %old = atomicrmw fsub ptr %sum, double %v monotonic
  ret void
}

; The second operand of the division may be zero, the first one's coefficient is then infinite.
; CHECK-LABEL: derivative plan for reverse(@guarded:
; CHECK:       steps
; CHECK-NEXT:    %q = fdiv: rule  zero stays zero in #0 #1
; CHECK-NEXT:    %r = call @llvm.sqrt.f64: rule  zero stays zero in #0
; CHECK-NEXT:  reverse
define double @guarded(double %x, double %y) "isozyme-request"="reverse(active,active)->active" {
entry:
  %s = fadd double %x, %y
  %q = fdiv double %x, %y
  %r = call double @llvm.sqrt.f64(double %q)
  %t = fmul double %s, 2.0
  %u = fadd double %r, %t
  ret double %u
}

; What a copy moves is treated by runs of bytes: the shadows of addresses are copied in the
; forward sweep, adjoints of floats in the reverse sweep.
; CHECK-LABEL: derivative plan for reverse(@copies:
; CHECK:       steps
; CHECK-NEXT:    call @llvm.memcpy.p0.p0.i64: copy addresses, copy  per 16 bytes: 8 of addresses, 8 of double
; CHECK-NEXT:    call @llvm.memmove.p0.p0.i64: copy  double
; CHECK:       reverse
define double @copies(ptr %x, ptr %to, ptr %y) "isozyme-request"="reverse(dup,dup,dup)->active" {
entry:
  %at = load ptr, ptr %x
  %v = load double, ptr %at
  %second = getelementptr i8, ptr %x, i64 8
  %w = load double, ptr %second
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %x, i64 16, i1 false)
  %next = getelementptr double, ptr %y, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %next, ptr %y, i64 16, i1 false)
  %u = load double, ptr %next
  %s = fadd double %v, %w
  %r = fadd double %s, %u
  ret double %r
}
