; Without lines of a source there is one line, and values have the names of the code.
; RUN: %opt -passes=autodiff -isozyme-explain=- %s -disable-output | FileCheck %s
; RUN: %opt -passes=autodiff -isozyme-explain=- -isozyme-explain-function=other %s -disable-output | FileCheck %s --check-prefix=OTHER
; RUN: %opt -passes=autodiff -isozyme-explain=%t.txt -isozyme-explain-function=other %s -S | FileCheck %s --check-prefix=GONE
declare double @__enzyme_autodiff(...)
declare double @exp(double)

define double @f(double %x) {
  %e = call double @exp(double %x)
  %y = fmul double %e, %e
  ret double %y
}
define double @other(double %u, ptr %v) {
  %w = load double, ptr %v
  %p = fmul double %u, %w
  ret double %p
}
define double @g(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
; CHECK: reverse of 'f'
; CHECK: Differentiated as it was given to opt
; CHECK: reverse: y.adj += seed
; CHECK: reverse: e.adj += 2 * y.adj * e
; CHECK: reverse: x.adj += e.adj * e
; OTHER-NOT: reverse of 'f'
; OTHER: reverse of 'other'
; OTHER: reverse: u.adj += p.adj * w
; OTHER: reverse: w.adj += p.adj * u
; OTHER: reverse: v.shadow[0] += w.adj
; What was added to ask for the explanation does not stay.
; GONE-NOT: isozyme.explain
