; Addresses in a variable of constant memory that has a shadow are generic, as those of its shadow are.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@weights = addrspace(4) externally_initialized constant [4 x double] zeroinitializer, !enzyme_shadow !0
@dweights = addrspace(1) externally_initialized global [4 x double] zeroinitializer
@fixed = addrspace(4) externally_initialized constant [4 x double] zeroinitializer

define double @f(ptr %x, i64 %i) "isozyme-request"="reverse(dup, const) -> active" {
  %a = load double, ptr addrspace(4) @weights
  %row = getelementptr [2 x double], ptr addrspace(4) @weights, i64 %i
  %p = getelementptr double, ptr addrspace(4) %row, i64 1
  %b = load double, ptr addrspace(4) %p
  %q = getelementptr double, ptr addrspace(4) @fixed, i64 %i
  %c = load double, ptr addrspace(4) %q
  %v = load double, ptr %x
  %ab = fmul double %a, %b
  %cv = fmul double %c, %v
  %r = fmul double %ab, %cv
  ret double %r
}
; CHECK-LABEL: define {{.*}}double @f
; CHECK-NEXT: load double, ptr addrspacecast (ptr addrspace(4) @weights to ptr)
; CHECK-NEXT: [[ROW:%[0-9a-z]+]] = getelementptr [2 x double], ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 %
; CHECK-NEXT: [[P:%[0-9a-z]+]] = getelementptr {{.*}}, ptr [[ROW]], i64
; CHECK-NEXT: load double, ptr [[P]]
; CHECK-NEXT: [[Q:%[0-9a-z]+]] = getelementptr double, ptr addrspace(4) @fixed, i64 %
; CHECK-NEXT: load double, ptr addrspace(4) [[Q]]

define double @chosen(ptr %x, i64 %i, i1 %c) "isozyme-request"="reverse(dup, const, const) -> active" {
  %p = getelementptr double, ptr addrspace(4) @weights, i64 %i
  %q = getelementptr double, ptr addrspace(4) @weights, i64 3
  %pq = select i1 %c, ptr addrspace(4) %p, ptr addrspace(4) %q
  %a = load double, ptr addrspace(4) %pq
  %v = load double, ptr %x
  %r = fmul double %a, %v
  ret double %r
}
; CHECK-LABEL: define {{.*}}double @chosen
; CHECK-NEXT: [[P:%[0-9a-z]+]] = getelementptr double, ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 %
; CHECK-NEXT: [[C:%[0-9a-z]+]] = select i1 %{{.*}}, ptr [[P]], ptr addrspacecast (ptr addrspace(4) getelementptr {{.*}} @weights, {{.*}} to ptr)
; CHECK-NEXT: load double, ptr [[C]]

; Such memory cannot be stored to; what does so is no reason for a derivative that is not legal.
define double @stored(ptr %x, i64 %i) "isozyme-request"="reverse(dup, const) -> active" {
  %row = getelementptr [2 x double], ptr addrspace(4) @weights, i64 %i
  %a = load double, ptr addrspace(4) %row
  store double 1.0, ptr addrspace(4) %row
  ret double %a
}
; CHECK-LABEL: define {{.*}}double @stored
; CHECK-NEXT: [[ROW:%[0-9a-z]+]] = getelementptr [2 x double], ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 %
; CHECK-NEXT: load double, ptr [[ROW]]
; CHECK-NEXT: store double {{.*}}, ptr [[ROW]]

!0 = !{ptr addrspace(1) @dweights}
