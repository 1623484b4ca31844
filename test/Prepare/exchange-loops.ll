; Loops of compare-and-exchange that add to a float are the atomic addition; others stay.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @add.prepared
; CHECK-NOT: load
; CHECK: %old = atomicrmw fadd ptr %p, double %v seq_cst, align 8
; CHECK-NOT: cmpxchg
; CHECK: ret double %old
define double @add(ptr %p, double %v) "isozyme-request"="reverse(dup,active)->active" {
entry:
  %first = load i64, ptr %p
  br label %again
again:
  %seen = phi i64 [ %first, %entry ], [ %now, %again ]
  %old = bitcast i64 %seen to double
  %sum = fadd double %v, %old
  %bits = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %seen, i64 %bits seq_cst seq_cst
  %now = extractvalue { i64, i1 } %pair, 0
  %done = icmp eq i64 %seen, %now
  br i1 %done, label %exit, label %again
exit:
  ret double %old
}

; CHECK-LABEL: @subtract.prepared
; CHECK: %[[OLD:.*]] = atomicrmw fsub ptr %p, float %v syncscope("agent") monotonic, align 4
; CHECK: fsub float %[[OLD]], %v
define float @subtract(ptr %p, float %v) "isozyme-request"="reverse(dup,active)->active" {
entry:
  %first = load atomic i32, ptr %p monotonic, align 4
  br label %again
again:
  %seen = phi i32 [ %now, %again ], [ %first, %entry ]
  %old = bitcast i32 %seen to float
  %less = fsub float %old, %v
  %bits = bitcast float %less to i32
  %pair = cmpxchg weak ptr %p, i32 %seen, i32 %bits syncscope("agent") monotonic monotonic, align 4
  %now = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %again
exit:
  ret float %less
}

; `+=` on an _Atomic double: the loop carries the number.
; CHECK-LABEL: @carried.prepared
; CHECK-NOT: load
; CHECK: %[[OLD:.*]] = atomicrmw fadd ptr %p, double %v seq_cst, align 8
; CHECK-NOT: cmpxchg
; CHECK: fadd double %[[OLD]], %v
define double @carried(ptr %p, double %v) "isozyme-request"="reverse(dup,active)->active" {
entry:
  %first = load atomic double, ptr %p seq_cst, align 8
  br label %again
again:
  %old = phi double [ %first, %entry ], [ %now, %again ]
  %sum = fadd double %old, %v
  %seen = bitcast double %old to i64
  %bits = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %seen, i64 %bits seq_cst seq_cst, align 8
  %now.bits = extractvalue { i64, i1 } %pair, 0
  %done = extractvalue { i64, i1 } %pair, 1
  %now = bitcast i64 %now.bits to double
  br i1 %done, label %exit, label %again
exit:
  ret double %sum
}

; Where clang has fused the sum with a product, which is the same each time.
; CHECK-LABEL: @product.prepared
; CHECK: %[[NEGATED:.*]] = fneg double %v
; CHECK: %[[BY:.*]] = fmul double %[[NEGATED]], %w
; CHECK: atomicrmw fadd ptr %p, double %[[BY]] seq_cst, align 8
; CHECK-NOT: cmpxchg
define void @product(ptr %p, double %v, double %w) "isozyme-request"="reverse(dup,active,active)->const" {
entry:
  %first = load atomic double, ptr %p seq_cst, align 8
  br label %again
again:
  %old = phi double [ %first, %entry ], [ %now, %again ]
  %negated = fneg double %v
  %sum = call double @llvm.fmuladd.f64(double %negated, double %w, double %old)
  %seen = bitcast double %old to i64
  %bits = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %seen, i64 %bits seq_cst seq_cst, align 8
  %now.bits = extractvalue { i64, i1 } %pair, 0
  %done = extractvalue { i64, i1 } %pair, 1
  %now = bitcast i64 %now.bits to double
  br i1 %done, label %exit, label %again
exit:
  ret void
}

; The other way round, a store in the loop, and a share that is not the same each time.
; CHECK-LABEL: @from.prepared
; CHECK: cmpxchg
define void @from(ptr %p, double %v) "isozyme-request"="reverse(dup,active)->const" {
entry:
  %first = load i64, ptr %p
  br label %again
again:
  %seen = phi i64 [ %first, %entry ], [ %now, %again ]
  %old = bitcast i64 %seen to double
  %less = fsub double %v, %old
  %bits = bitcast double %less to i64
  %pair = cmpxchg ptr %p, i64 %seen, i64 %bits seq_cst seq_cst
  %now = extractvalue { i64, i1 } %pair, 0
  %done = icmp eq i64 %seen, %now
  br i1 %done, label %exit, label %again
exit:
  ret void
}

; CHECK-LABEL: @counted.prepared
; CHECK: cmpxchg
define void @counted(ptr %p, ptr %q, double %v) "isozyme-request"="reverse(dup,const,active)->const" {
entry:
  %first = load i64, ptr %p
  br label %again
again:
  %seen = phi i64 [ %first, %entry ], [ %now, %again ]
  store i64 %seen, ptr %q
  %old = bitcast i64 %seen to double
  %sum = fadd double %v, %old
  %bits = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %seen, i64 %bits seq_cst seq_cst
  %now = extractvalue { i64, i1 } %pair, 0
  %done = icmp eq i64 %seen, %now
  br i1 %done, label %exit, label %again
exit:
  ret void
}

