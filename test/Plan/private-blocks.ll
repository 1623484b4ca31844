; Between the two halves the caller may overwrite memory that it can reach, not a block that the
; function has allocated and of which nobody else has the address, or which is released by then.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

declare noalias ptr @malloc(i64)
declare void @free(ptr)

define double @hidden(ptr %x, i64 %i, i1 %c) "isozyme-request"="augment(dup overwritten, const, const) -> active" {
entry:
  %m = call ptr @malloc(i64 80)
  %first = load double, ptr %x
  %to = getelementptr double, ptr %m, i64 %i
  store double %first, ptr %to
  br i1 %c, label %then, label %done
then:
  %from = getelementptr double, ptr %m, i64 2
  %v = load double, ptr %from
  %beside = getelementptr double, ptr %m, i64 3
  %w = load double, ptr %beside
  %u = fmul double %v, %w
  %s = fmul double %u, %w
  br label %done
done:
  %r = phi double [ %s, %then ], [ 0.0, %entry ]
  ret double %r
}
; CHECK-LABEL: plan for augment(@hidden
; CHECK:         %v primal  for %u  reload  (not overwritten afterwards)

define double @known(ptr %x, ptr %out, i64 %i, i1 %c) "isozyme-request"="augment(dup overwritten, dup overwritten, const, const) -> active" {
entry:
  %m = call ptr @malloc(i64 80)
  store ptr %m, ptr %out
  %first = load double, ptr %x
  %to = getelementptr double, ptr %m, i64 %i
  store double %first, ptr %to
  br i1 %c, label %then, label %done
then:
  %from = getelementptr double, ptr %m, i64 2
  %v = load double, ptr %from
  %beside = getelementptr double, ptr %m, i64 3
  %w = load double, ptr %beside
  %u = fmul double %v, %w
  %s = fmul double %u, %w
  br label %done
done:
  %r = phi double [ %s, %then ], [ 0.0, %entry ]
  ret double %r
}
; CHECK-LABEL: plan for augment(@known
; CHECK:         %v primal  for %u  cache #{{[0-9]}}  (the caller may overwrite it between the sweeps)

define double @released(ptr %x, ptr %out, i64 %i, i1 %c) "isozyme-request"="augment(dup overwritten, dup overwritten, const, const) -> active" {
entry:
  %m = call ptr @malloc(i64 80)
  store ptr %m, ptr %out
  %first = load double, ptr %x
  %to = getelementptr double, ptr %m, i64 %i
  store double %first, ptr %to
  br i1 %c, label %then, label %done
then:
  %from = getelementptr double, ptr %m, i64 2
  %v = load double, ptr %from
  %beside = getelementptr double, ptr %m, i64 3
  %w = load double, ptr %beside
  %u = fmul double %v, %w
  %s = fmul double %u, %w
  br label %done
done:
  %r = phi double [ %s, %then ], [ 0.0, %entry ]
  call void @free(ptr %m)
  ret double %r
}
; CHECK-LABEL: plan for augment(@released
; CHECK:         %v primal  for %u  reload  (not overwritten afterwards)
