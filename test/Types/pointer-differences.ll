; The distance of two elements of one array is one of whole elements, of any size.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
%record = type { double, i64, double }

; CHECK-LABEL: types of @moved.prepared
; CHECK: %to -> every 24: {0..8 float double, 8..16 integer, 16..24 float double}
define void @moved(ptr %from, ptr %room, i64 %i, i64 %j) "isozyme-request"="reverse(dup,dup,const,const)->const" {
  %first = getelementptr inbounds %record, ptr %from, i64 %i
  %last = getelementptr inbounds %record, ptr %from, i64 %j
  %a = ptrtoint ptr %last to i64
  %b = ptrtoint ptr %first to i64
  %bytes = sub i64 %a, %b
  %to = getelementptr inbounds i8, ptr %room, i64 %bytes
  %v = load %record, ptr %first
  store %record %v, ptr %to
  call void @llvm.memmove.p0.p0.i64(ptr align 1 %room, ptr align 1 %first, i64 %bytes, i1 false)
  ret void
}

; The end of an array that is not there is no memory, too: near to null is nothing.
; CHECK-LABEL: types of @empty.prepared
; CHECK: %end -> every 8: {0..8 float double}
define double @empty(ptr %v, i1 %none) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br i1 %none, label %nothing, label %some
some:
  %start = load ptr, ptr %v
  %last = getelementptr inbounds i8, ptr %start, i64 8
  br label %nothing
nothing:
  %end = phi ptr [ %last, %some ], [ inttoptr (i64 8 to ptr), %entry ]
  %x = load double, ptr %end
  %other = getelementptr inbounds i8, ptr %end, i64 8
  %y = load double, ptr %other
  %s = fadd double %x, %y
  ret double %s
}
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

; No division tells of one distance; but the source counts records from either end to a third.
; CHECK-LABEL: types of @counted.prepared
; CHECK: %to -> every 24: {0..8 float double, 8..16 integer, 16..24 float double}
define i64 @counted(ptr %first, ptr %place, ptr %last, ptr %room, i64 %k) "isozyme-request"="reverse(dup,dup,dup,dup,const)->const" {
  %a = ptrtoint ptr %place to i64
  %b = ptrtoint ptr %first to i64
  %c = ptrtoint ptr %last to i64
  %all = sub i64 %c, %b
  %count = sdiv exact i64 %all, 24
  %rest = sub i64 %c, %a, !isozyme-whole-elements !0
  %bytes = sub i64 %a, %b
  %to = getelementptr inbounds i8, ptr %room, i64 %bytes
  %some = getelementptr inbounds %record, ptr %place, i64 %k
  %v = load %record, ptr %some
  store %record %v, ptr %to
  %n = add i64 %count, %rest
  ret i64 %n
}

; That both pointers are stepped in whole records does not say so: they may be to different members.
; CHECK-LABEL: types of @stepped.prepared
; CHECK: %w -> every 8: {0..8 float double}
define double @stepped(ptr %x, ptr %p, ptr %q, i64 %k) "isozyme-request"="reverse(dup,const,const,const)->active" {
  %w = alloca [240 x i8], align 8
  %u = alloca [240 x i8], align 8
  %k3 = mul nsw i64 %k, 3
  %p.k = getelementptr inbounds double, ptr %p, i64 %k3
  %q.k = getelementptr inbounds double, ptr %q, i64 %k3
  %a = load double, ptr %p.k
  %b = load double, ptr %q.k
  %s = fmul double %a, %b
  %p.at = ptrtoint ptr %p to i64
  %q.at = ptrtoint ptr %q to i64
  %bytes = sub i64 %q.at, %p.at
  %to = getelementptr inbounds i8, ptr %w, i64 %bytes
  %v = load double, ptr %x
  store double %v, ptr %to
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %u, ptr align 8 %w, i64 240, i1 false)
  %from = getelementptr inbounds i8, ptr %u, i64 %bytes
  %r = load double, ptr %from
  %t = fadd double %r, %s
  ret double %t
}
!0 = !{i64 24}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
