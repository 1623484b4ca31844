; A walk down a tree reads the left or the right child, 16 or 24 bytes behind the node. The members behind them are in no
; such cell: a number, and the address of numbers that are only copied.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of @last
; CHECK-DAG: %key.at -> starts with {0..8 integer, 8..16 pointer}
; CHECK-DAG: %numbers -> every 8: {0..8 float double}
; CHECK-DAG: copy of 16 bytes at %from: every 16: {0..16 float double}
define double @last(ptr %root, ptr %from, i64 %key, i64 %n) "isozyme-request"="reverse(dup,dup,const,const)->active" {
entry:
  br label %walk

walk:
  %node = phi ptr [ %root, %entry ], [ %child, %walk ]
  %key.at = getelementptr inbounds nuw i8, ptr %node, i64 32
  %here = load i64, ptr %key.at, align 8
  %less = icmp slt i64 %key, %here
  %side = select i1 %less, i64 16, i64 24
  %child.at = getelementptr inbounds nuw i8, ptr %node, i64 %side
  %child = load ptr, ptr %child.at, align 8
  %last = icmp eq ptr %child, null
  br i1 %last, label %exit, label %walk

exit:
  %numbers.at = getelementptr inbounds nuw i8, ptr %node, i64 40
  %numbers = load ptr, ptr %numbers.at, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %numbers, ptr align 8 %from, i64 16, i1 false)
  %element = getelementptr inbounds double, ptr %numbers, i64 %n
  %number = load double, ptr %element, align 8
  ret double %number
}

; The same where the optimiser chooses in a block of its own, and hands on the place of the child.
; CHECK-LABEL: types of @handed
; CHECK-DAG: %key.at -> starts with {0..8 integer, 8..16 pointer}
; CHECK-DAG: %numbers -> every 8: {0..8 float double}
define double @handed(ptr %root, ptr %from, i64 %key, i1 %left, i64 %n) "isozyme-request"="reverse(dup,dup,const,const,const)->active" {
entry:
  br label %walk

walk:
  %node = phi ptr [ %root, %entry ], [ %child, %next ]
  %key.at = getelementptr inbounds nuw i8, ptr %node, i64 32
  %here = load i64, ptr %key.at, align 8
  %less = icmp slt i64 %key, %here
  br i1 %less, label %next, label %right

right:
  br label %next

next:
  %side = phi i64 [ 16, %walk ], [ 24, %right ]
  %child.at = getelementptr inbounds nuw i8, ptr %node, i64 %side
  %child = load ptr, ptr %child.at, align 8
  %last = icmp eq ptr %child, null
  br i1 %last, label %exit, label %walk

exit:
  %end = phi ptr [ %child.at, %next ]
  store ptr %root, ptr %end, align 8
  %numbers.at = getelementptr inbounds nuw i8, ptr %node, i64 40
  %numbers = load ptr, ptr %numbers.at, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %numbers, ptr align 8 %from, i64 16, i1 false)
  %element = getelementptr inbounds double, ptr %numbers, i64 %n
  %number = load double, ptr %element, align 8
  ret double %number
}

; Not so elements of an array, which have all one type: another one is moved as an integer.
; CHECK-LABEL: types of @element
; CHECK-DAG: %numbers -> every 8: {0..8 float double}
; CHECK-DAG: %moved: float double
define double @element(ptr %numbers, ptr %to, i1 %first) "isozyme-request"="reverse(dup,dup,const)->active" {
entry:
  br i1 %first, label %next, label %other

other:
  br label %next

next:
  %k = phi i64 [ 1, %entry ], [ 2, %other ]
  %at = getelementptr inbounds double, ptr %numbers, i64 %k
  %number = load double, ptr %at, align 8
  %fourth = getelementptr inbounds nuw i8, ptr %numbers, i64 24
  %moved = load i64, ptr %fourth, align 8
  store i64 %moved, ptr %to, align 8
  ret double %number
}
