; Plans are written as JSON; decisions in such a file come before the planner's, unless they would be wrong.
; RUN: split-file %s %t
; RUN: %opt %t/f.ll -passes=autodiff -isozyme-plan-out=%t/out.json -S -o %t/plain.ll
; RUN: FileCheck %s --check-prefix=OUT < %t/out.json
; RUN: %opt %t/f.ll -passes=autodiff -isozyme-plan-in=%t/out.json -S -o %t/again.ll 2>&1 | count 0
; RUN: cmp %t/plain.ll %t/again.ll

; The planner keeps %e, and computes the address of %x again.
; OUT: "does": "by rule"
; OUT: "function": "chain"
; OUT: "value": "%iv primal"
; OUT: "choices": [
; OUT-NEXT: "cache",
; OUT-NEXT: "recompute"
; OUT-NEXT: ],
; OUT-NEXT: "decision": "cache",
; OUT-NEXT: "for": "%e",
; OUT-NEXT: "reason": "expensive to compute again",
; OUT-NEXT: "size": "8 bytes * (%{{.*}}+1)",
; OUT-NEXT: "value": "%e primal",
; OUT-NEXT: "variable": "e"
; OUT: "request": "reverse(@chain: dup ptr, const i64) -> active, width 1"
; OUT: "version": 1

; RUN: %opt %t/f.ll -passes=autodiff -isozyme-plan-in=%t/turned.json -isozyme-print-after=plan -disable-output 2>&1 | FileCheck %s --check-prefix=TURNED
; TURNED: %e primal {{.*}}recompute  (as the file of plans says)

; RUN: %opt %t/f.ll -passes=autodiff -isozyme-plan-in=%t/wrong.json -isozyme-print-after=plan -disable-output 2>&1 | FileCheck %s --check-prefix=WRONG --implicit-check-not=IZ319
; WRONG-DAG: the file of plans asks for '%e primal' in another way, but it is no load, and is recomputed [IZ319]
; WRONG-DAG: the file of plans asks for '%s primal' in another way, but it can only be kept (depends on the path taken) [IZ319]
; WRONG-DAG: the file of plans asks for '%iv primal' in another way, but it is at hand (loop counter) [IZ319]
; WRONG-DAG: the file of plans asks for '%x primal' in another way, but it is computed in line 0 now, not in line 7 [IZ319]
; WRONG-DAG: the file of plans asks for '%nothing primal' in another way, but the reverse sweep needs no such value [IZ319]
; WRONG-DAG: derivative plan for reverse(@chain

; RUN: not %opt %t/f.ll -passes=autodiff -isozyme-plan-in=%t/none.json -disable-output 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: not %opt %t/f.ll -passes=autodiff -isozyme-plan-in=%t/f.ll -disable-output 2>&1 | FileCheck %s --check-prefix=NOJSON
; RUN: not %opt %t/f.ll -passes=autodiff -isozyme-plan-in=%t/word.json -disable-output 2>&1 | FileCheck %s --check-prefix=WORD
; RUN: not %opt %t/f.ll -passes=autodiff -isozyme-plan-in=%t/version.json -disable-output 2>&1 | FileCheck %s --check-prefix=VERSION
; RUN: not %opt %t/f.ll -passes=autodiff -isozyme-plan-out=%t/no/folder.json -disable-output 2>&1 | FileCheck %s --check-prefix=NOFOLDER
; RUN: env ISOZYME_OPTIONS="-isozyme-plan-in=%t/turned.json -isozyme-plan-out=%t/env.json" %opt %t/f.ll -passes=autodiff -disable-output
; RUN: FileCheck %s --check-prefix=ENV < %t/env.json
; NONE: error: cannot read the plans of '{{.*}}none.json': No such file
; NOJSON: error: cannot read the plans of '{{.*}}f.ll': {{.*}}Invalid JSON
; WORD: error: cannot read the plans of '{{.*}}word.json': expected available, cache, recompute or reload at file.plans[0].keep[0].decision
; VERSION: error: cannot read the plans of '{{.*}}version.json': expected 1: another version of Isozyme has written this at file.version
; NOFOLDER: error: cannot write the plans to '{{.*}}folder.json': No such file
; ENV: "reason": "as the file of plans says"

;--- turned.json
{"version": 1, "plans": [{"function": "chain", "keep": [{"value": "%e primal", "decision": "recompute"}]}]}
;--- wrong.json
{"version": 1, "plans": [{"function": "chain", "request": "reverse(@chain: dup ptr, const i64) -> active, width 1", "keep": [
  {"value": "%e primal", "decision": "reload"}, {"value": "%s primal", "decision": "recompute"},
  {"value": "%iv primal", "decision": "cache"}, {"value": "%x primal", "decision": "cache", "line": 7},
  {"value": "%nothing primal", "decision": "cache"}]}]}
;--- word.json
{"version": 1, "plans": [{"function": "chain", "keep": [{"value": "%e primal", "decision": "forget"}]}]}
;--- version.json
{"version": 2, "plans": []}
;--- f.ll
declare void @__enzyme_autodiff(ptr, ...)
declare double @exp(double)

define double @chain(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %sum, %loop ]
  %a = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %a
  %e = call double @exp(double %x)
  %f = fmul double %e, %x
  %g = fmul double %f, %s
  %sum = fadd double %e, %g
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret double %sum
}

define void @gradient(ptr %p, ptr %d, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @chain, ptr %p, ptr %d, i64 %n)
  ret void
}
