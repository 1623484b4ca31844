; A member function that calls a virtual function of its own object means one of a class that has a base in common with
; its own: the deleting destructor of Shape, in the same slot, is none of Counted's.
; RUN: %opt -passes='print<isozyme-prepared>' -disable-output %s 2>&1 | FileCheck %s

@_ZTVN10__cxxabiv117__class_type_infoE = external global ptr
@_ZTI5Shape = constant { ptr, ptr } { ptr @_ZTVN10__cxxabiv117__class_type_infoE, ptr null }
@_ZTI7Counted = constant { ptr, ptr } { ptr @_ZTVN10__cxxabiv117__class_type_infoE, ptr null }
@_ZTI4Node = constant { ptr, ptr, ptr } { ptr @_ZTVN10__cxxabiv117__class_type_infoE, ptr null, ptr @_ZTI7Counted }
@_ZTI3Far = constant { ptr, ptr, ptr } { ptr @_ZTVN10__cxxabiv117__class_type_infoE, ptr null, ptr @_ZTI9Elsewhere }
@_ZTI9Elsewhere = external constant ptr
@_ZTV5Shape = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI5Shape, ptr @shapeEnds, ptr null] }
@_ZTV7Counted = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI7Counted, ptr @countedEnds, ptr @release] }
@_ZTV4Node = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI4Node, ptr @nodeEnds, ptr @nodeReleases] }
@_ZTV3Far = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @_ZTI3Far, ptr @farEnds] }

define double @shapeEnds(ptr %p) noinline {
  ret double 1.0
}
define double @countedEnds(ptr %p) noinline {
  ret double 2.0
}
define double @nodeEnds(ptr %p) noinline {
  ret double 3.0
}
define double @farEnds(ptr %p) noinline {
  ret double 4.0
}
define double @nodeReleases(ptr %p) noinline {
  ret double 5.0
}

; CHECK-LABEL: prepared function for @release
; CHECK-NOT: @shapeEnds
; CHECK: icmp eq ptr %f, @countedEnds
; CHECK-NOT: @shapeEnds
; CHECK: icmp eq ptr %f, @nodeEnds
; CHECK-NOT: @shapeEnds
; CHECK: icmp eq ptr %f, @farEnds
; CHECK-NOT: @shapeEnds
define double @release(ptr %p) "isozyme-request"="reverse(dup)->active" {
  %table = load ptr, ptr %p
  %f = load ptr, ptr %table
  %r = call double %f(ptr %p)
  ret double %r
}

; An object that is not its own may be of any class.
; CHECK-LABEL: prepared function for @other
; CHECK: icmp eq ptr %f, @shapeEnds
define double @other(ptr %p) "isozyme-request"="reverse(dup)->active" {
  %table = load ptr, ptr %p
  %f = load ptr, ptr %table
  %r = call double %f(ptr %p)
  ret double %r
}
