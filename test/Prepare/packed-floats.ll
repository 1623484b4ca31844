; Shifts and masks that move whole floats in an integer become accesses to a vector; those of plain
; integers stay.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: @pack
; CHECK:       [[A:%.*]] = insertelement <2 x i32> zeroinitializer, i32 %x, i64 0
; CHECK:       [[B:%.*]] = insertelement <2 x i32> [[A]], i32 %y, i64 1
; CHECK:       [[C:%.*]] = bitcast <2 x i32> [[B]] to i64
; CHECK:       ret i64 [[C]]
define i64 @pack(float %a, float %b) "isozyme-request"="forward(dup,dup)->const" {
  %x = bitcast float %a to i32
  %y = bitcast float %b to i32
  %low = zext i32 %x to i64
  %wide = zext i32 %y to i64
  %high = shl i64 %wide, 32
  %both = or i64 %high, %low
  ret i64 %both
}

; CHECK-LABEL: @second
; CHECK:       [[V:%.*]] = bitcast i64 %p to <2 x i32>
; CHECK:       extractelement <2 x i32> [[V]], i64 1
; CHECK-NOT:   lshr
define float @second(i64 %p) "isozyme-request"="forward(const)->dup" {
  %h = lshr i64 %p, 32
  %t = trunc i64 %h to i32
  %f = bitcast i32 %t to float
  ret float %f
}

; CHECK-LABEL: @integers
; CHECK:       lshr i64 %p, 32
; CHECK-NOT:   extractelement
define i32 @integers(i64 %p) "isozyme-request"="forward(const)->const" {
  %h = lshr i64 %p, 32
  %t = trunc i64 %h to i32
  ret i32 %t
}
