; What is read comes into memory of its own; the call that reads carries no derivative.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

@terminated = private constant [16 x i8] c"%d %*s %lf%% %f\00"
declare i32 @sscanf(ptr, ptr, ...)
declare i64 @read(i32, ptr, i64)

; CHECK-LABEL: @scanned.prepared
; CHECK: %[[DOUBLE:.*]] = alloca [1 x double]
; CHECK: %[[FLOAT:.*]] = alloca [1 x float]
; CHECK: store double {{.*}}, ptr %[[DOUBLE]]
; CHECK: call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr @terminated, ptr %count, ptr %[[DOUBLE]], ptr %[[FLOAT]]) #{{[0-9]+}}
; CHECK: %[[GOT:.*]] = load double, ptr %[[DOUBLE]]
; CHECK: store double %[[GOT]], ptr %x
; CHECK: store float %{{.*}}, ptr %y
define i32 @scanned(ptr %text, ptr %count, ptr %x, ptr %y) "isozyme-request"="reverse(const,const,dup,dup)->const" {
  %n = call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr @terminated, ptr %count, ptr %x, ptr %y)
  ret i32 %n
}

; Where the format is not known, nothing is known of what is read.
; CHECK-LABEL: @unknown.prepared
; CHECK: call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr %format, ptr %x){{$}}
define void @unknown(ptr %text, ptr %format, ptr %x) "isozyme-request"="reverse(const,const,dup)->const" {
  call i32 (ptr, ptr, ...) @sscanf(ptr %text, ptr %format, ptr %x)
  ret void
}

; CHECK-LABEL: @bytes.prepared
; CHECK: %[[INPUT:.*]] = call ptr @malloc(i64 %size)
; CHECK: %[[READ:.*]] = call i64 @read(i32 %file, ptr %[[INPUT]], i64 %size) #{{[0-9]+}}
; CHECK: %[[COUNT:.*]] = call i64 @llvm.smax.i64(i64 %[[READ]], i64 0)
; CHECK: call void @llvm.memcpy{{.*}}(ptr %x, ptr %[[INPUT]], i64 %[[COUNT]], i1 false)
; CHECK: call void @free(ptr %[[INPUT]])
define void @bytes(i32 %file, ptr %x, i64 %size) "isozyme-request"="reverse(const,dup,const)->const" {
  call i64 @read(i32 %file, ptr %x, i64 %size)
  ret void
}

