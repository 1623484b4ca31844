; An invoke becomes a call where its handler does not come back to normal code.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s
declare i32 @__gxx_personality_v0(...)
declare void @may(ptr)
declare void @wont(ptr) nounwind
declare void @terminate(ptr) noreturn nounwind

; CHECK-LABEL: prepared function for @cleanup
; CHECK-NOT: personality
; CHECK: call void @may(ptr %p)
; CHECK: call void @wont(ptr %p)
; CHECK-NOT: landingpad
; CHECK-NOT: call void @terminate
define void @cleanup(ptr %p) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @may(ptr %p) to label %a unwind label %clean
a:
  invoke void @wont(ptr %p) to label %b unwind label %handle
b:
  invoke void @may(ptr %p) to label %c unwind label %die
c:
  ret void
clean:
  %l1 = landingpad { ptr, i32 } cleanup
  call void @wont(ptr %p)
  resume { ptr, i32 } %l1
handle:
  %l2 = landingpad { ptr, i32 } catch ptr null
  br label %c
die:
  %l3 = landingpad { ptr, i32 } catch ptr null
  call void @terminate(ptr %p)
  unreachable
}
