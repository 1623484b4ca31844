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

; No division tells of one distance; but from both ends records are counted and stepped over.
; CHECK-LABEL: types of @stepped.prepared
; CHECK: %to -> every 24: {0..8 float double, 8..16 integer, 16..24 float double}
define i64 @stepped(ptr %first, ptr %place, ptr %last, ptr %room, i64 %k) "isozyme-request"="reverse(dup,dup,dup,dup,const)->const" {
  %a = ptrtoint ptr %place to i64
  %b = ptrtoint ptr %first to i64
  %c = ptrtoint ptr %last to i64
  %all = sub i64 %c, %b
  %count = sdiv exact i64 %all, 24
  %bytes = sub i64 %a, %b
  %to = getelementptr inbounds i8, ptr %room, i64 %bytes
  %some = getelementptr inbounds %record, ptr %place, i64 %k
  %v = load %record, ptr %some
  store %record %v, ptr %to
  ret i64 %count
}
