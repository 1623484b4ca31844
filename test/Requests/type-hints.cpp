// A hint about types leaves nothing behind, where it is declared without parameters or could throw, too.
// RUN: %clangxx -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -x c -std=gnu17 -O0 -S -emit-llvm %s -o - | FileCheck %s
// CHECK-NOT: __enzyme_integer
// CHECK-NOT: __enzyme_double
// CHECK: define {{.*}}use
// CHECK-NOT: __enzyme_integer
// CHECK-NOT: __enzyme_double
#ifdef __cplusplus
extern "C" void __enzyme_integer(void *, long);
extern "C" void __enzyme_double(void *);
struct Guard {
  ~Guard();
};
#else
void __enzyme_integer();
void __enzyme_double();
#endif
void use(void *p) {
#ifdef __cplusplus
  Guard g;
#endif
  __enzyme_integer(p, 4l);
  __enzyme_double(p);
}
