; Where the bytes behind pointers are known before the function runs, there is a version for memory
; that is apart. It has a plan of its own, which keeps nothing here.
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-verify-each -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<isozyme-plan>' -isozyme-versions=false -disable-output %s 2>&1 | FileCheck %s --check-prefix=ONE
; ONE-NOT: version
; RUN: %opt -passes='autodiff<no-cleanup>' -isozyme-verify-each -S %s | FileCheck %s --check-prefix=CODE

; CHECK-LABEL: derivative plan for reverse(@squares:
; CHECK: %v primal {{.*}}cache
; CHECK: two versions: with 0 bytes of tape where memory is apart, else [[#]]; bytes are compared of
; CHECK-NEXT: %in from 0 up to (8 * (1 smax %n))
; CHECK-NEXT: %out from 8 up to (8 + (8 * (1 smax %n)))
; CHECK-SAME: (written)
; CHECK-NEXT: pairs: %in-%out
; CHECK-NEXT: derivative plan for reverse(@squares.apart:
; CHECK: %v primal {{.*}}reload
define double @squares(ptr %in, ptr %out, i64 %n) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %s = phi double [0.0, %entry], [%sum, %for]
  %p = getelementptr inbounds double, ptr %in, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %next = add nuw nsw i64 %i, 1
  %q = getelementptr inbounds double, ptr %out, i64 %next
  store double %w, ptr %q
  %t = fmul double %w, %v
  %sum = fadd double %s, %t
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret double %sum
}

; An index from memory may lead anywhere.
; CHECK-LABEL: derivative plan for reverse(@scattered:
; CHECK: one version: {{.*}}: it is not known before the call which bytes of %out these are
define double @scattered(ptr %in, ptr %out, ptr %where, i64 %n) "isozyme-request"="reverse(dup,dup,const,const)->active" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %s = phi double [0.0, %entry], [%sum, %for]
  %p = getelementptr inbounds double, ptr %in, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  %a = getelementptr inbounds i64, ptr %where, i64 %i
  %to = load i64, ptr %a
  %q = getelementptr inbounds double, ptr %out, i64 %to
  store double %w, ptr %q
  %t = fmul double %w, %v
  %sum = fadd double %s, %t
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret double %sum
}

; What overwrites itself is kept in any case.
; CHECK-LABEL: derivative plan for reverse(@itself:
; CHECK: one version: where the memory is apart, [[#]] bytes of [[#]] are kept all the same
define void @itself(ptr %x, ptr %copy, i64 %n) "isozyme-request"="reverse(dup,dup,const)->const" {
entry:
  br label %for
for:
  %i = phi i64 [0, %entry], [%next, %for]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, %v
  store double %w, ptr %p
  %q = getelementptr inbounds double, ptr %copy, i64 %i
  store double %w, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %for, label %exit
exit:
  ret void
}

; One comparison of the memory, one of the shadows; then one of two functions.
; CODE-LABEL: define internal void @reverse.squares(
; CODE: %apart = freeze i1
; CODE: br i1 %apart, label %memory.apart, label %any.memory
; CODE: call {{.*}} @reverse.squares.apart(
; CODE: call {{.*}} @reverse.squares.any(
declare void @__enzyme_autodiff(ptr, ...)
@enzyme_dup = external global i32
define void @gradient(ptr %in, ptr %din, ptr %out, ptr %dout, i64 %n) {
  %dup = load i32, ptr @enzyme_dup
  call void (ptr, ...) @__enzyme_autodiff(ptr @squares, i32 %dup, ptr %in, ptr %din, i32 %dup, ptr %out, ptr %dout, i64 %n)
  ret void
}
