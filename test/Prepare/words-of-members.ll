; Calling conventions read a float and an integer beside it as one integer. Where only its halves are used, each member is
; read by itself; so is each stored. What the source names an integer stays one.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-m:e-i64:64-n8:16:32:64-S128"

; CHECK-LABEL: @apart.prepared
; CHECK: %word.low = load i32, ptr %p, align 2
; CHECK: %[[BEHIND:.*]] = getelementptr inbounds i8, ptr %p, i32 4
; CHECK: %word.high = load i32, ptr %[[BEHIND]], align 2
; CHECK-NOT: lshr
define float @apart(ptr %p, ptr %numbers) "isozyme-request"="reverse(dup,const)->active" {
  %word = load i64, ptr %p, align 2
  %low = trunc i64 %word to i32
  %x = bitcast i32 %low to float
  %shifted = lshr i64 %word, 32
  %high = trunc i64 %shifted to i32
  %n = sitofp i32 %high to float
  %r = fmul float %x, %n
  ret float %r
}

; CHECK-LABEL: @together.prepared
; CHECK: store {{(i32|float)}} %{{.*}}, ptr %to, align 4
; CHECK: %[[BEHIND:.*]] = getelementptr inbounds i8, ptr %to, i32 4
; CHECK: store i32 %n, ptr %[[BEHIND]], align 4
define void @together(ptr %from, ptr %count, ptr %to) "isozyme-request"="reverse(dup,const,dup)->const" {
  %x = load float, ptr %from
  %bits = bitcast float %x to i32
  %n = load i32, ptr %count
  %low = zext i32 %bits to i64
  %wide = zext i32 %n to i64
  %high = shl i64 %wide, 32
  %word = or i64 %high, %low
  store i64 %word, ptr %to, align 4
  ret void
}

; A word of which a half is a float is two members where it is chosen and moved, too.
; CHECK-LABEL: @chosen.prepared
; CHECK-NOT: i64
; CHECK: %[[LOW:.*]] = phi i32
; CHECK-NOT: i64
; CHECK: store {{(i32|float)}} %{{.*}}, ptr %to, align 4
; CHECK-NOT: i64
; CHECK: ret float
define float @chosen(ptr %p, ptr %q, ptr %to, i1 %which) "isozyme-request"="reverse(dup,dup,dup,const)->active" {
entry:
  br i1 %which, label %left, label %right
left:
  %a = load i64, ptr %p, align 4
  br label %end
right:
  %b = load i64, ptr %q, align 4
  br label %end
end:
  %word = phi i64 [ %a, %left ], [ %b, %right ]
  store i64 %word, ptr %to, align 4
  %low = trunc i64 %word to i32
  %x = bitcast i32 %low to float
  ret float %x
}

; One of which no half is a float is left as it is.
; CHECK-LABEL: @counted.prepared
; CHECK: %word = load i64, ptr %p
; CHECK: store i64 %word, ptr %to
define float @counted(ptr %p, ptr %to, float %x) "isozyme-request"="reverse(const,const,active)->active" {
  %word = load i64, ptr %p, align 4
  store i64 %word, ptr %to, align 4
  %low = trunc i64 %word to i32
  %n = sitofp i32 %low to float
  %r = fmul float %x, %n
  ret float %r
}

; What is only stored, and not aligned, goes through memory as a whole: it may be an address.
; CHECK-LABEL: @handed.prepared
; CHECK: store i64 %{{.*}}, ptr %[[SLOT:.*]], align 8
; CHECK: call void @put.by.memory(ptr %to, ptr %[[SLOT]])
define float @handed(ptr %from, ptr %to) "isozyme-request"="reverse(dup,dup)->active" {
  %word = load i64, ptr %from, align 4
  call void @put(ptr %to, i64 %word)
  %x = load float, ptr %to
  ret float %x
}
define internal void @put(ptr %to, i64 %record) noinline {
  store i64 %record, ptr %to, align 4
  ret void
}

; CHECK-LABEL: @named.prepared
; CHECK: %word = load i64, ptr %p
define float @named(ptr %p, float %x) "isozyme-request"="reverse(const,active)->active" {
  %word = load i64, ptr %p, !tbaa !0
  %low = trunc i64 %word to i32
  %shifted = lshr i64 %word, 32
  %high = trunc i64 %shifted to i32
  %n = xor i32 %low, %high
  %number = sitofp i32 %n to float
  %r = fmul float %x, %number
  ret float %r
}

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
