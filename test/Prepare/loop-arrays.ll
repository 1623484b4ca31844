; What each iteration puts on the stack and gives back is allocated and released: a derivative
; does not give the stack back. What lives as long as the function stays there, and so does
; what is given back on some ways only.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @each
; CHECK: %whole = alloca double, i64 %n
; CHECK: [[BYTES:%.*]] = mul i64 %n, 8
; CHECK: %v = call ptr @malloc(i64 [[BYTES]])
; CHECK: %w = call align 64 ptr @aligned_alloc(i64 64,
; CHECK: early:
; CHECK-DAG: call void @free(ptr %v)
; CHECK-DAG: call void @free(ptr %w)
; CHECK: next:
; CHECK-DAG: call void @free(ptr %v)
; CHECK-DAG: call void @free(ptr %w)
; CHECK-NOT: stackrestore
; CHECK: ret double
define double @each(ptr %x, i64 %n) {
entry:
  %whole = alloca double, i64 %n
  call void @use(ptr %whole)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = call ptr @llvm.stacksave.p0()
  %v = alloca double, i64 %n
  %w = alloca double, i64 %n, align 64
  call void @use(ptr %v)
  call void @use(ptr %w)
  %c = icmp eq i64 %i, 5
  br i1 %c, label %early, label %next
early:
  call void @llvm.stackrestore.p0(ptr %s)
  call void @use(ptr %x)
  br label %latch
next:
  call void @llvm.stackrestore.p0(ptr %s)
  br label %latch
latch:
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %r = load double, ptr %whole
  ret double %r
}

; CHECK-LABEL: @left
; CHECK: %v = call ptr @malloc(
; CHECK: bad:
; CHECK-NOT: @free
; CHECK: unreachable
; CHECK: stop:
; CHECK: call void @free(ptr %v
; CHECK: latch:
; CHECK: call void @free(ptr %v)
define void @left(i64 %n, i1 %c, i1 %d) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = call ptr @llvm.stacksave.p0()
  %v = alloca double, i64 %n
  call void @use(ptr %v)
  br i1 %c, label %bad, label %good
bad:
  call void @abort()
  unreachable
good:
  br i1 %d, label %stop, label %latch
stop:
  call void @llvm.stackrestore.p0(ptr %s)
  call void @use(ptr null)
  br label %done
latch:
  call void @llvm.stackrestore.p0(ptr %s)
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @some
; CHECK-NOT: @malloc
; CHECK: %v = alloca double, i64 %n
; CHECK-NOT: @free
; CHECK: ret void
define void @some(i64 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = call ptr @llvm.stacksave.p0()
  %v = alloca double, i64 %n
  call void @use(ptr %v)
  br i1 %c, label %back, label %latch
back:
  call void @llvm.stackrestore.p0(ptr %s)
  br label %latch
latch:
  %i.next = add nuw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare void @use(ptr)
declare void @abort() noreturn
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
