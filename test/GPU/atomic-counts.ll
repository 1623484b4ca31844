; How often a thread adds to what others may add to, in the plan and in a remark.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes=autodiff -pass-remarks-analysis=isozyme -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK

; PLAN: reverse(@rows
; PLAN: atomic operations of a thread, at most: 2 + 4 * (%{{.*}}+1) + (%{{.*}}+1) * 3
; REMARK: remark: {{.*}}reverse of 'rows': each thread adds to memory that others may add to, atomically and at most so often: 2 + 4 * iterations of {{.*}} + 3 * iterations of

target triple = "nvptx64-nvidia-cuda"
define void @rows(ptr noalias %x, ptr noalias %w, ptr noalias %y, i64 %n) {
entry:
  %scale = load double, ptr %w
  br label %row
row:
  %i = phi i64 [ 0, %entry ], [ %i.next, %after ]
  %sum = phi double [ 0.0, %entry ], [ %sum.row, %after ]
  %p = getelementptr <4 x float>, ptr %x, i64 %i
  %v = load <4 x float>, ptr %p
  %e = extractelement <4 x float> %v, i64 0
  %d = fpext float %e to double
  br label %column
column:
  %j = phi i64 [ 0, %row ], [ %j.next, %column ]
  %part = phi double [ %sum, %row ], [ %sum.next, %column ]
  %q = getelementptr double, ptr %w, i64 %j
  %u = load double, ptr %q
  %m = fmul double %u, %d
  %sum.next = fadd double %part, %m
  %j.next = add nuw i64 %j, 1
  %inner = icmp ult i64 %j.next, 3
  br i1 %inner, label %column, label %after
after:
  %sum.row = phi double [ %sum.next, %column ]
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %row, label %done
done:
  %total = phi double [ %sum.row, %after ]
  %r = fmul double %total, %scale
  store double %r, ptr %y
  ret void
}
define void @gradient(ptr %x, ptr %dx, ptr %w, ptr %dw, ptr %y, ptr %dy, i64 %n) {
  call void @__enzyme_autodiff(ptr @rows, ptr %x, ptr %dx, ptr %w, ptr %dw, ptr %y, ptr %dy, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
