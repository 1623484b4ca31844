; Releases of memory with a shadow wait for the end of the reverse sweep: they overwrite nothing.
; So does memory without a shadow in the function whose gradient is asked for; one that is called releases it at once.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

declare noalias ptr @malloc(i64)
declare void @free(ptr)

define double @later(ptr noalias %x, i64 %i, i1 %c) "isozyme-request"="reverse(dup, const, const) -> active" {
entry:
  %m = call ptr @malloc(i64 80)
  %first = load double, ptr %x
  %to = getelementptr double, ptr %m, i64 %i
  store double %first, ptr %to
  br i1 %c, label %then, label %done
then:
  %from = getelementptr double, ptr %m, i64 2
  %v = load double, ptr %from
  %s = fmul double %v, %v
  br label %done
done:
  %r = phi double [ %s, %then ], [ 0.0, %entry ]
  call void @free(ptr %m)
  ret double %r
}
; CHECK-LABEL: plan for reverse(@later
; CHECK:         %v primal  for %s  reload  (not overwritten afterwards)
; CHECK:         @free   free

define double @without(ptr noalias %x, i64 %i, i1 %c) "isozyme-request"="reverse(dup, const, const) -> active" {
entry:
  %m = call ptr @malloc(i64 80)
  store double 3.0, ptr %m
  call void @touch(ptr %m)
  %first = load double, ptr %x
  br i1 %c, label %then, label %done
then:
  %from = getelementptr double, ptr %m, i64 2
  %v = load double, ptr %from
  %s = fmul double %v, %first
  br label %done
done:
  %r = phi double [ %s, %then ], [ 0.0, %entry ]
  call void @free(ptr %m)
  ret double %r
}
; CHECK-LABEL: plan for reverse(@without
; CHECK:         %v primal  for %s  reload  (not overwritten afterwards)
; CHECK:         @free   free

define double @atonce(ptr noalias %x, i64 %i, i1 %c) "isozyme-request"="augment(dup, const, const) -> active" {
entry:
  %m = call ptr @malloc(i64 80)
  store double 3.0, ptr %m
  call void @touch(ptr %m)
  %first = load double, ptr %x
  br i1 %c, label %then, label %done
then:
  %from = getelementptr double, ptr %m, i64 2
  %v = load double, ptr %from
  %s = fmul double %v, %first
  br label %done
done:
  %r = phi double [ %s, %then ], [ 0.0, %entry ]
  call void @free(ptr %m)
  ret double %r
}
declare void @touch(ptr captures(none)) memory(argmem: readwrite) "enzyme_inactive"
; CHECK-LABEL: plan for augment(@atonce
; CHECK:         %v primal  for %s  cache #0  (the caller may overwrite it between the sweeps)
; CHECK:         @free   inactive
