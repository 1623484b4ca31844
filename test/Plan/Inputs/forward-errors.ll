define double @exchanges(ptr %x, double %y) "isozyme-request"="forward(dup,dup)->dup" {
  %old = atomicrmw xchg ptr %x, double %y monotonic
  ret double %old
}
