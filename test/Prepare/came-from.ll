; A join knows where control came from, by the branch condition where that alone decides.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: prepared function for @diamond
; CHECK: %from = select i1 %c, i8 0, i8 1
; CHECK: join %join: %from in [%left, %right]
define double @diamond(i1 %c, ptr %p) {
entry:
  br i1 %c, label %left, label %right
left:
  store i32 1, ptr %p
  br label %join
right:
  store i32 2, ptr %p
  br label %join
join:
  %x = load double, ptr %p
  ret double %x
}

; CHECK-LABEL: prepared function for @triangle
; CHECK: %from = select i1 %c, i8 1, i8 0
; CHECK: join %join: %from in [%entry, %then]
define double @triangle(i1 %c, ptr %p) {
entry:
  br i1 %c, label %then, label %join
then:
  store i32 1, ptr %p
  br label %join
join:
  %x = load double, ptr %p
  ret double %x
}

; The two edges from %entry are one predecessor.
; CHECK-LABEL: prepared function for @cases
; CHECK: %from = phi i8 [ 0, %entry ], [ 0, %entry ], [ 1, %one ], [ 2, %other ]
; CHECK: join %join: %from in [%entry, %one, %other]
define double @cases(i32 %k, ptr %p) {
entry:
  switch i32 %k, label %other [
    i32 1, label %one
    i32 2, label %join
    i32 3, label %join
  ]
one:
  store i32 1, ptr %p
  br label %join
other:
  store i32 2, ptr %p
  br label %join
join:
  %v = phi double [ 1.0, %entry ], [ 1.0, %entry ], [ 2.0, %one ], [ 3.0, %other ]
  ret double %v
}

; Both ways lead from the first branch through %b: it does not decide alone.
; CHECK-LABEL: prepared function for @mixed
; CHECK: join:
; CHECK-NEXT: %from{{.*}} = phi i8
define double @mixed(i1 %c, i1 %d, ptr %p) {
entry:
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %p
  br i1 %d, label %b, label %join
b:
  store i32 2, ptr %p
  br label %join
join:
  %x = load double, ptr %p
  ret double %x
}
