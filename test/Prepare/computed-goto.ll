; A computed goto becomes a switch: the clone's labels are 1, 2, 3, and so are they in its copy
; of the table.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-prepared>' -S %s 2>/dev/null | FileCheck %s --check-prefix=TABLE

; TABLE: @table.labels = private constant [2 x ptr] [ptr inttoptr (i64 1 to ptr), ptr inttoptr (i64 2 to ptr)]

; CHECK-LABEL: define internal double @machine.prepared
; CHECK: %to = load ptr, ptr
; CHECK: %[[N:.*]] = ptrtoint ptr %to to i64
; CHECK: switch i64 %[[N]], label %{{.*}} [
; CHECK-NEXT: i64 1, label %square
; CHECK-NEXT: i64 2, label %
; CHECK-NEXT: ]
@table = internal constant [2 x ptr] [ptr blockaddress(@machine, %square), ptr blockaddress(@machine, %done)]
define double @machine(ptr %code, double %x) "isozyme-request"="reverse(const,active)->active" {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %j, %square ]
  %v = phi double [ %x, %entry ], [ %w, %square ]
  %at = getelementptr i64, ptr %code, i64 %i
  %op = load i64, ptr %at
  %label = getelementptr [2 x ptr], ptr @table, i64 0, i64 %op
  %to = load ptr, ptr %label
  indirectbr ptr %to, [label %square, label %done]
square:
  %w = fmul double %v, %v
  %j = add i64 %i, 1
  br label %next
done:
  ret double %v
}
