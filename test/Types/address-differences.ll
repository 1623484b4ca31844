; The difference of two addresses is a number, also where one of them is only found
; after the difference has been seen.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @walk
; CHECK-NOT: %count: pointer
; CHECK: %next -> every 8: {0..8 float double}
define double @walk(ptr %first, ptr %last) "isozyme-request"="reverse(dup,dup)->active" {
entry:
  %end = ptrtoint ptr %last to i64
  br label %body
check:
  %at = ptrtoint ptr %next to i64
  %count = sub i64 %end, %at
  %more = icmp sgt i64 %count, 8
  br i1 %more, label %body, label %done
body:
  %p = phi ptr [ %first, %entry ], [ %next, %check ]
  %sum = phi double [ 0.0, %entry ], [ %s, %check ]
  %v = load double, ptr %p
  %s = fadd double %sum, %v
  %next = getelementptr double, ptr %p, i64 1
  br label %check
done:
  ret double %s
}

; The larger of two addresses: no output of a function of mathematics.
; CHECK-LABEL: types of @larger
; CHECK: %x -> every 8: {0..8 float double}
define double @larger(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
  %start = ptrtoint ptr %x to i64
  %end = add i64 %start, %n
  %second = add i64 %start, 8
  %last = call i64 @llvm.umax.i64(i64 %end, i64 %second)
  %bytes = sub i64 %last, %start
  %p = getelementptr i8, ptr %x, i64 %bytes
  %q = getelementptr double, ptr %p, i64 -1
  %v = load double, ptr %q, align 8
  ret double %v
}
declare i64 @llvm.umax.i64(i64, i64)

; Where the end of a vector is, as the program counts it: a multiple of the size of its elements.
; CHECK-LABEL: types of @grown
; CHECK: %block -> every 16: {0..8 integer, 8..16 float double}
; CHECK: %new -> every 16: {0..8 integer, 8..16 float double}
define i1 @grown(ptr %begin, ptr %end, ptr %block, double %x) "isozyme-request"="reverse(dup,dup,dup,out)->const" {
  %to = ptrtoint ptr %end to i64
  %from = ptrtoint ptr %begin to i64
  %bytes = sub i64 %to, %from
  %count = ashr exact i64 %bytes, 4
  %full = icmp eq i64 %count, 256
  %new = getelementptr inbounds i8, ptr %block, i64 %bytes
  store i64 %count, ptr %new, align 8
  %value = getelementptr inbounds i8, ptr %new, i64 8
  store double %x, ptr %value, align 8
  ret i1 %full
}

; What is copied, and where the copy ends: a multiple of the alignment that both ends have, for they hold
; the same elements.
; CHECK-LABEL: types of @moved
; CHECK: %end -> every 8: {0..8 float double}
define double @moved(ptr %first, ptr %last, ptr %to, ptr %kept) "isozyme-request"="reverse(dup,dup,dup,dup)->active" {
  %b = ptrtoint ptr %last to i64
  %a = ptrtoint ptr %first to i64
  %bytes = sub i64 %b, %a
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %to, ptr align 8 %first, i64 %bytes, i1 false)
  %end = getelementptr inbounds i8, ptr %to, i64 %bytes
  store ptr %end, ptr %kept
  %v = load double, ptr %to, align 8
  ret double %v
}

; One end of the copy may hold bytes, for all that is known.
; CHECK-LABEL: types of @bytes
; CHECK: %end -> every 1: {0..1 unknown}
define double @bytes(ptr %first, ptr %last, ptr %to, ptr %kept) "isozyme-request"="reverse(dup,dup,dup,dup)->active" {
  %b = ptrtoint ptr %last to i64
  %a = ptrtoint ptr %first to i64
  %bytes = sub i64 %b, %a
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %to, ptr %first, i64 %bytes, i1 false)
  %end = getelementptr inbounds i8, ptr %to, i64 %bytes
  store ptr %end, ptr %kept
  %v = load double, ptr %to, align 8
  ret double %v
}

; Blocks of a heap are aligned, whatever they hold.
; CHECK-LABEL: types of @blocks
; CHECK: %end -> every 1: {0..1 unknown}
define double @blocks(ptr %last, ptr %kept) "isozyme-request"="reverse(dup,dup)->active" {
  %first = call align 16 ptr @malloc(i64 64)
  %to = call align 16 ptr @malloc(i64 64)
  %b = ptrtoint ptr %last to i64
  %a = ptrtoint ptr %first to i64
  %bytes = sub i64 %b, %a
  call void @llvm.memmove.p0.p0.i64(ptr align 16 %to, ptr align 16 %first, i64 %bytes, i1 false)
  %end = getelementptr inbounds i8, ptr %to, i64 %bytes
  store ptr %end, ptr %kept
  %v = load double, ptr %to, align 8
  ret double %v
}
declare ptr @malloc(i64)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
