; On a GPU, what a gradient adds to a function takes few registers: its loops are not copied, and what a loop keeps for
; the way back lies in an array that AMD's code generator does not spread over registers.
; RUN: split-file %s %t
; RUN: cat %t/triple.nvptx %t/kernel.ll > %t/nvptx.ll
; RUN: cat %t/triple.amdgcn %t/kernel.ll > %t/amdgcn.ll
; RUN: %opt -passes='autodiff<no-cleanup>' -S %t/nvptx.ll | FileCheck %s --check-prefixes=GPU,NVPTX
; RUN: %opt -passes='autodiff<no-cleanup>' -S %t/amdgcn.ll | FileCheck %s --check-prefixes=GPU,AMDGCN
; RUN: %opt -passes='autodiff<no-cleanup>' -S %t/kernel.ll | FileCheck %s --check-prefix=HOST

; Eight registers are few.
; NVPTX-DAG: alloca [16 x double]
; AMDGCN-DAG: alloca { [16 x double] }
; GPU-DAG: alloca [4 x double]
; GPU: br label %rev.{{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
; GPU: ![[LOOP]] = distinct !{![[LOOP]], ![[WISH:[0-9]+]]}
; GPU: ![[WISH]] = !{!"llvm.loop.unroll.runtime.disable"}
; HOST-NOT: !llvm.loop

;--- triple.nvptx
target triple = "nvptx64-nvidia-cuda"
;--- triple.amdgcn
target datalayout = "A5"
target triple = "amdgcn-amd-amdhsa"
;--- kernel.ll
define double @f(double %x) {
  br label %long
long:
  %i = phi i32 [ 0, %0 ], [ %i.next, %long ]
  %v = phi double [ %x, %0 ], [ %v.next, %long ]
  %v.next = fmul double %v, %v
  %i.next = add i32 %i, 1
  %i.more = icmp ult i32 %i.next, 16
  br i1 %i.more, label %long, label %short
short:
  %k = phi i32 [ 0, %long ], [ %k.next, %short ]
  %w = phi double [ %v.next, %long ], [ %w.next, %short ]
  %w.next = fmul double %w, %w
  %k.next = add i32 %k, 1
  %k.more = icmp ult i32 %k.next, 4
  br i1 %k.more, label %short, label %done
done:
  ret double %w.next
}
declare double @__enzyme_autodiff(ptr, double)
define double @df(double %x) {
  %d = call double @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
