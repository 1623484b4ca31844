; The largest value that threads leave at one place: who has it takes the adjoint. In the memory of a block it is there
; behind a barrier; in that of the GPU it has to be there when the gradient begins.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes='autodiff<no-cleanup>' -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
@top = internal addrspace(3) global float undef

; PLAN: reverse(@in.block
; PLAN: %old = atomicrmw: extremum  atomic  (one of the threads whose value stands there takes it)
; PLAN: the threads of a block wait for each other at its end
; CHECK: define {{.*}}void @reverse.in.block(
; CHECK: atomicrmw fmax ptr {{.*}}, float %{{.*}}
; CHECK-NOT: trap
; CHECK: %[[RESULT:.*]] = load atomic float, ptr {{.*}} monotonic
; CHECK: fcmp oeq float %{{.*}}, %[[RESULT]]
; CHECK: call float @isozyme.take.float.where(
define void @in.block(ptr noalias %x, ptr noalias %y) {
  %p = addrspacecast ptr addrspace(3) @top to ptr
  store float 0.0, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load float, ptr %x
  %old = atomicrmw fmax ptr %p, float %v monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %t = load float, ptr %p
  %s = fmul float %t, %t
  store float %s, ptr %y
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; PLAN: reverse(@in.device
; PLAN: %old = atomicrmw: expect the result, extremum  atomic  (one of the threads whose value stands there takes it)
; CHECK: define {{.*}}void @reverse.in.device(
; CHECK: %[[OLD:.*]] = atomicrmw umin ptr %y, i32 %[[BITS:.*]] monotonic
; CHECK: icmp ult i32 %[[BITS]], %[[OLD]]
; CHECK: call void @isozyme.stop.if(
; CHECK: %[[RESULT:.*]] = load atomic i32, ptr %y monotonic
; CHECK: icmp eq i32 %[[BITS]], %[[RESULT]]
define void @in.device(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %s = fmul float %v, %v
  %bits = bitcast float %s to i32
  %old = atomicrmw umin ptr %y, i32 %bits monotonic
  ret void
}
define void @gradients(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void @__enzyme_autodiff(ptr @in.block, ptr %x, ptr %dx, ptr %y, ptr %dy)
  call void @__enzyme_autodiff(ptr @in.device, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
