; What lies where addresses do is no address if it is a number: a remainder, a product with a large
; odd number, a count that a library function returns. One that is aligned by dividing and multiplying is.
; RUN: %opt -passes='print<isozyme-types>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: types of @hashes.prepared
; CHECK: %word: pointer
; CHECK-NOT: %bucket:
; CHECK-NOT: %length:
; CHECK-NOT: %product:
; CHECK-NOT: %pair:
; CHECK: %up: pointer
define void @hashes(ptr %p, ptr %text, i64 %i, i64 %n) "isozyme-request"="reverse(dup,const,const,const)->const" {
  %slot = getelementptr inbounds nuw ptr, ptr %p, i64 %i
  store ptr %p, ptr %slot
  %word = load i64, ptr %slot
  %bucket = urem i64 %word, %n
  store i64 %bucket, ptr %slot
  %length = call i64 @strlen(ptr %text)
  store i64 %length, ptr %slot
  %product = mul i64 %word, 3344921057
  store i64 %product, ptr %slot
  %other = ptrtoint ptr %p to i64
  %hash = mul i64 %other, 2654435761
  %pair = xor i64 %product, %hash
  store i64 %pair, ptr %slot
  %more = add i64 %word, 15
  %blocks = udiv i64 %more, 16
  %up = mul i64 %blocks, 16
  store i64 %up, ptr %slot
  ret void
}
declare i64 @strlen(ptr)
