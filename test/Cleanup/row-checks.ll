; Products of rows of one array: the reverse of the outer loop counts down, and its inner loop adds to two rows that may
; be one. LLVM's vectoriser would check all rows at once, and ask that they go up, which these do not: the vector form
; would never run. The offset of the row is frozen in front of the vectoriser, and each row is checked by itself.
; RUN: %opt -mtriple=x86_64-linux-gnu -passes='autodiff,default<O2>' -S %s | FileCheck %s --implicit-check-not=stride.check
; RUN: %opt -mtriple=x86_64-linux-gnu -passes='default<O2>' -print-before=loop-vectorize -filter-print-funcs=slope -disable-output %s 2>&1 | FileCheck %s --check-prefix=ROW --implicit-check-not=isozyme.fall

; CHECK-LABEL: define {{.*}}@slope
; CHECK:       vector.memcheck:
; CHECK:         fadd reassoc nsz contract <2 x double>
; CHECK:         fadd reassoc nsz contract <2 x double>

; ROW-LABEL: define {{.*}}@slope
; ROW:         freeze i64
; ROW-NOT:     freeze
; ROW:       {{^}}}
define internal double @products(ptr %x, i64 %n, i64 %w) {
entry:
  br label %rows
rows:
  %r = phi i64 [ 0, %entry ], [ %r.next, %end ]
  %total = phi double [ 0.0, %entry ], [ %more, %end ]
  %offset = mul nuw nsw i64 %r, %w
  %row = getelementptr inbounds double, ptr %x, i64 %offset
  br label %columns
columns:
  %i = phi i64 [ 0, %rows ], [ %i.next, %columns ]
  %sum = phi double [ 0.0, %rows ], [ %s, %columns ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %a = load double, ptr %p
  %q = getelementptr inbounds double, ptr %row, i64 %i
  %b = load double, ptr %q
  %ab = fmul double %a, %b
  %s = fadd double %sum, %ab
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %w
  br i1 %i.end, label %end, label %columns
end:
  %square = fmul double %s, %s
  %more = fadd double %total, %square
  %r.next = add nuw nsw i64 %r, 1
  %r.end = icmp eq i64 %r.next, %n
  br i1 %r.end, label %done, label %rows
done:
  ret double %more
}
@enzyme_const = external global i32
declare void @__enzyme_autodiff(ptr, ...)
define void @slope(ptr %x, ptr %dx, i64 %n, i64 %w) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @products, ptr %x, ptr %dx, ptr @enzyme_const, i64 %n, ptr @enzyme_const, i64 %w)
  ret void
}
