; A handler that comes back to normal code is refused where it can be reached.
; RUN: not %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: this call may throw into a handler of the same function; {{.*}} [IZ206]
declare i32 @__gxx_personality_v0(...)
declare void @may(ptr)
define void @caught(ptr %p) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @may(ptr %p) to label %end unwind label %handle
handle:
  %l = landingpad { ptr, i32 } catch ptr null
  br label %end
end:
  ret void
}
