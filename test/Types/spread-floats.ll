; What is only copied is as what is known of the copy: where nothing but floats, one beside the other, is known of memory,
; all of it is floats, also where only a copy tells it (the elements of a vector that has grown).
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @malloc(i64)
declare void @free(ptr)

; CHECK-LABEL: types of @grown.prepared
; CHECK: %x -> every 8: {0..8 float double}
; CHECK: %values -> every 8: {0..8 float double}
define double @grown(ptr %x, i64 %n, double %last) "isozyme-request"="reverse(dup,const,active)->active" {
entry:
  %bytes = shl i64 %n, 3
  %values = call ptr @malloc(i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %values, ptr align 8 %x, i64 %bytes, i1 false)
  %more.bytes = add i64 %bytes, 8
  %more = call ptr @malloc(i64 %more.bytes)
  %end = getelementptr i8, ptr %more, i64 %bytes
  store double %last, ptr %end
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %more, ptr align 8 %values, i64 %bytes, i1 false)
  call void @free(ptr %values)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum1, %loop ]
  %at = getelementptr double, ptr %more, i64 %i
  %v = load double, ptr %at
  %sum1 = fadd double %sum, %v
  %i1 = add i64 %i, 1
  %go = icmp ult i64 %i1, %n
  br i1 %go, label %loop, label %done

done:
  call void @free(ptr %more)
  ret double %sum1
}

; In longer steps they are members of records, of which the rest is not known.
; CHECK-LABEL: types of @records.prepared
; CHECK: %x -> starts with {0..8 float double}
define double @records(ptr %x, i64 %n, double %last) "isozyme-request"="reverse(dup,const,active)->active" {
entry:
  %bytes = shl i64 %n, 4
  %values = call ptr @malloc(i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %values, ptr align 8 %x, i64 %bytes, i1 false)
  %more.bytes = add i64 %bytes, 16
  %more = call ptr @malloc(i64 %more.bytes)
  %end = getelementptr i8, ptr %more, i64 %bytes
  store double %last, ptr %end
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %more, ptr align 8 %values, i64 %bytes, i1 false)
  call void @free(ptr %values)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum1, %loop ]
  %at = getelementptr [16 x i8], ptr %more, i64 %i
  %v = load double, ptr %at
  %sum1 = fadd double %sum, %v
  %i1 = add i64 %i, 1
  %go = icmp ult i64 %i1, %n
  br i1 %go, label %loop, label %done

done:
  call void @free(ptr %more)
  ret double %sum1
}
