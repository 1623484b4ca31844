; A call through a pointer becomes a chain of direct calls of the functions that it can reach.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

define double @square(double %x) noinline {
  %r = fmul double %x, %x
  ret double %r
}
define double @cube(double %x) noinline {
  %s = fmul double %x, %x
  %r = fmul double %s, %x
  ret double %r
}
define float @narrow(float %x) {
  ret float %x
}
@any = global [2 x ptr] [ptr @square, ptr @narrow]
@table = internal constant [2 x ptr] [ptr @square, ptr @cube]

; Any function of this type whose address is taken, and what is left.
; CHECK-LABEL: prepared function for @open
; CHECK: icmp eq ptr %f, @square
; CHECK-NOT: @narrow
; CHECK: icmp eq ptr %f, @cube
; CHECK: call double %f(double %x) #
define double @open(ptr %f, double %x) "isozyme-request"="reverse(const,active)->active" {
  %r = call double %f(double %x)
  ret double %r
}

; A table that nobody can change says all.
; CHECK-LABEL: prepared function for @closed
; CHECK-NOT: call double %
; CHECK: ret double
define double @closed(i64 %k, double %x) "isozyme-request"="reverse(const,active)->active" {
  %p = getelementptr [2 x ptr], ptr @table, i64 0, i64 %k
  %f = load ptr, ptr %p
  %r = call double %f(double %x)
  ret double %r
}

; The one function that can be meant is called without a question, in callees too.
; CHECK-LABEL: prepared function for @known
; CHECK-NOT: icmp
; CHECK: ret double
define double @known(double %x) "isozyme-request"="reverse(active)->active" {
  %r = call double @through(ptr @cube, double %x)
  ret double %r
}
; CHECK-LABEL: prepared function for @through
; CHECK: define internal double @through.prepared
; CHECK-NEXT: call double @cube(double %x)
define internal double @through(ptr %f, double %x) noinline "isozyme-request"="reverse(const,active)->active" {
  %r = call double %f(double %x)
  ret double %r
}

; No function fits, but not every run comes to the call: it may be an optional callback.
; CHECK-LABEL: prepared function for @optional
; CHECK: call float %f(double %x) #
define double @optional(ptr %f, double %x) "isozyme-request"="reverse(const,active)->active" {
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

; The address of @tabled only goes to the call in @byTable: no other call can mean it. That of @kept lies where it may
; be read by any other.
@ways = internal constant [2 x ptr] [ptr @tabled, ptr @other]
@start = internal global ptr @ways
@kept_at = internal global ptr null
define internal i16 @tabled(i16 %x) noinline {
  ret i16 %x
}
define internal i16 @other(i16 %x) noinline {
  ret i16 0
}
define internal i16 @kept(i16 %x) noinline {
  ret i16 1
}
define void @keep() {
  store ptr @kept, ptr @kept_at
  ret void
}
define i16 @byTable(i64 %k, i16 %x) {
  %ways = load ptr, ptr @start
  %p = getelementptr ptr, ptr %ways, i64 %k
  %f = load ptr, ptr %p
  %r = call i16 %f(i16 %x)
  ret i16 %r
}
; CHECK-LABEL: prepared function for @elsewhere
; CHECK-NOT: @tabled
; CHECK: call i16 @kept
; CHECK-NOT: @other
; CHECK: ret double
define double @elsewhere(ptr %f, i16 %n, double %x) "isozyme-request"="reverse(const,const,active)->active" {
  %k = call i16 %f(i16 %n)
  %d = sitofp i16 %k to double
  %r = fmul double %d, %x
  ret double %r
}

; A member of a record is not read as another: what is stored in the first is no candidate of a call through the second.
define internal i24 @first(i24 %x) noinline {
  ret i24 %x
}
define internal i24 @second(i24 %x) noinline {
  ret i24 %x
}
define void @operations(ptr %ops) {
  %other = getelementptr i8, ptr %ops, i64 8
  store ptr @first, ptr %ops, !tbaa !0
  store ptr @second, ptr %other, !tbaa !1
  ret void
}
; CHECK-LABEL: prepared function for @bySecond
; CHECK-NOT: @first
; CHECK: call i24 @second
; CHECK-NOT: @first
; CHECK: ret double
define double @bySecond(ptr %ops, i24 %n, double %x) "isozyme-request"="reverse(const,const,active)->active" {
  %p = getelementptr i8, ptr %ops, i64 8
  %f = load ptr, ptr %p, !tbaa !1
  %k = call i24 %f(i24 %n)
  %d = sitofp i24 %k to double
  %r = fmul double %d, %x
  ret double %r
}
!0 = !{!2, !3, i64 0}
!1 = !{!2, !3, i64 8}
!2 = !{!"ops", !3, i64 0, !3, i64 8}
!3 = !{!"any pointer", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C/C++ TBAA"}
