; SSE and AVX by name become what the instructions do.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @smaller
; CHECK:       [[L:%.*]] = fcmp olt <2 x double> %a, %b
; CHECK:       %m = select <2 x i1> [[L]], <2 x double> %a, <2 x double> %b
; CHECK:       [[N:%.*]] = icmp slt <2 x i64> {{%.*}}, zeroinitializer
; CHECK:       %c = select <2 x i1> [[N]], <2 x double> %m, <2 x double> %a
; CHECK:       [[E:%.*]] = shufflevector <2 x double> %c, <2 x double> %a, <2 x i32> <i32 0, i32 2>
; CHECK:       [[O:%.*]] = shufflevector <2 x double> %c, <2 x double> %a, <2 x i32> <i32 1, i32 3>
; CHECK:       %h = fadd <2 x double> [[E]], [[O]]
; CHECK-NOT:   llvm.x86
define <2 x double> @smaller(<2 x double> %a, <2 x double> %b) "isozyme-request"="forward(dup,dup)->dup" {
  %m = call <2 x double> @llvm.x86.sse2.min.pd(<2 x double> %a, <2 x double> %b)
  %c = call <2 x double> @llvm.x86.sse41.blendvpd(<2 x double> %a, <2 x double> %m, <2 x double> %b)
  %h = call <2 x double> @llvm.x86.sse3.hadd.pd(<2 x double> %c, <2 x double> %a)
  ret <2 x double> %h
}
