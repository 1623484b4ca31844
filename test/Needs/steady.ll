; A callee that takes addresses from memory is told by its request what these lead to: "steady"
; memory stays as it is until the reverse sweep, "own" memory is reached in no other way.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) "alloc-family"="malloc"
declare void @unknown(ptr)
@place = internal global ptr null

; *out->data = *in->data * *in->data
define internal void @square(ptr %in, ptr %out) noinline {
  %from = load ptr, ptr %in
  %v = load double, ptr %from
  %p = fmul double %v, %v
  %to = load ptr, ptr %out
  store double %p, ptr %to
  ret void
}

define internal double @read(ptr %x) noinline {
  %v = load double, ptr %x
  %w = fmul double %v, %v
  ret double %w
}

; Two records made here; nothing is written to x, and nothing else to the block.
define double @stays(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca ptr
  %out = alloca ptr
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  ret double %r
}
; CHECK-LABEL: plan for reverse(@stays
; CHECK:         augment(@square: dup ptr steady, dup ptr steady own)

; In a loop the call itself writes, in a later iteration, to what out leads to.
define double @again(ptr %x, i64 %n) "isozyme-request"="reverse(dup, const) -> active" {
entry:
  %in = alloca ptr
  %out = alloca ptr
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @square(ptr %in, ptr %out)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %r = load double, ptr %block
  ret double %r
}
; CHECK-LABEL: plan for reverse(@again
; CHECK:         augment(@square: dup ptr steady, dup ptr own)

; What the record leads to is overwritten after the call.
define double @overwritten(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca ptr
  %out = alloca ptr
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  store double %r, ptr %x
  %again = call double @read(ptr %x)
  %s = fadd double %r, %again
  ret double %s
}
; CHECK-LABEL: plan for reverse(@overwritten
; CHECK:         augment(@square: dup ptr, dup ptr steady own)

; Both records lead to one block.
define double @shared(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca ptr
  %out = alloca ptr
  %v = load double, ptr %x
  %block = call ptr @malloc(i64 8)
  store double %v, ptr %block
  store ptr %block, ptr %in
  store ptr %block, ptr %out
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  ret double %r
}
; CHECK-LABEL: plan for reverse(@shared
; CHECK:         augment(@square: dup ptr steady, dup ptr steady)

; The address of the block is also where anybody finds it.
define double @shown(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca ptr
  %out = alloca ptr
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  store ptr %block, ptr @place
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  ret double %r
}
; CHECK-LABEL: plan for reverse(@shown
; CHECK:         augment(@square: dup ptr steady, dup ptr steady)

; The record is a copy of another one, made word by word.
define double @copied(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %first = alloca ptr
  %in = alloca ptr
  %out = alloca ptr
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %first
  %word = load i64, ptr %first
  store i64 %word, ptr %in
  store ptr %block, ptr %out
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  store double %r, ptr %x
  %again = call double @read(ptr %x)
  %s = fadd double %r, %again
  ret double %s
}
; CHECK-LABEL: plan for reverse(@copied
; CHECK:         augment(@square: dup ptr, dup ptr steady own)

; A function puts the address into the record: x, which is overwritten.
define internal void @put(ptr %record, ptr %address) noinline {
  store ptr %address, ptr %record
  ret void
}
define double @by.call(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca ptr
  %out = alloca ptr
  %block = call ptr @malloc(i64 8)
  call void @put(ptr %in, ptr %x)
  store ptr %block, ptr %out
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  store double %r, ptr %x
  %again = call double @read(ptr %x)
  %s = fadd double %r, %again
  ret double %s
}
; CHECK-LABEL: plan for reverse(@by.call
; CHECK:         augment(@square: dup ptr, dup ptr steady own)

; A function makes the memory, which nobody writes to later.
define internal void @make(ptr %record) noinline {
  %block = call ptr @malloc(i64 8)
  store double 3.0, ptr %block
  store ptr %block, ptr %record
  ret void
}
define double @made(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca ptr
  %out = alloca ptr
  store ptr %x, ptr %in
  call void @make(ptr %out)
  call void @square(ptr %in, ptr %out)
  %to = load ptr, ptr %out
  %r = load double, ptr %to
  ret double %r
}
; CHECK-LABEL: plan for reverse(@made
; CHECK:         augment(@square: dup ptr steady, dup ptr steady own)

; Functions that are called from functions: they have what their callers were told.
define internal void @through(ptr %in, ptr %out) noinline {
  call void @square(ptr %in, ptr %out)
  ret void
}
define double @passed.on(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca ptr
  %out = alloca ptr
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  call void @through(ptr %in, ptr %out)
  %r = load double, ptr %block
  ret double %r
}
; CHECK-LABEL: plan for reverse(@passed.on
; CHECK:         augment(@through: dup ptr steady, dup ptr steady own)

; What a request says is read as it is printed, and a load behind the pointer is not kept.
define double @told(ptr %in) "isozyme-request"="augment(dup ptr steady own) -> active" {
  %from = load ptr, ptr %in
  %v = load double, ptr %from
  %p = fmul double %v, %v
  ret double %p
}
define double @untold(ptr %in) "isozyme-request"="augment(dup ptr) -> active" {
  %from = load ptr, ptr %in
  %v = load double, ptr %from
  %p = fmul double %v, %v
  ret double %p
}
; CHECK-LABEL: plan for augment(@told: dup ptr steady own)
; CHECK:         %v primal {{.*}} reload  (not overwritten afterwards)
; CHECK-LABEL: plan for augment(@untold: dup ptr)
; CHECK:         %v primal {{.*}} cache #0  (the caller may overwrite it between the sweeps)

; --- Members of one record: memory of its own each, unless an address leads from one to the other ---

define double @members(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca { ptr, ptr }
  %out = getelementptr i8, ptr %in, i64 8
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  ret double %r
}
; CHECK-LABEL: plan for reverse(@members
; CHECK:         augment(@square: dup ptr steady, dup ptr steady own)

; The second one's call is told to a function between.
define double @members.passed.on(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca { ptr, ptr }
  %out = getelementptr i8, ptr %in, i64 8
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  call void @through(ptr %in, ptr %out)
  %r = load double, ptr %block
  ret double %r
}
; CHECK-LABEL: plan for reverse(@members.passed.on
; CHECK:         augment(@through: dup ptr steady, dup ptr steady own)

; A function gets the second member, and writes to what the first one leads to.
define internal void @step.back(ptr %member) noinline {
  %other = getelementptr i8, ptr %member, i64 -8
  %to = load ptr, ptr %other
  %v = load double, ptr %to
  %w = fmul double %v, %v
  store double %w, ptr %to
  ret void
}
define double @stepped.back(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca { ptr, ptr }
  %out = getelementptr i8, ptr %in, i64 8
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  call void @step.back(ptr %out)
  %again = call double @read(ptr %x)
  %s = fadd double %r, %again
  ret double %s
}
; CHECK-LABEL: plan for reverse(@stepped.back
; CHECK:         augment(@square: dup ptr, dup ptr{{( steady)?}})

; Its address is kept, and found again.
define double @address.kept(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %slot = alloca ptr
  %in = alloca { ptr, ptr }
  %out = getelementptr i8, ptr %in, i64 8
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  store ptr %out, ptr %slot
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  %found = load volatile ptr, ptr %slot
  %other = getelementptr i8, ptr %found, i64 -8
  %to = load ptr, ptr %other
  store double %r, ptr %to
  %again = call double @read(ptr %x)
  %s = fadd double %r, %again
  ret double %s
}
; CHECK-LABEL: plan for reverse(@address.kept
; CHECK:         augment(@square: dup ptr, dup ptr{{( steady)?}})

; One of the two is chosen when the program runs.
define double @chosen(ptr %x, i1 %c, i64 %n) "isozyme-request"="reverse(dup, const, const) -> active" {
  %in = alloca { ptr, ptr }
  %out = getelementptr i8, ptr %in, i64 8
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  %one = getelementptr ptr, ptr %in, i64 %n
  %to = load ptr, ptr %one
  store double %r, ptr %to
  %again = call double @read(ptr %x)
  %s = fadd double %r, %again
  ret double %s
}
; CHECK-LABEL: plan for reverse(@chosen
; CHECK:         augment(@square: dup ptr, dup ptr)

; The record is copied as a whole, and a function writes to what the copy leads to.
define internal void @write.both(ptr %copy, double %v) noinline {
  %first = load ptr, ptr %copy
  %at = getelementptr i8, ptr %copy, i64 8
  %second = load ptr, ptr %at
  store double %v, ptr %first
  store double %v, ptr %second
  ret void
}
define double @copied.whole(ptr %x) "isozyme-request"="reverse(dup) -> active" {
  %in = alloca { ptr, ptr }
  %copy = alloca { ptr, ptr }
  %out = getelementptr i8, ptr %in, i64 8
  %block = call ptr @malloc(i64 8)
  store ptr %x, ptr %in
  store ptr %block, ptr %out
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %in, i64 16, i1 false)
  call void @square(ptr %in, ptr %out)
  %r = load double, ptr %block
  call void @write.both(ptr %copy, double %r)
  %again = call double @read(ptr %x)
  %s = fadd double %r, %again
  ret double %s
}
; CHECK-LABEL: plan for reverse(@copied.whole
; CHECK:         augment(@square: dup ptr, dup ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
