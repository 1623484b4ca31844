; What callees do with an argument counts, also through recursion.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @caller
; CHECK: %x -> every 8: {0..8 float double}
; CHECK: %n -> starts with {0..4 integer}
define double @caller(ptr %x, ptr %n) "isozyme-request"="reverse(dup,const)->active" {
  %r = call double @sum(ptr %x, ptr %n)
  ret double %r
}

; Each call has its own view of the callee: the two arguments stay apart.
; CHECK-LABEL: types of @apart
; CHECK: %x -> every 8: {0..8 float double}
; CHECK: %p -> starts with {0..8 pointer}
define double @apart(ptr %x, ptr %p) "isozyme-request"="reverse(dup,dup)->active" {
  %a = call ptr @same(ptr %x)
  %b = call ptr @same(ptr %p)
  %c = load ptr, ptr %b
  %v = load double, ptr %a
  %w = load double, ptr %c
  %s = fadd double %v, %w
  ret double %s
}

; CHECK-LABEL: types of @deep
; CHECK: %x -> every 8: {0..8 float double}
define double @deep(ptr %x, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
  %r = call double @even(ptr %x, i64 %n)
  ret double %r
}

define internal double @sum(ptr %x, ptr %n) {
  %k = load i32, ptr %n
  %wide = sext i32 %k to i64
  %p = getelementptr double, ptr %x, i64 %wide
  %v = load double, ptr %p
  ret double %v
}
define internal ptr @same(ptr %p) {
  ret ptr %p
}
define internal double @even(ptr %x, i64 %n) {
  %r = call double @odd(ptr %x, i64 %n)
  ret double %r
}
define internal double @odd(ptr %x, i64 %n) {
  %stop = icmp eq i64 %n, 0
  br i1 %stop, label %end, label %more
more:
  %m = add i64 %n, -1
  %r = call double @even(ptr %x, i64 %m)
  ret double %r
end:
  %p = getelementptr double, ptr %x, i64 %n
  %v = load double, ptr %p
  ret double %v
}

; What a callee moves as an integer may be an address: %x is read through what @move has moved,
; and through what @keep has stored.
; CHECK-LABEL: types of @moved
; CHECK: %x -> {{.*}}float double
; CHECK: %y -> {{.*}}float double
define double @moved(ptr %x, ptr %y) "isozyme-request"="reverse(dup,dup)->active" {
  %from = alloca ptr
  %to = alloca ptr
  %kept = alloca ptr
  store ptr %x, ptr %from
  call void @move(ptr %to, ptr %from)
  %p = load ptr, ptr %to
  %a = load double, ptr %p
  %n = ptrtoint ptr %y to i64
  call void @keep(ptr %kept, i64 %n)
  %q = load ptr, ptr %kept
  %b = load double, ptr %q
  %r = fmul double %a, %b
  ret double %r
}

define void @move(ptr %to, ptr %from) {
  %n = load i64, ptr %from
  store i64 %n, ptr %to
  ret void
}

define void @keep(ptr %to, i64 %n) {
  call void @store(i64 %n, ptr %to)
  ret void
}

define void @store(i64 %n, ptr %to) {
  store i64 %n, ptr %to
  ret void
}

; Two addresses at a time, in exchanged places.
; CHECK-LABEL: types of @exchanged
; CHECK: %x -> {{.*}}float double
define double @exchanged(ptr %x, ptr %y) "isozyme-request"="reverse(dup,const)->active" {
  %pair = alloca [2 x ptr]
  %second = getelementptr i8, ptr %pair, i64 8
  %to = alloca [2 x ptr]
  %last = getelementptr i8, ptr %to, i64 8
  store ptr %x, ptr %pair
  store ptr %y, ptr %second
  call void @exchange(ptr %to, ptr %pair)
  %p = load ptr, ptr %last
  %a = load double, ptr %p
  ret double %a
}

define void @exchange(ptr %to, ptr %from) {
  %v = load <2 x i64>, ptr %from
  %w = shufflevector <2 x i64> %v, <2 x i64> poison, <2 x i32> <i32 1, i32 0>
  store <2 x i64> %w, ptr %to
  ret void
}
