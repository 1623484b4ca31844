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

; The loop has a decision of its own.
; RUN: %opt %t/g.ll -passes=autodiff -isozyme-plan-out=%t/loops.json -disable-output
; RUN: FileCheck %s --check-prefix=LOOPS < %t/loops.json
; LOOPS: "loops": [
; LOOPS-NEXT: {
; LOOPS-NEXT: "choices": [
; LOOPS-NEXT: "both sweeps",
; LOOPS-NEXT: "reverse only"
; LOOPS-NEXT: ],
; LOOPS-NEXT: "decision": "reverse only",
; LOOPS-NEXT: "loop": "%exps",
; LOOPS-NEXT: "reason": "its iterations are independent, and less is kept"
; LOOPS: "choices": [
; LOOPS-NEXT: "both sweeps",
; LOOPS-NEXT: "reverse only"
; LOOPS-NEXT: ],
; LOOPS-NEXT: "decision": "both sweeps",
; LOOPS-NEXT: "loop": "%squares",
; LOOPS-NEXT: "reason": "nothing of it is kept"
; LOOPS: "choices": [
; LOOPS-NEXT: "both sweeps"
; LOOPS-NEXT: ],
; LOOPS-NEXT: "decision": "both sweeps",
; LOOPS-NEXT: "loop": "%products",
; LOOPS-NEXT: "reason": "it is a loop that carries more than sums from one iteration to the next"

; RUN: %opt %t/g.ll -passes=autodiff -isozyme-plan-in=%t/loops-turned.json -isozyme-verify-each -isozyme-print-after=plan -disable-output 2>&1 | FileCheck %s --check-prefix=LOOPS-TURNED --implicit-check-not=IZ319
; LOOPS-TURNED: loop %exps  runs in both sweeps  (as the file of plans says)
; LOOPS-TURNED: loop %squares  runs in the reverse sweep only

; RUN: %opt %t/g.ll -passes=autodiff -isozyme-plan-in=%t/loops-wrong.json -isozyme-print-after=plan -disable-output 2>&1 | FileCheck %s --check-prefix=LOOPS-WRONG --implicit-check-not=IZ319
; LOOPS-WRONG-DAG: the file of plans asks for '%products' in another way, but it is a loop that carries more than sums from one iteration to the next [IZ319]
; LOOPS-WRONG-DAG: the file of plans asks for '%exps' in another way, but it begins in line 0 now, not in line 7 [IZ319]
; LOOPS-WRONG-DAG: the file of plans asks for '%inner' in another way, but it lies in another loop [IZ319]
; LOOPS-WRONG-DAG: the file of plans asks for '%idle' in another way, but the reverse sweep steps over it [IZ319]
; LOOPS-WRONG-DAG: the file of plans asks for '%nowhere' in another way, but there is no such loop [IZ319]
; LOOPS-WRONG-DAG: the file of plans asks for '%late' in another way, but it is a loop whose results cannot wait for the reverse sweep [IZ319]
; LOOPS-WRONG-DAG: the file of plans asks for '%stores' in another way, but it is a loop whose iterations are not known to be independent [IZ319]
; LOOPS-WRONG: derivative plan for reverse(@g
; RUN: %opt %t/g.ll -passes=autodiff -isozyme-plan-in=%t/squares.json -isozyme-fuse=0 -disable-output 2>&1 | FileCheck %s --check-prefix=BY-OPTION
; BY-OPTION: the file of plans asks for '%squares' in another way, but it is a loop that options leave in both sweeps [IZ319]

; So has a store that can wait for the end, and a value that a rule calls and the program has computed.
; RUN: %opt %t/h.ll -passes=autodiff -isozyme-plan-out=%t/stores.json -S -o %t/h-plain.ll
; RUN: FileCheck %s --check-prefix=STORES < %t/stores.json
; RUN: %opt %t/h.ll -passes=autodiff -isozyme-plan-in=%t/stores.json -S -o %t/h-again.ll 2>&1 | count 0
; RUN: cmp %t/h-plain.ll %t/h-again.ll
; STORES: "computed": [
; STORES: "choices": [
; STORES-NEXT: "call",
; STORES-NEXT: "take"
; STORES-NEXT: ],
; STORES-NEXT: "decision": "take",
; STORES-NEXT: "from": "%c",
; STORES-NEXT: "value": "%s cos"
; STORES: "from": "%s",
; STORES-NEXT: "value": "%c sin"
; STORES: "stores": [
; STORES: "choices": [
; STORES-NEXT: "in its place",
; STORES-NEXT: "after the reverse sweep"
; STORES-NEXT: ],
; STORES-NEXT: "decision": "after the reverse sweep",
; STORES-NEXT: "store": "%out in %0"

; RUN: %opt %t/h.ll -passes=autodiff -isozyme-plan-in=%t/stores-turned.json -isozyme-plan-out=%t/h-turned.json -isozyme-verify-each -isozyme-print-after=plan -disable-output 2>&1 | FileCheck %s --check-prefix=STORES-TURNED --implicit-check-not=IZ319
; RUN: FileCheck %s --check-prefix=STORES-WRITTEN < %t/h-turned.json
; STORES-TURNED:     %x primal  {{.*}}available
; STORES-TURNED:     %s = call @sin: rule  cos is called in spite of %c
; STORES-TURNED-NEXT: %c = call @cos: rule  sin is %s
; STORES-TURNED-NOT: done after the reverse sweep
; STORES-WRITTEN: "decision": "call"
; STORES-WRITTEN: "decision": "in its place"

; RUN: %opt %t/h.ll -passes=autodiff -isozyme-plan-in=%t/stores-wrong.json -disable-output 2>&1 | FileCheck %s --check-prefix=STORES-WRONG --implicit-check-not=IZ319
; STORES-WRONG-DAG: the file of plans asks for '%x cos' in another way, but the program computes no such value where its rule calls it [IZ319]
; STORES-WRONG-DAG: the file of plans asks for '%s cos' in another way, but it stands in line 0 now, not in line 7 [IZ319]
; STORES-WRONG-DAG: the file of plans asks for '%p in %0' in another way, but the store cannot wait, or nothing is won by it [IZ319]
; STORES-WRONG-DAG: the file of plans asks for '%out in %0' in another way, but it stands in line 0 now, not in line 3 [IZ319]
; STORES-WRONG-DAG: the file of plans asks for '%nowhere in %0' in another way, but there is no such store [IZ319]
; RUN: not %opt %t/h.ll -passes=autodiff -isozyme-plan-in=%t/store-word.json -disable-output 2>&1 | FileCheck %s --check-prefix=STORE-WORD
; STORE-WORD: error: cannot read the plans of '{{.*}}store-word.json': expected in its place or after the reverse sweep at file.plans[0].stores[0].decision

; Two calls without a result, whose tapes are kept in two slots.
; RUN: %opt %t/v.ll -passes=autodiff -isozyme-plan-out=%t/calls.json -isozyme-print-after=plan -disable-output 2>&1 | FileCheck %s --check-prefix=CALLS
; RUN: FileCheck %s --check-prefix=CALLS-OUT < %t/calls.json
; RUN: %opt %t/v.ll -passes=autodiff -isozyme-plan-in=%t/calls.json -disable-output 2>&1 | count 0
; CALLS-LABEL: derivative plan for augment(@twice
; CALLS-DAG: call @step #1 tape  for call{{.*}}  cache
; CALLS-DAG: call @step #2 tape  for call{{.*}}  cache
; CALLS-OUT-DAG: "value": "call @step #1 tape"
; CALLS-OUT-DAG: "value": "call @step #2 tape"

; Plans that nobody has asked for.
; RUN: %opt %t/f.ll -passes=autodiff -isozyme-plan-in=%t/request.json -disable-output 2>&1 | FileCheck %s --check-prefix=REQUEST --implicit-check-not=warning
; REQUEST: warning: {{.*}}the file of plans has one for 'reverse(@chain: dup ptr, const i64) -> active, width 4', of which no reverse derivative is made [IZ319]
; RUN: %opt %t/f.ll -passes=autodiff -isozyme-plan-in=%t/squares.json -disable-output 2>&1 | FileCheck %s --check-prefix=OTHER --implicit-check-not=warning
; OTHER: warning: {{.*}}the file of plans has none for 'chain', nor for another function that is differentiated here [IZ319]

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
; RUN: not %opt %t/f.ll -passes=autodiff -isozyme-plan-in=%t/loop-word.json -disable-output 2>&1 | FileCheck %s --check-prefix=LOOP-WORD
; LOOP-WORD: error: cannot read the plans of '{{.*}}loop-word.json': expected both sweeps or reverse only at file.plans[0].loops[0].decision
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
;--- loop-word.json
{"version": 1, "plans": [{"function": "g", "loops": [{"loop": "%exps", "decision": "forward"}]}]}
;--- loops-turned.json
{"version": 1, "plans": [{"function": "g", "loops": [
  {"loop": "%exps", "decision": "both sweeps"}, {"loop": "%squares", "decision": "reverse only"}]}]}
;--- loops-wrong.json
{"version": 1, "plans": [{"function": "g", "loops": [
  {"loop": "%products", "decision": "reverse only"}, {"loop": "%exps", "decision": "both sweeps", "line": 7},
  {"loop": "%inner", "decision": "reverse only"}, {"loop": "%idle", "decision": "reverse only"},
  {"loop": "%late", "decision": "reverse only"}, {"loop": "%stores", "decision": "reverse only"},
  {"loop": "%nowhere", "decision": "both sweeps"}]}]}
;--- stores-turned.json
{"version": 1, "plans": [{"function": "h",
  "stores": [{"store": "%out in %0", "decision": "in its place"}], "computed": [{"value": "%s cos", "decision": "call"}]}]}
;--- stores-wrong.json
{"version": 1, "plans": [{"function": "h",
  "stores": [{"store": "%p in %0", "decision": "after the reverse sweep"},
             {"store": "%out in %0", "decision": "in its place", "line": 3},
             {"store": "%nowhere in %0", "decision": "in its place"}],
  "computed": [{"value": "%x cos", "decision": "take"}, {"value": "%s cos", "decision": "call", "line": 7}]}]}
;--- store-word.json
{"version": 1, "plans": [{"function": "h", "stores": [{"store": "%out in %0", "decision": "never"}]}]}
;--- h.ll
declare void @__enzyme_autodiff(ptr, ...)
declare double @sin(double)
declare double @cos(double)

define double @h(ptr %p, ptr %out, double %x) {
  %v = load double, ptr %p
  store double 1.0, ptr %p
  %s = call double @sin(double %x)
  %c = call double @cos(double %x)
  %sc = fmul double %s, %c
  %end = load double, ptr %out
  %r = fmul double %sc, %v
  %r2 = fmul double %end, %end
  %r3 = fadd double %r, %r2
  store double %r3, ptr %out
  ret double %r3
}

define double @gradient.of.h(ptr %p, ptr %dp, ptr %out, ptr %dout, double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @h, ptr %p, ptr %dp, ptr %out, ptr %dout, double %x)
  ret double %d
}
;--- v.ll
declare void @__enzyme_autodiff(ptr, ...)

define void @step(ptr %p) noinline {
  %v = load double, ptr %p
  %w = fmul double %v, %v
  store double %w, ptr %p
  ret void
}

define void @twice(ptr %p) noinline {
  call void @step(ptr %p)
  call void @step(ptr %p)
  ret void
}

define double @over(ptr %p) {
  call void @twice(ptr %p)
  %r = load double, ptr %p
  ret double %r
}

define void @gradient.of.over(ptr %p, ptr %d) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @over, ptr %p, ptr %d)
  ret void
}
;--- squares.json
{"version": 1, "plans": [{"function": "g", "loops": [{"loop": "%squares", "decision": "reverse only"}]}]}
;--- request.json
{"version": 1, "plans": [
  {"function": "chain", "request": "reverse(@chain: dup ptr, const i64) -> active, width 1", "keep": []},
  {"function": "chain", "request": "reverse(@chain: dup ptr, const i64) -> active, width 4", "keep": []},
  {"function": "elsewhere", "keep": []}]}
;--- g.ll
declare void @__enzyme_autodiff(ptr, ...)
declare double @exp(double)

define double @g(ptr noalias %p, ptr noalias %q, i64 %n) {
entry:
  br label %exps

exps:
  %i = phi i64 [ 0, %entry ], [ %i.next, %exps ]
  %e.sum = phi double [ 0.0, %entry ], [ %e.next, %exps ]
  %e.at = getelementptr double, ptr %p, i64 %i
  %e.in = load double, ptr %e.at
  %e = call double @exp(double %e.in)
  %e.next = fadd double %e.sum, %e
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %exps, label %squares

squares:
  %j = phi i64 [ 0, %exps ], [ %j.next, %squares ]
  %s.sum = phi double [ 0.0, %exps ], [ %s.next, %squares ]
  %s.at = getelementptr double, ptr %p, i64 %j
  %s.in = load double, ptr %s.at
  %s = fmul double %s.in, %s.in
  %s.next = fadd double %s.sum, %s
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %squares, label %products

products:
  %k = phi i64 [ 0, %squares ], [ %k.next, %products ]
  %product = phi double [ 1.0, %squares ], [ %product.next, %products ]
  %k.at = getelementptr double, ptr %p, i64 %k
  %k.in = load double, ptr %k.at
  %product.next = fmul double %product, %k.in
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %n
  br i1 %k.more, label %products, label %outer

outer:
  %o = phi i64 [ 0, %products ], [ %o.next, %outer.end ]
  %o.sum = phi double [ 0.0, %products ], [ %in.next, %outer.end ]
  br label %inner

inner:
  %in = phi i64 [ 0, %outer ], [ %inner.next, %inner ]
  %in.sum = phi double [ %o.sum, %outer ], [ %in.next, %inner ]
  %in.at = getelementptr double, ptr %p, i64 %in
  %in.x = load double, ptr %in.at
  %in.e = call double @exp(double %in.x)
  %in.next = fadd double %in.sum, %in.e
  %inner.next = add nuw nsw i64 %in, 1
  %inner.more = icmp slt i64 %inner.next, %n
  br i1 %inner.more, label %inner, label %outer.end

outer.end:
  %o.next = add nuw nsw i64 %o, 1
  %o.more = icmp slt i64 %o.next, %n
  br i1 %o.more, label %outer, label %idle

idle:
  %c = phi i64 [ 0, %outer.end ], [ %c.next, %idle ]
  %count = phi i64 [ 0, %outer.end ], [ %count.next, %idle ]
  %count.next = xor i64 %count, %c
  %c.next = add nuw nsw i64 %c, 1
  %c.more = icmp slt i64 %c.next, %n
  br i1 %c.more, label %idle, label %late

late:
  %l = phi i64 [ 0, %idle ], [ %l.next, %late ]
  %l.sum = phi double [ 0.0, %idle ], [ %l.sum.next, %late ]
  %l.at = getelementptr double, ptr %p, i64 %l
  %l.in = load double, ptr %l.at
  %l.e = call double @exp(double %l.in)
  %l.sum.next = fadd double %l.sum, %l.e
  %l.next = add nuw nsw i64 %l, 1
  %l.more = icmp slt i64 %l.next, %n
  br i1 %l.more, label %late, label %stores

stores:
  %t = phi i64 [ 0, %late ], [ %t.next, %stores ]
  %t.at = getelementptr double, ptr %p, i64 %t
  %t.in = load double, ptr %t.at
  %t.e = call double @exp(double %t.in)
  %t.out = fmul double %t.e, %l.sum.next
  %t.to = getelementptr double, ptr %q, i64 %t
  store double %t.out, ptr %t.to
  %t.next = add nuw nsw i64 %t, 1
  %t.more = icmp slt i64 %t.next, %n
  br i1 %t.more, label %stores, label %done

done:
  %counted = uitofp i64 %count.next to double
  %a = fadd double %e.next, %s.next
  %b = fadd double %a, %product.next
  %d = fadd double %b, %in.next
  %r = fadd double %d, %counted
  ret double %r
}

define void @gradient.of.g(ptr %p, ptr %d, ptr %q, ptr %e, i64 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %p, ptr %d, ptr %q, ptr %e, i64 %n)
  ret void
}
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
