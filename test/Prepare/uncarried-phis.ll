; A phi that only seems to carry a value from one iteration to the next goes; one that does stays.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: prepared function for @seems
; CHECK: for:
; CHECK-NOT: %x = phi
; CHECK: join:
; CHECK: %y = phi double [ %v, %then ], [ {{undef|poison|0.000000e\+00}}, %for ]
define double @seems(ptr %p, i1 %any, i64 %n) "isozyme-request"="reverse(dup,const,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %x = phi double [ undef, %entry ], [ %y, %join ]
  %sum = phi double [ 0.0, %entry ], [ %more, %join ]
  br i1 %any, label %then, label %join
then:
  %at = getelementptr double, ptr %p, i64 %i
  %v = load double, ptr %at
  br label %join
join:
  %y = phi double [ %v, %then ], [ %x, %for ]
  %more = fadd double %sum, %y
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}

; The condition changes: what an earlier iteration has loaded is added.
; CHECK-LABEL: prepared function for @does
; CHECK: for:
; CHECK: %x = phi double
; CHECK: join:
; CHECK: %y = phi double [ %v, %then ], [ %x, %for ]
define double @does(ptr %p, i64 %n) "isozyme-request"="reverse(dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %x = phi double [ undef, %entry ], [ %y, %join ]
  %sum = phi double [ 0.0, %entry ], [ %more, %join ]
  %odd = trunc i64 %i to i1
  br i1 %odd, label %join, label %then
then:
  %at = getelementptr double, ptr %p, i64 %i
  %v = load double, ptr %at
  br label %join
join:
  %y = phi double [ %v, %then ], [ %x, %for ]
  %more = fadd double %sum, %y
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %for, label %exit
exit:
  ret double %more
}
