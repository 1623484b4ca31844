; An integer that is stored where an address is read is no address if all calls pass a number for it, as a hash.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @insert.prepared
; CHECK-NOT: %code: pointer
; CHECK-LABEL: types of @keep.prepared
; CHECK: %code: pointer
; CHECK-LABEL: types of @other.prepared
; CHECK: %code: pointer
define void @insert(ptr %p, i64 %code) "isozyme-request"="reverse(dup,const)->const" {
  %q = load ptr, ptr %p
  %bits = lshr i64 %code, 3
  store i64 %code, ptr %p
  store ptr %q, ptr %q
  store i64 %bits, ptr @last
  ret void
}
define void @keep(ptr %p, i64 %code) "isozyme-request"="reverse(dup,const)->const" {
  %q = load ptr, ptr %p
  %bits = lshr i64 %code, 3
  store i64 %code, ptr %p
  store ptr %q, ptr %q
  store i64 %bits, ptr @last
  ret void
}
; Called by others, too.
define void @other(ptr %p, i64 %code) "isozyme-request"="reverse(dup,const)->const" {
  %q = load ptr, ptr %p
  %bits = lshr i64 %code, 3
  store i64 %code, ptr %p
  store ptr %q, ptr %q
  store i64 %bits, ptr @last
  ret void
}
define void @callers(ptr %p, ptr %text, i64 %any) {
  %length = call i64 @strlen(ptr %text)
  %bucket = urem i64 %any, 13
  call void @insert(ptr %p, i64 %length)
  call void @insert(ptr %p, i64 %bucket)
  call void @keep(ptr %p, i64 %length)
  call void @keep(ptr %p, i64 %any)
  call void @other(ptr %p, i64 %length)
  ret void
}
@last = global i64 0
@known = global ptr @other
declare i64 @strlen(ptr)
