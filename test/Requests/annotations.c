// Whatever way something is said of a function or variable, it ends as an attribute or as
// metadata; the variables that said it are gone, and inlining has waited.
// RUN: %clang_bin -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='print<isozyme-requests>' -S -o - 2>/dev/null | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=AFTER
double __enzyme_fwddiff(void *, ...);
void *allocate(unsigned long n, int kind);
void release(void *p, int kind);

double silent(double x);
double loud(double x);
__attribute__((annotate("enzyme_inactive"))) double quiet(double x);
__attribute__((annotate("enzyme_nofree"))) double keeps(double x);
__attribute__((annotate("enzyme_shouldrecompute"))) double cheap(double x);
__attribute__((annotate("enzyme_function_like=log1p"))) double annotated(double x);
double registered(double x);
double square(double x) { return x * x; }
double forwards(double x) { return x * x; }
double backwards(double x, double seed) { return 2 * x * seed; }
struct both { double value, tangent; } tangent(double x, double dx) {
  return (struct both){x * x, 2 * x * dx};
}
double from_tape(double x, double dx, void *tape) { return 2 * x * dx; }
double table[4];
__attribute__((annotate("enzyme_inactive"))) double other[4];

void *__enzyme_inactivefn_1 = (void *)silent;
void *__enzyme_inactivefn_2[] = {(void *)loud};
double *__enzyme_inactive_global_table = &table[1];
void *__enzyme_function_like_registered[] = {(void *)registered, "cbrt"};
void *__enzyme_allocation_like_1[] = {(void *)allocate, (void *)0, "-1,1", (void *)release};
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)forwards,
                                             (void *)backwards, "byref_0"};
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)tangent};
void *__enzyme_register_splitderivative_square[] = {(void *)square, (void *)forwards,
                                                    (void *)from_tape};

double cube(double x) { return x * square(x); }
double slope(double x) { return __enzyme_fwddiff((void *)cube, x, 1.0); }
void use(double x) {
  release(allocate(8, 1), 1);
  table[0] = silent(x) + loud(x) + quiet(x) + keeps(x) + cheap(x) + annotated(x) + registered(x);
  other[0] = table[0];
}

// CHECK-DAG: @table = {{.*}}#[[G:[0-9]+]]
// CHECK-DAG: @other = {{.*}}#[[G]]
// CHECK-DAG: define {{.*}}@square({{.*}}!enzyme_augment ![[A:[0-9]+]] !enzyme_gradient ![[R:[0-9]+]] !enzyme_derivative ![[F:[0-9]+]] !enzyme_splitderivative ![[S:[0-9]+]]
// CHECK-DAG: declare {{.*}}@release({{.*}}#[[NONE:[0-9]+]]
// CHECK-DAG: declare !enzyme_deallocator_fn ![[D:[0-9]+]] {{.*}}@allocate({{.*}}#[[ALLOC:[0-9]+]]
// CHECK-DAG: declare {{.*}}@silent({{.*}}#[[INACTIVE:[0-9]+]]
// CHECK-DAG: declare {{.*}}@loud({{.*}}#[[INACTIVE]]
// CHECK-DAG: declare {{.*}}@quiet({{.*}}#[[INACTIVE]]
// CHECK-DAG: declare {{.*}}@keeps({{.*}}#[[NOFREE:[0-9]+]]
// CHECK-DAG: declare {{.*}}@cheap({{.*}}#[[CHEAP:[0-9]+]]
// CHECK-DAG: declare {{.*}}@annotated({{.*}}#[[LOG1P:[0-9]+]]
// CHECK-DAG: declare {{.*}}@registered({{.*}}#[[CBRT:[0-9]+]]
// CHECK-DAG: attributes #[[G]] = { "enzyme_inactive" }
// CHECK-DAG: attributes #[[ALLOC]] = { {{.*}}"enzyme_allocator"="0" "enzyme_deallocator"="-1,1"
// CHECK-DAG: attributes #[[INACTIVE]] = { {{.*}}"enzyme_inactive"
// CHECK-DAG: attributes #[[NOFREE]] = { nofree {{.*}}"enzyme_nofree"
// CHECK-DAG: attributes #[[CHEAP]] = { {{.*}}"enzyme_shouldrecompute"
// CHECK-DAG: attributes #[[LOG1P]] = { {{.*}}"enzyme_math"="log1p"
// CHECK-DAG: attributes #[[CBRT]] = { {{.*}}"enzyme_math"="cbrt"
// CHECK-DAG: ![[A]] = !{ptr @forwards}
// CHECK-DAG: ![[R]] = !{ptr @backwards}
// CHECK-DAG: ![[F]] = !{ptr @tangent}
// CHECK-DAG: ![[S]] = !{ptr @forwards, ptr @from_tape}
// CHECK-DAG: ![[D]] = !{ptr @release}

// AFTER-NOT: @__enzyme_
// AFTER: define dso_local {{.*}}double @square(
// AFTER-NOT: isozyme-pinned
