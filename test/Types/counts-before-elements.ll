; Numbers are counted in front of an array, in steps as wide as its elements. Copies of elements, to and fro, do not make
; an integer of the first element of the buffer, in which floats are accessed.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @turn
; CHECK: copy of 16 bytes at %from: every 16: {0..16 float double}
; CHECK: copy of 16 bytes at %scratch: every 16: {0..16 float double}
%pair = type { double, double }
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define internal void @turn(ptr %p, i64 %n, i64 %k) "isozyme-request"="reverse(dup,const,const)->const" {
entry:
  %bytes = shl i64 %n, 4
  %scratch = call ptr @malloc(i64 %bytes)
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %to = getelementptr inbounds nuw %pair, ptr %scratch, i64 %i
  %from = getelementptr inbounds nuw %pair, ptr %p, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  %x = load double, ptr %to
  %y = fmul double %x, 2.0
  store double %y, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %back, label %fill
back:
  %last = getelementptr inbounds nuw %pair, ptr %p, i64 %k
  call void @llvm.memcpy.p0.p0.i64(ptr %last, ptr %scratch, i64 16, i1 false)
  call void @free(ptr %scratch)
  ret void
}

define void @f(ptr %p, i64 %n, i64 %k) {
  %count = getelementptr inbounds i8, ptr %p, i64 -16
  %w = getelementptr inbounds %pair, ptr %count, i64 %k
  %c = load i32, ptr %w
  %w2 = getelementptr i8, ptr %w, i64 4
  %c2 = load i32, ptr %w2
  %more2 = add i32 %c2, 1
  store i32 %more2, ptr %w2
  %more = add i32 %c, 1
  store i32 %more, ptr %w
  call void @turn(ptr %p, i64 %n, i64 %k)
  ret void
}
