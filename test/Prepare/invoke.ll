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

; A handler that throws again does not come back either.
; CHECK-LABEL: prepared function for @rethrow
; CHECK: call void @may(ptr %p)
; CHECK-NOT: @__cxa
; CHECK: ret void
define void @rethrow(ptr %p) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @may(ptr %p) to label %end unwind label %handle
handle:
  %l = landingpad { ptr, i32 } catch ptr null
  %e = extractvalue { ptr, i32 } %l, 0
  %b = call ptr @__cxa_begin_catch(ptr %e)
  invoke void @__cxa_rethrow() to label %never unwind label %again
again:
  %l2 = landingpad { ptr, i32 } cleanup
  call void @__cxa_end_catch()
  resume { ptr, i32 } %l2
never:
  unreachable
end:
  ret void
}
declare ptr @__cxa_begin_catch(ptr) nounwind
declare void @__cxa_rethrow() noreturn
declare void @__cxa_end_catch()
