; What threads share is added to atomically; what is the thread's own is not. The plan says why.
; RUN: split-file %s %t
; RUN: cat %t/triple.nvptx %t/kernel.ll > %t/nvptx.ll
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %t/nvptx.ll 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes=autodiff -S %t/nvptx.ll | FileCheck %s --check-prefix=NVPTX
; RUN: sed "s/%%a = alloca .*/%%l = alloca [4 x double], addrspace(5)\n  %%a = addrspacecast ptr addrspace(5) %%l to ptr/" %t/kernel.ll > %t/locals.ll
; RUN: cat %t/triple.amdgcn %t/locals.ll > %t/amdgcn.ll
; RUN: %opt -passes=autodiff -S %t/amdgcn.ll | FileCheck %s --check-prefix=AMDGCN
; On a processor, one thread has the shadow to itself.
; RUN: %opt -passes=autodiff -S %t/kernel.ll | FileCheck %s --check-prefix=HOST

; PLAN: %v = load: load  atomic  (other threads may add to it)
; PLAN: %o = load: load  (the thread's own memory)

; What each thread has for itself, as the user promises, is added to as on a processor. What several may store
; is taken by one of them.
; PLAN: reverse(@g: dup ptr unshared, dup ptr) -> const
; PLAN: %v = load: load  (promised: no other thread touches it)
; PLAN: store %{{.*}}: store  atomic  (other threads may store there, too)

; NVPTX: call i1 @llvm.nvvm.isspacep.local(ptr %{{.*}})
; NVPTX: atomicrmw fadd ptr %{{.*}}, double %{{.*}} syncscope("device") monotonic, align 8
; AMDGCN-NOT: load double, ptr %dx
; AMDGCN: atomicrmw fadd ptr %{{.*}}, double %{{.*}} syncscope("agent") monotonic, align 8, !amdgpu.no.fine.grained.memory
; NVPTX: define void @dg
; NVPTX-NOT: atomicrmw fadd
; NVPTX: atomicrmw xchg ptr %{{.*}}, double 0.000000e+00 syncscope("device") monotonic, align 8
; NVPTX-NOT: atomicrmw fadd
; HOST-NOT: atomicrmw

;--- triple.nvptx
target triple = "nvptx64-nvidia-cuda"
;--- triple.amdgcn
target triple = "amdgcn-amd-amdhsa"
;--- kernel.ll
define double @f(ptr %x, i64 %i) {
  %a = alloca [4 x double]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %q = getelementptr double, ptr %a, i64 %i
  store double %v, ptr %a
  store double %v, ptr %q
  %o = load double, ptr %a
  %s = fmul double %o, %v
  ret double %s
}
define void @df(ptr %x, ptr %dx, i64 %i) {
  call void @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, i64 %i)
  ret void
}
define void @g(ptr %x, ptr %y) {
  %v = load double, ptr %x
  %s = fmul double %v, %v
  store double %s, ptr %y
  ret void
}
@isozyme_unshared = external global i32
@enzyme_dup = external global i32
define void @dg(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %u = load i32, ptr @isozyme_unshared
  %d = load i32, ptr @enzyme_dup
  call void @__enzyme_autodiff(ptr @g, i32 %u, ptr %x, ptr %dx, i32 %d, ptr %y, ptr %dy)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
