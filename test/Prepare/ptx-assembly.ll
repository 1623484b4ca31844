; Assembly of NVIDIA's GPUs, as the headers of CUDA write it for halves, is read as LLVM's operations. What rounds
; otherwise, or is not known, stays.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @product.prepared(
; CHECK: [[M:%.*]] = fmul half
; CHECK-NOT: asm
; CHECK: ret
define i16 @product(i16 %a, i16 %b) "isozyme-request"="reverse(const,const)->const" {
  %r = call i16 asm "{mul.f16 $0,$1,$2;\0A}", "=h,h,h"(i16 %a, i16 %b)
  ret i16 %r
}

; The upper half of a float is a bfloat; statements share registers.
; CHECK-LABEL: @exponential.prepared(
; CHECK: [[F:%.*]] = fpext bfloat {{.*}} to float
; CHECK: [[E:%.*]] = call float @llvm.nvvm.ex2.approx.ftz.f32(float [[F]])
; CHECK: fptrunc float [[E]] to bfloat
; CHECK-NOT: asm
; CHECK: ret
define i16 @exponential(i16 %a) "isozyme-request"="reverse(const)->const" {
  %r = call i16 asm "{.reg .b32 f;\0A mov.b32 f, {0,$1};\0A ex2.approx.ftz.f32 f, f;\0A cvt.rn.bf16.f32 $0, f;\0A}", "=h,h"(i16 %a)
  ret i16 %r
}

; CHECK-LABEL: @upwards.prepared(
; CHECK: asm "add.rp.f32
; CHECK: asm "tanh.approx.f16
; CHECK: ret
define float @upwards(float %a, i16 %b) "isozyme-request"="reverse(const,const)->const" {
  %r = call float asm "add.rp.f32 $0,$1,$1;", "=f,f"(float %a)
  %t = call i16 asm "tanh.approx.f16 $0,$1;", "=h,h"(i16 %b)
  %n = uitofp i16 %t to float
  %s = fadd float %r, %n
  ret float %s
}
