; Derivatives are made for processors and for two kinds of GPUs; elsewhere there is one error.
; RUN: split-file %s %t
; RUN: cat %t/triple.nvptx %t/calls.ll > %t/nvptx.ll
; RUN: %opt -passes=autodiff -S %t/nvptx.ll | FileCheck %s --check-prefix=DONE
; RUN: cat %t/triple.amdgcn %t/calls.ll > %t/amdgcn.ll
; RUN: %opt -passes=autodiff -S %t/amdgcn.ll | FileCheck %s --check-prefix=DONE
; RUN: cat %t/triple.spirv %t/calls.ll > %t/spirv.ll
; RUN: not %opt -passes=autodiff -S %t/spirv.ll -o %t/spirv.out 2>&1 | FileCheck %s --check-prefix=SPIRV
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

; SPIRV: error: {{.*}}in function slope {{.*}}: this code is compiled for a GPU (spirv64), for which Isozyme makes no derivatives; compile for nvptx64 or amdgcn, {{.*}} [IZ121]
; SPIRV-NOT: error
; BPF: compiled for 'bpf', {{.*}}; compile for a processor such as x86, {{.*}} [IZ121]
; DONE-NOT: @__enzyme_autodiff(

;--- triple.nvptx
target triple = "nvptx64-nvidia-cuda"
;--- triple.amdgcn
target triple = "amdgcn-amd-amdhsa"
;--- triple.spirv
target triple = "spirv64-unknown-unknown"
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
