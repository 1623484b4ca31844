; Where all threads of a warp may add to one number at once, they add up what they have, and one of them adds the
; sum. The caller has to be a kernel that passes the same address to all; the code asks whether that is so.
; RUN: split-file %s %t
; RUN: cat %t/triple.nvptx %t/kernels.ll %t/new.ll > %t/nvptx.ll
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %t/nvptx.ll 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes=autodiff -pass-remarks-analysis=isozyme -disable-output %t/nvptx.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: %opt -passes=autodiff -S %t/nvptx.ll | FileCheck %s --check-prefix=NVPTX

; A machine that cannot compare what threads of a warp have.
; RUN: cat %t/triple.nvptx %t/kernels.ll %t/old.ll > %t/old-nvptx.ll
; RUN: %opt -passes=autodiff -S %t/old-nvptx.ll | FileCheck %s --check-prefix=EACH

; AMD's code generator adds up what threads of a warp add to one address.
; RUN: sed "s/ptx_kernel/amdgpu_kernel/; s/llvm.nvvm.read.ptx.sreg.tid.x/llvm.amdgcn.workitem.id.x/" %t/kernels.ll > %t/amd-kernels.ll
; RUN: cat %t/triple.amdgcn %t/amd-kernels.ll %t/amd.ll > %t/amdgcn.ll
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %t/amdgcn.ll 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes=autodiff -S %t/amdgcn.ll | FileCheck %s --check-prefix=EACH

; PLAN: reverse(@f: dup ptr common, dup ptr common, const i64) -> active
; PLAN: %u = load: load  once for a warp  (other threads may add to it)
; PLAN: %v = load: load  atomic  (other threads may add to it)
; PLAN: atomic operations of a thread, at most: 100, and 100 once for a warp
; The shadow of each thread begins elsewhere.
; PLAN: reverse(@f: dup ptr, dup ptr common, const i64) -> active
; PLAN: %u = load: load  atomic  (other threads may add to it)
; Nothing is known of what a function of the device is passed.
; PLAN: reverse(@g: dup ptr) -> active
; PLAN: load  atomic  (other threads may add to it)

; REMARK: atomically and at most so often: 100, and 100 once for a warp

; What belongs to the thread is asked first: local variables of all threads may have one address.
; NVPTX-LABEL: define ptx_kernel void @common(
; NVPTX: %[[P:[^ ,]+]] = getelementptr double, ptr %dw, i64 %{{.*}}
; NVPTX: %[[OWN:[^ ,]+]] = tail call i1 @llvm.nvvm.isspacep.local(ptr %[[P]])
; NVPTX: br i1 %[[OWN]], label %{{own.*}}, label %[[SHARED:[^ ,]+]]
; NVPTX: [[SHARED]]:
; NVPTX: %[[HERE:[^ ,]+]] = tail call i32 @llvm.nvvm.activemask()
; NVPTX: %[[ALL:[^ ,]+]] = icmp eq i32 %[[HERE]], -1
; NVPTX: br i1 %[[ALL]], label %[[WHOLE:[^ ,]+]], label %[[ALONE:[^ ,]+]]
; NVPTX: [[WHOLE]]:
; NVPTX: %[[WORD:[^ ,]+]] = ptrtoint ptr %[[P]] to i64
; NVPTX: call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %[[WORD]])
; NVPTX: br i1 %{{.*}}, label %[[TOGETHER:[^ ,]+]], label %[[ALONE]]
; NVPTX: [[TOGETHER]]:
; NVPTX-COUNT-10: call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1,
; NVPTX: br i1 %{{.*}}, label %[[ALONE]], label %{{.*}}
; NVPTX: [[ALONE]]:
; NVPTX-NEXT: %[[SHARE:[^ ,]+]] = phi double
; NVPTX-NEXT: atomicrmw fadd ptr %[[P]], double %[[SHARE]] syncscope("device") monotonic

; EACH-NOT: shfl
; EACH: atomicrmw fadd

;--- triple.nvptx
target triple = "nvptx64-nvidia-cuda"
;--- triple.amdgcn
target triple = "amdgcn-amd-amdhsa"
;--- new.ll
attributes #0 = { "target-cpu"="sm_75" }
;--- old.ll
attributes #0 = { "target-cpu"="sm_61" }
;--- amd.ll
attributes #0 = { "target-cpu"="gfx90a" }
;--- kernels.ll
define double @f(ptr noalias %w, ptr noalias %x, i64 %i) #0 {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr double, ptr %w, i64 %j
  %u = load double, ptr %p
  %k = add i64 %i, %j
  %q = getelementptr double, ptr %x, i64 %k
  %v = load double, ptr %q
  %m = fmul double %u, %v
  %sum.next = fadd double %sum, %m
  %j.next = add nuw i64 %j, 1
  %more = icmp ult i64 %j.next, 100
  br i1 %more, label %loop, label %done
done:
  ret double %sum.next
}
define double @g(ptr %x) #0 {
  %v = load double, ptr %x
  %s = fmul double %v, %v
  ret double %s
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @common(ptr %w, ptr %dw, ptr %x, ptr %dx) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  call void @__enzyme_autodiff(ptr @f, ptr %w, ptr %dw, ptr %x, ptr %dx, i64 %i)
  ret void
}
define ptx_kernel void @apart(ptr %w, ptr %dw, ptr %x, ptr %dx) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %row = getelementptr [100 x double], ptr %dw, i64 %i
  call void @__enzyme_autodiff(ptr @f, ptr %w, ptr %row, ptr %x, ptr %dx, i64 %i)
  ret void
}
define void @function(ptr %x, ptr %dx) #0 {
  call void @__enzyme_autodiff(ptr @g, ptr %x, ptr %dx)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
