; A load is repeated where nothing can have overwritten the memory since, else its value is kept.
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %s 2>&1 | FileCheck %s

define double @apart(ptr noalias %x, ptr noalias %y, i1 %c) "isozyme-request"="reverse(dup, dup, const) -> active" {
entry:
  br i1 %c, label %then, label %done
then:
  %v = load double, ptr %x
  %s = fmul double %v, %v
  store double %s, ptr %y
  br label %done
done:
  %r = phi double [ %s, %then ], [ 0.0, %entry ]
  ret double %r
}
define double @maybe(ptr %x, ptr %y, i1 %c) "isozyme-request"="reverse(dup, dup, const) -> active" {
entry:
  br i1 %c, label %then, label %done
then:
  %v = load double, ptr %x
  %s = fmul double %v, %v
  store double %s, ptr %y
  br label %done
done:
  %r = phi double [ %s, %then ], [ 0.0, %entry ]
  ret double %r
}

; CHECK-LABEL: plan for reverse(@apart
; CHECK:         %v primal  for %s  reload  (not overwritten afterwards)
; CHECK-LABEL: plan for reverse(@maybe
; CHECK:         %v primal  for %s  cache #0  (may be overwritten)
