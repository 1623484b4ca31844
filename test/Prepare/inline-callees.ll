; Functions of some size that are called in loops, or have loops, become part of what is differentiated.
; MANY stands for forty additions that lead from %v0 to %v40, LINKS for forty stores of addresses.
; RUN: %python -c "import sys; print(sys.stdin.read().replace('\n  MANY', ''.join('\n  {0}v{1} = fadd double {0}v{2}, 1.0'.format(chr(37), i + 1, i) for i in range(40))).replace('\n  LINKS', '\n  store ptr {0}x, ptr {0}x'.format(chr(37)) * 40))" < %s > %t.ll
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %t.ll 2>&1 | FileCheck %s
; RUN: %opt -isozyme-inline=0 -passes='print<isozyme-prepared>' -disable-output %t.ll 2>&1 | FileCheck %s --check-prefix=ASKED

define double @large(double %v0) {
  MANY
  ret double %v40
}
define double @small(double %x) {
  %v = fmul double %x, %x
  ret double %v
}
define double @wanted(double %v0) noinline {
  MANY
  ret double %v40
}
define double @inactive(double %v0) "enzyme_inactive" {
  MANY
  ret double %v40
}
define weak double @replaceable(double %v0) {
  MANY
  ret double %v40
}
define double @even(double %v0, i64 %n) {
  MANY
  %odd = call double @odd(double %v40, i64 %n)
  ret double %odd
}
define double @odd(double %v0, i64 %n) {
  MANY
  %end = icmp eq i64 %n, 0
  br i1 %end, label %done, label %more
more:
  %less = sub i64 %n, 1
  %even = call double @even(double %v40, i64 %less)
  br label %done
done:
  %r = phi double [ %v40, %0 ], [ %even, %more ]
  ret double %r
}

define void @move(ptr %x, double %v0) {
  MANY
  %at = getelementptr i8, ptr %x, i64 8
  %bits = load i64, ptr %x
  store i64 %bits, ptr %at
  store double %v40, ptr %x
  ret void
}

; A function of a container, and one that makes a container for what it computes.
define void @link(ptr %x) {
  LINKS
  ret void
}
define void @linkAndCompute(ptr %x, double %v0) {
  MANY
  %block = call ptr @malloc(i64 8)
  store double %v40, ptr %block
  store ptr %block, ptr %x
  ret void
}
declare noalias ptr @malloc(i64)

; CHECK-LABEL: prepared function for @in_loop
; CHECK-NOT: @large
; CHECK: call double @small
; CHECK: call double @wanted
; CHECK: call double @inactive
; CHECK: call double @replaceable
; CHECK: call double @even
; CHECK: call void @move
; CHECK: call void @link
; CHECK-NOT: @linkAndCompute
; CHECK: ret double
; ASKED-LABEL: prepared function for @in_loop
; ASKED: call double @large
define double @in_loop(double %x, i64 %n, ptr %p) "isozyme-request"="reverse(active,const,dup)->active" {
entry:
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i.next, %for ]
  %y = phi double [ %x, %entry ], [ %f, %for ]
  %a = call double @large(double %y)
  %b = call double @small(double %a)
  %c = call double @wanted(double %b)
  %d = call double @inactive(double %c)
  %e = call double @replaceable(double %d)
  %f = call double @even(double %e, i64 %i)
  call void @move(ptr %p, double %f)
  call void @link(ptr %p)
  call void @linkAndCompute(ptr %p, double %f)
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %for, label %end
end:
  ret double %f
}

; A wrapper of a function that has a loop, and calls of one that has none, in no loop.
; CHECK-LABEL: prepared function for @wrapper
; CHECK-NOT: call double
; CHECK: fmul double
; CHECK: call double @large
; CHECK: loop %
; ASKED-LABEL: prepared function for @wrapper
; ASKED: call double @power
define double @wrapper(double %x, i64 %n) "isozyme-request"="reverse(active,const)->active" {
  %y = call double @power(double %x, i64 %n)
  %z = call double @large(double %y)
  ret double %z
}
define double @power(double %v0, i64 %n) {
entry:
  MANY
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i.next, %for ]
  %y = phi double [ %v40, %entry ], [ %z, %for ]
  %z = fmul double %y, %v0
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %for, label %end
end:
  ret double %z
}

; What the function itself does is not repeated in it.
; CHECK-LABEL: prepared function for @recursive
; CHECK: call double @back
; CHECK: ret double
define double @recursive(double %x, i64 %n) "isozyme-request"="reverse(active,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i.next, %for ]
  %y = phi double [ %x, %entry ], [ %z, %for ]
  %z = call double @back(double %y, i64 %i)
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %for, label %end
end:
  ret double %z
}
define double @back(double %v0, i64 %n) {
  MANY
  %end = icmp eq i64 %n, 0
  br i1 %end, label %done, label %more
more:
  %less = sub i64 %n, 1
  %once = call double @recursive(double %v40, i64 %less)
  br label %done
done:
  %r = phi double [ %v40, %0 ], [ %once, %more ]
  ret double %r
}


; What is passed by value is copied twice, and both copies name its members.
; CHECK-LABEL: prepared function for @named
; CHECK: call void @llvm.memcpy{{.*}} %b, i64 32, i1 false), !tbaa.struct [[FIELDS:![0-9]+]]
; CHECK: call void @llvm.memcpy{{.*}} %named, i64 32, i1 false), !tbaa.struct [[FIELDS]]
%struct.Box = type { double, double, double, double }
define double @named(ptr %b, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  store double 1.0, ptr %b, !tbaa !0
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %i.next, %for ]
  %y = phi double [ 0.0, %entry ], [ %z, %for ]
  %z = call double @byValue(ptr byval(%struct.Box) align 8 %b, i64 %i, double %y)
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, %n
  br i1 %again, label %for, label %end
end:
  ret double %z
}
define double @byValue(ptr byval(%struct.Box) align 8 %b, i64 %i, double %v0) {
  MANY
  %k = and i64 %i, 3
  %p = getelementptr double, ptr %b, i64 %k
  store double %v40, ptr %p
  %r = load double, ptr %b
  ret double %r
}
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