; CHECK-LABEL: @doubled.prepared
; CHECK: cmpxchg
define void @doubled(ptr %p) "isozyme-request"="reverse(dup)->const" {
entry:
  %first = load i64, ptr %p
  br label %again
again:
  %seen = phi i64 [ %first, %entry ], [ %now, %again ]
  %old = bitcast i64 %seen to double
  %sum = fadd double %old, %old
  %bits = bitcast double %sum to i64
  %pair = cmpxchg ptr %p, i64 %seen, i64 %bits seq_cst seq_cst
  %now = extractvalue { i64, i1 } %pair, 0
  %done = icmp eq i64 %seen, %now
  br i1 %done, label %exit, label %again
exit:
  ret void
}

; An exchange for a constant is a store if nobody uses what was there.
; CHECK-LABEL: @emptied.prepared
; CHECK-NEXT: entry:
; CHECK-NEXT: store atomic i32 0, ptr %p syncscope("agent") monotonic, align 4
; CHECK-NEXT: store atomic float 2.000000e+00, ptr %p release, align 4
; CHECK-NEXT: atomicrmw xchg ptr %p, float %v monotonic, align 4
; CHECK-NEXT: %used = atomicrmw xchg ptr %p, float 0.000000e+00 monotonic, align 4
; CHECK-NEXT: ret float %used
define float @emptied(ptr %p, float %v) "isozyme-request"="reverse(dup,active)->active" {
entry:
  %1 = atomicrmw xchg ptr %p, i32 0 syncscope("agent") monotonic, align 4
  %2 = atomicrmw xchg ptr %p, float 2.0 acq_rel, align 4
  %3 = atomicrmw xchg ptr %p, float %v monotonic, align 4
  %used = atomicrmw xchg ptr %p, float 0.0 monotonic, align 4
  ret float %used
}

; The larger of two, in the ways that programs write it.
; CHECK-LABEL: @larger.prepared
; CHECK: atomicrmw fmax ptr %p, float %v monotonic, align 4
; CHECK-NOT: cmpxchg
define void @larger(ptr %p, float %v) "isozyme-request"="reverse(dup,active)->const" {
entry:
  %first = load i32, ptr %p
  br label %again
again:
  %seen = phi i32 [ %first, %entry ], [ %now, %again ]
  %old = bitcast i32 %seen to float
  %max = call float @llvm.maxnum.f32(float %v, float %old)
  %bits = bitcast float %max to i32
  %pair = cmpxchg ptr %p, i32 %seen, i32 %bits monotonic monotonic
  %now = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %seen, %now
  br i1 %done, label %exit, label %again
exit:
  ret void
}
declare float @llvm.maxnum.f32(float, float)

; CHECK-LABEL: @smaller.of.bits.prepared
; CHECK: atomicrmw fmin ptr %p, float %v monotonic, align 4
; CHECK-NOT: cmpxchg
define void @smaller.of.bits(ptr %p, float %v) "isozyme-request"="reverse(dup,active)->const" {
entry:
  %first = load i32, ptr %p
  %mine = bitcast float %v to i32
  br label %again
again:
  %seen = phi i32 [ %first, %entry ], [ %now, %again ]
  %old = bitcast i32 %seen to float
  %less = fcmp ole float %old, %v
  %bits = select i1 %less, i32 %seen, i32 %mine
  %pair = cmpxchg ptr %p, i32 %seen, i32 %bits monotonic monotonic
  %now = extractvalue { i32, i1 } %pair, 0
  %done = icmp eq i32 %seen, %now
  br i1 %done, label %exit, label %again
exit:
  ret void
}

; The question stands before the exchange.
; CHECK-LABEL: @try.prepared
; CHECK-NOT: load
; CHECK: atomicrmw fmax ptr %p, float %v monotonic, align 4
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @try(ptr %p, float %v) "isozyme-request"="reverse(dup,active)->const" {
entry:
  %first = load i32, ptr %p
  %bits = bitcast float %v to i32
  br label %again
again:
  %seen = phi i32 [ %first, %entry ], [ %now, %try ]
  %old = bitcast i32 %seen to float
  %larger = fcmp ogt float %v, %old
  br i1 %larger, label %try, label %exit
try:
  %pair = cmpxchg ptr %p, i32 %seen, i32 %bits monotonic monotonic
  %now = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %again
exit:
  ret void
}

; The first question stands in front of the loop, and is not needed.
; CHECK-LABEL: @rotated.prepared
; CHECK-NOT: fcmp
; CHECK: atomicrmw fmin ptr %p, double %v monotonic, align 8
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @rotated(ptr %p, double %v) "isozyme-request"="reverse(dup,active)->const" {
entry:
  %first = load i64, ptr %p
  %number = bitcast i64 %first to double
  %needed = fcmp ogt double %number, %v
  br i1 %needed, label %before, label %exit
before:
  %bits = bitcast double %v to i64
  br label %again
again:
  %seen = phi i64 [ %first, %before ], [ %now, %again ]
  %pair = cmpxchg ptr %p, i64 %seen, i64 %bits monotonic monotonic
  %now = extractvalue { i64, i1 } %pair, 0
  %there = bitcast i64 %now to double
  %larger = fcmp ogt double %there, %v
  br i1 %larger, label %again, label %exit
exit:
  ret void
}

; It is left when another number is there.
; CHECK-LABEL: @other.prepared
; CHECK: cmpxchg
define void @other(ptr %p, float %v, float %w) "isozyme-request"="reverse(dup,active,const)->const" {
entry:
  %first = load i32, ptr %p
  %bits = bitcast float %v to i32
  br label %again
again:
  %seen = phi i32 [ %first, %entry ], [ %now, %try ]
  %old = bitcast i32 %seen to float
  %larger = fcmp ogt float %w, %old
  br i1 %larger, label %try, label %exit
try:
  %pair = cmpxchg ptr %p, i32 %seen, i32 %bits monotonic monotonic
  %now = extractvalue { i32, i1 } %pair, 0
  br label %again
exit:
  ret void
}
