; A marker is known as a loaded variable, an address, metadata, a local variable, or
; any of them through a slot, a cast, an alias or a phi.
; RUN: %opt -passes='print<isozyme-requests>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: reverse(@f: const double, dupnoneed ptr) -> const, primal, width 1
; CHECK-NOT: error

@enzyme_const = global i32 0
@enzyme_dupnoneed = external global i32
@enzyme_primal_return = external global i32
@enzyme_const_return = external constant [1 x i8]
@other = alias i32, ptr @enzyme_const

define double @f(double %x, ptr %p) {
  ret double %x
}
declare double @__enzyme_autodiff(...)

define void @caller(double %x, ptr %p, i1 %c) {
entry:
  %enzyme_const = alloca i32
  %slot = alloca i32
  %const = load i32, ptr @enzyme_const
  %noneed = load i32, ptr @enzyme_dupnoneed
  call double (...) @__enzyme_autodiff(ptr @f, ptr @enzyme_primal_return, ptr @enzyme_const_return, i32 %const, double %x, i32 %noneed, ptr %p, ptr %p)
  %local = load i32, ptr %enzyme_const
  call double (...) @__enzyme_autodiff(ptr @f, i32 %local, double %x, ptr @enzyme_dupnoneed, ptr %p, ptr %p, ptr @enzyme_primal_return, ptr @enzyme_const_return)
  call double (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_const", double %x, metadata !"enzyme_dupnoneed", ptr %p, ptr %p, metadata !"enzyme_primal_return", metadata !"enzyme_const_return")
  store i32 %const, ptr %slot
  %reloaded = load i32, ptr %slot
  call double (...) @__enzyme_autodiff(ptr @f, i32 %reloaded, double %x, ptr @enzyme_dupnoneed, ptr %p, ptr %p, ptr @enzyme_primal_return, ptr @enzyme_const_return)
  %wide = sext i32 %const to i64
  call double (...) @__enzyme_autodiff(ptr @f, i64 %wide, double %x, ptr @enzyme_dupnoneed, ptr %p, ptr %p, ptr @enzyme_primal_return, ptr @enzyme_const_return)
  call double (...) @__enzyme_autodiff(ptr @f, ptr @other, double %x, ptr @enzyme_dupnoneed, ptr %p, ptr %p, ptr @enzyme_primal_return, ptr @enzyme_const_return)
  br i1 %c, label %then, label %end
then:
  %again = load i32, ptr @enzyme_const
  br label %end
end:
  %either = phi i32 [ %const, %entry ], [ %again, %then ]
  call double (...) @__enzyme_autodiff(ptr @f, i32 %either, double %x, ptr @enzyme_dupnoneed, ptr %p, ptr %p, ptr @enzyme_primal_return, ptr @enzyme_const_return)
  ret void
}
