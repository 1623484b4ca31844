; Derivatives are made for processors on which one thread has a shadow to itself; elsewhere there is one error.
; RUN: split-file %s %t
; RUN: cat %t/triple.nvptx %t/calls.ll > %t/nvptx.ll
; RUN: not %opt -passes=autodiff -S %t/nvptx.ll -o %t/nvptx.out 2>&1 | FileCheck %s --check-prefix=NVPTX
; RUN: cat %t/triple.amdgcn %t/calls.ll > %t/amdgcn.ll
; RUN: not %opt -passes=autodiff -S %t/amdgcn.ll -o %t/amdgcn.out 2>&1 | FileCheck %s --check-prefix=AMDGCN
; RUN: cat %t/triple.bpf %t/calls.ll > %t/bpf.ll
; RUN: not %opt -passes=autodiff -S %t/bpf.ll -o %t/bpf.out 2>&1 | FileCheck %s --check-prefix=BPF
; RUN: cat %t/triple.riscv %t/calls.ll > %t/riscv.ll
; RUN: %opt -passes=autodiff -S %t/riscv.ll | FileCheck %s --check-prefix=DONE
; RUN: %opt -passes=autodiff -S %t/calls.ll | FileCheck %s --check-prefix=DONE

; Without a call there is nothing to say, and nothing to change.
; RUN: cat %t/triple.nvptx %t/device.ll > %t/device-nvptx.ll
; RUN: %opt -S %t/device-nvptx.ll -o %t/before.ll
; RUN: %opt -passes=autodiff -S %t/device-nvptx.ll -o %t/after.ll
; RUN: diff %t/before.ll %t/after.ll

; NVPTX: error: {{.*}}in function slope {{.*}}: this code is compiled for an NVIDIA GPU (nvptx64), for which Isozyme makes no derivatives; the threads of a GPU would add to one shadow at the same time {{.*}} [IZ121]
; NVPTX-NOT: error
; AMDGCN: compiled for an AMD GPU (amdgcn), {{.*}} [IZ121]
; BPF: compiled for 'bpf', {{.*}}; compile for a processor such as x86, {{.*}} [IZ121]
; DONE-NOT: @__enzyme_autodiff(

;--- triple.nvptx
target triple = "nvptx64-nvidia-cuda"
;--- triple.amdgcn
target triple = "amdgcn-amd-amdhsa"
;--- triple.bpf
target triple = "bpf"
;--- triple.riscv
target triple = "riscv64-unknown-linux-gnu"
;--- calls.ll
define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @slope(double %x) {
  %d = call double @__enzyme_autodiff(ptr @square, double %x)
  ret double %d
}
define double @again(double %x) {
  %d = call double @__enzyme_autodiff(ptr @square, double %x)
  ret double %d
}
declare double @__enzyme_autodiff(ptr, ...)
;--- device.ll
define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
