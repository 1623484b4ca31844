; Unoptimised code, or code without alias metadata, names floats by the types of its steps. Simplified code moves them as
; integers: the name stays.
; RUN: %opt -passes=preserve-nvvm -S %s | FileCheck %s

%struct.Disc = type { double, i64 }
%union.Either = type { double }

declare void @__enzyme_autodiff(...)

; CHECK-LABEL: define double @named(
; CHECK: load double, ptr %element, align 8, !tbaa [[DOUBLE:![0-9]+]]
; CHECK: store double %x, ptr %member, align 8, !tbaa [[DOUBLE]]
; CHECK: load float, ptr %single, align 4, !tbaa [[FLOAT:![0-9]+]]
; A union may hold something else.
; CHECK: load double, ptr %of.union, align 8{{$}}
; CHECK: load i64, ptr %whole, align 4{{$}}
; CHECK: load double, ptr %p, align 8{{$}}
define double @named(ptr %p, ptr %q, i64 %i) {
  %element = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %element
  %member = getelementptr %struct.Disc, ptr %q, i32 0, i32 0
  store double %x, ptr %member
  %single = getelementptr float, ptr %p, i64 2
  %y = load float, ptr %single
  %of.union = getelementptr %union.Either, ptr %q, i32 0, i32 0
  %z = load double, ptr %of.union
  %whole = getelementptr i64, ptr %p, i64 %i
  %bits = load i64, ptr %whole
  %w = load double, ptr %p
  ret double %w
}

; A function that returns a reference to an element names it.
; CHECK-LABEL: define double @referred(
; CHECK: load double, ptr %element, align 8, !tbaa [[DOUBLE]]
; CHECK: load double, ptr %other, align 8{{$}}
define double @referred(ptr %p, i64 %i) {
  %element = call ptr @at(ptr %p, i64 %i)
  %x = load double, ptr %element
  %other = call ptr @same(ptr %p)
  %y = load double, ptr %other
  ret double %y
}
define linkonce_odr ptr @at(ptr %p, i64 %i) {
  %element = getelementptr inbounds double, ptr %p, i64 %i
  ret ptr %element
}
define linkonce_odr ptr @same(ptr %p) {
  ret ptr %p
}

; What has alias metadata is as the source says.
; CHECK-LABEL: define double @tagged(
; CHECK: load double, ptr %element, align 8{{$}}
define double @tagged(ptr %p, i64 %i) {
  %count = load i64, ptr %p, !tbaa !0
  %element = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %element
  ret double %x
}

define void @asks(ptr %p, ptr %dp, ptr %q, ptr %dq, i64 %i) {
  call void (...) @__enzyme_autodiff(ptr @named, ptr %p, ptr %dp, ptr %q, ptr %dq, i64 %i)
  call void (...) @__enzyme_autodiff(ptr @referred, ptr %p, ptr %dp, i64 %i)
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}

; All of them may be the same memory, as far as the names say.
; CHECK-DAG: [[DOUBLE]] = !{[[D:![0-9]+]], [[D]], i64 0}
; CHECK-DAG: [[D]] = !{!"double", [[DESCRIPTOR:![0-9]+]], i64 0}
; CHECK-DAG: [[FLOAT]] = !{[[F:![0-9]+]], [[F]], i64 0}
; CHECK-DAG: [[F]] = !{!"float", [[D]], i64 0}
; CHECK-DAG: [[DESCRIPTOR]] = !{!"descriptor member", [[ROOT:![0-9]+]], i64 0}
; CHECK-DAG: [[ROOT]] = !{!"isozyme floats"}
