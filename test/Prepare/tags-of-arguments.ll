; flang's tags tell the arguments of a procedure apart. Where it is inlined twice, memory is one argument at first and
; another then: the tags are those of any data.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @f.prepared
; CHECK: store double %s, ptr %y, align 8, !tbaa [[ANY:![0-9]+]]
; CHECK: load double, ptr %q, align 8, !tbaa [[ANY]]
; CHECK-NOT: load double, ptr %z, align 8, !tbaa [[ANY]]{{$}}
; CHECK: ret
define double @f(double %s, ptr %y, ptr %z, i64 %k) "isozyme-request"="reverse(active,dup,dup,const)->active" {
  %q = getelementptr double, ptr %y, i64 %k
  store double %s, ptr %y, !tbaa !0
  %x = load double, ptr %q, !tbaa !2
  %a = load double, ptr %z, !tbaa !8
  %r = fmul double %x, %a
  ret double %r
}

!0 = !{!1, !1, i64 0}
!1 = !{!"dummy arg data/addEy", !4, i64 0}
!2 = !{!3, !3, i64 0}
!3 = !{!"dummy arg data/addEx", !4, i64 0}
!4 = !{!"dummy arg data", !5, i64 0}
!5 = !{!"any data access", !6, i64 0}
!6 = !{!"any access", !7, i64 0}
!7 = !{!"Flang function root add"}
!8 = !{!9, !9, i64 0}
!9 = !{!"allocated data/z", !10, i64 0}
!10 = !{!"allocated data", !5, i64 0}
