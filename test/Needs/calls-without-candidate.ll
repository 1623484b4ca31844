; A call through a pointer that no function fits ends the derivative if a run comes to it. Where each
; run does, also by way of callees, it is an error; and where nothing active goes through, nothing.
; RUN: split-file %s %t
; RUN: %opt -passes='print<isozyme-plan>' -disable-output %t/optional.ll 2>&1 | FileCheck %s
; RUN: not %opt -passes=autodiff -disable-output %t/certain.ll 2>&1 | FileCheck %s --check-prefix=CERTAIN

; CHECK-LABEL: derivative plan for reverse(@solve
; CHECK: %more   stop   in 'solve', the pointer called leads to none of the functions of type 'double (double)'
; CHECK: %log   inactive   nothing active goes through it
; CERTAIN: error: {{.*}}a call through a function pointer takes part in the derivative, {{.*}} [IZ205]
; CERTAIN-NOT: error:

;--- optional.ll
define double @solve(ptr %more, ptr %log, double %x) "isozyme-request"="reverse(const,const,active)->active" {
  %sq = fmul double %x, %x
  %given = icmp ne ptr %more, null
  br i1 %given, label %call, label %end
call:
  %r = call double %more(double %sq)
  call void %log(i32 3)
  br label %end
end:
  %sum = phi double [ %r, %call ], [ %sq, %0 ]
  ret double %sum
}

;--- certain.ll
@enzyme_const = external global i32
declare double @__enzyme_autodiff(ptr, ...)
define internal double @inner(ptr %f, double %x) noinline {
  %r = call double %f(double %x)
  ret double %r
}
define double @outer(ptr %f, double %x) {
  %r = call double @inner(ptr %f, double %x)
  ret double %r
}
define double @optional(ptr %f, double %x) {
  %given = icmp ne ptr %f, null
  br i1 %given, label %call, label %end
call:
  %r = call float %f(double %x)
  %more = fpext float %r to double
  br label %end
end:
  %sum = phi double [ %more, %call ], [ %x, %0 ]
  ret double %sum
}
define double @both(ptr %f, double %x) {
  %a = call double (ptr, ...) @__enzyme_autodiff(ptr @outer, ptr @enzyme_const, ptr %f, double %x)
  %b = call double (ptr, ...) @__enzyme_autodiff(ptr @optional, ptr @enzyme_const, ptr %f, double %x)
  %s = fadd double %a, %b
  ret double %s
}
