; Where the optimiser has made one call of several releases, there is one on each way again, so that
; no pointer leads to blocks that have nothing in common. What comes before the release stays before.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
declare ptr @malloc(i64)
declare void @free(ptr)

; CHECK-LABEL: prepared function for @ways
; CHECK: call void @free(ptr %a)
; CHECK: call void @free(ptr %b)
; CHECK: call void @free(ptr %b2)
; CHECK-NOT: call void @free
define double @ways(i32 %n, double %x) {
entry:
  switch i32 %n, label %left [ i32 0, label %middle ]
left:
  %a = call ptr @malloc(i64 8)
  store double %x, ptr %a
  %v = load double, ptr %a
  br label %end
middle:
  %b = call ptr @malloc(i64 16)
  store double %x, ptr %b
  %b2 = call ptr @malloc(i64 24)
  %more = fcmp ogt double %x, 1.0
  br i1 %more, label %inner, label %other
inner:
  call void @free(ptr %b2)
  br label %join
other:
  store double %x, ptr %b2
  br label %join
join:
  %p = phi ptr [ %b, %inner ], [ %b2, %other ]
  br label %end
end:
  %q = phi ptr [ %a, %left ], [ %p, %join ]
  %r = phi double [ %v, %left ], [ %x, %join ]
  %y = fmul double %r, 2.0
  call void @free(ptr %q)
  ret double %y
}

; CHECK-LABEL: prepared function for @read
; CHECK: %q = phi ptr
; CHECK: load double, ptr %q
; CHECK: call void @free(ptr {{.*}}%q)
define double @read(i1 %c, double %x) {
entry:
  br i1 %c, label %left, label %right
left:
  %a = call ptr @malloc(i64 8)
  store double %x, ptr %a
  br label %end
right:
  %b = call ptr @malloc(i64 16)
  store double 1.0, ptr %b
  br label %end
end:
  %q = phi ptr [ %a, %left ], [ %b, %right ]
  %v = load double, ptr %q
  call void @free(ptr %q)
  ret double %v
}

; Round a loop: what an iteration allocates is released on the way back, or behind the loop.
; CHECK-LABEL: prepared function for @round
; CHECK: call void @free(ptr %m)
; CHECK: br label %loop
; CHECK: loop.loop_crit_edge:
; CHECK: call void @free(ptr %n)
; CHECK: br label %loop
; CHECK: call void @free(ptr %n.lcssa)
; CHECK-NOT: call void @free
define double @round(i1 %c, double %x) {
entry:
  %m = call ptr @malloc(i64 8)
  br label %loop
loop:
  %p = phi ptr [ %m, %entry ], [ %n, %loop ]
  call void @free(ptr %p)
  %n = call ptr @malloc(i64 8)
  store double %x, ptr %n
  %v = load double, ptr %n
  br i1 %c, label %loop, label %out
out:
  call void @free(ptr %n)
  ret double %v
}

; A step back from the end by all of the length leads to the start, whether bytes or elements are counted; another step
; back stays.
; CHECK-LABEL: prepared function for @backwards
; CHECK: call void @free(ptr %a)
; CHECK: call void @free(ptr %b)
; CHECK: call void @free(ptr %c.other)
define double @backwards(ptr %x) {
entry:
  %a = load ptr, ptr %x
  %a.at = getelementptr i8, ptr %x, i64 8
  %a.end = load ptr, ptr %a.at
  %a.from = ptrtoint ptr %a to i64
  %a.to = ptrtoint ptr %a.end to i64
  %a.bytes = sub i64 %a.to, %a.from
  %a.count = ashr exact i64 %a.bytes, 3
  %a.back = sub nsw i64 0, %a.count
  %a.start = getelementptr inbounds i64, ptr %a.end, i64 %a.back
  %v = load double, ptr %a
  call void @free(ptr %a.start)
  %b.at = getelementptr i8, ptr %x, i64 16
  %b = load ptr, ptr %b.at
  %b.end.at = getelementptr i8, ptr %x, i64 24
  %b.end = load ptr, ptr %b.end.at
  %b.from = ptrtoint ptr %b to i64
  %b.to = ptrtoint ptr %b.end to i64
  %b.bytes = sub i64 %b.to, %b.from
  %b.back = sub nsw i64 0, %b.bytes
  %b.start = getelementptr inbounds i8, ptr %b.end, i64 %b.back
  call void @free(ptr %b.start)
  %c.back = sub nsw i64 0, %a.bytes
  %c.other = getelementptr inbounds i8, ptr %b.end, i64 %c.back
  call void @free(ptr %c.other)
  ret double %v
}
