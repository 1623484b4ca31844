; What forward mode does for each instruction is decided before it is written, too: how shadows are
; reached, what is stored in them and copied there, and guards.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: not %opt -passes='print<isozyme-plan>' -disable-output %S/Inputs/forward-errors.ll 2>&1 | FileCheck --check-prefix=ERROR %s

@work = global ptr null
@table = constant [2 x double] [double 1.0, double 2.0]
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: derivative plan for forward(@paged:
; CHECK:       steps
; CHECK-NEXT:    store %p: store  shadow paged  (nobody may have made a shadow for the memory)
; CHECK-NEXT:    %z = load: load  shadow paged  (nobody may have made a shadow for the memory)
; CHECK-NEXT:    store %q: store  shadow stopped  (nobody may have made a shadow for the memory, and it does not lie in one page)
; CHECK-NOT:     :
define double @paged(ptr %x) "isozyme-request"="forward(dup)->dup" {
entry:
  %p = load ptr, ptr @work
  %v = load double, ptr %x
  store double %v, ptr %p
  %z = load volatile double, ptr %p
  %q = getelementptr double, ptr %p, i64 2
  %u = load <2 x double>, ptr %x
  store <2 x double> %u, ptr %q
  ret double %z
}

; Reached by two ways, one of which is the user's constant memory.
; CHECK-LABEL: derivative plan for forward(@shared:
; CHECK:       steps
; CHECK-NEXT:    %v = load: load  shadow compared  (the memory may be declared constant)
; CHECK-NEXT:    %old = atomicrmw: atomic  shadow compared  atomic negated  (the memory may be declared constant)
; CHECK-NOT:     :
define double @shared(ptr %a, ptr %b, i1 %c) "isozyme-request"="forward(dup,const,const)->dup" {
entry:
  %p = select i1 %c, ptr %a, ptr %b
  %v = load double, ptr %p
  %old = atomicrmw fsub ptr %p, double %v monotonic
  ret double %v
}

; CHECK-LABEL: derivative plan for forward(@copies:
; CHECK:       steps
; CHECK-NEXT:    call @llvm.memcpy.p0.p0.i64: copy  the shadow of a constant  double
; CHECK-NEXT:    call @llvm.memcpy.p0.p0.i64: copy  zeros
; CHECK-NEXT:    %q = fdiv: rule  zero stays zero in #0 #1
; CHECK-NOT:     :
define double @copies(ptr %to, ptr %const) "isozyme-request"="forward(dup,const)->dup" {
entry:
  %known = load double, ptr %const
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr @table, i64 16, i1 false)
  %second = getelementptr double, ptr %to, i64 2
  call void @llvm.memcpy.p0.p0.i64(ptr %second, ptr %const, i64 16, i1 false)
  %v = load double, ptr %to
  %third = getelementptr double, ptr %to, i64 5
  %w = load double, ptr %third
  %q = fdiv double %v, %w
  ret double %q
}

; A user's mistake is told while steps are decided: nothing is printed of that plan.
; ERROR:     error: {{.*}}no derivative is known for the atomic 'xchg' on differentiated memory; {{.*}} [IZ
; ERROR-NOT: derivative plan
