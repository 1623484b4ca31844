declare void @__enzyme_autodiff(ptr, ...)
define double @load(ptr %x) {
  %v = load double, ptr %x
  ret double %v
}
define void @slope(ptr %x, ptr %dx) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @load, ptr %x, ptr %dx)
  ret void
}
