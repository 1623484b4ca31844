// Attributes of Enzyme's are annotations once IsozymeClang.so is loaded, in all spellings; what
// they cannot stand before is said.
// UNSUPPORTED: sanitizers
// RUN: %clang -fplugin=%frontend -std=c23 -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -fplugin=%frontend -x c++ -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | FileCheck %s
// RUN: not %clang -fplugin=%frontend -std=c23 -DWRONG -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: %clang -fplugin=%frontend -std=c23 -O2 %s -o %t && %t | FileCheck %s --check-prefix=WITH
// RUN: %clang -std=c23 -O2 -w %s -o %t && %t | FileCheck %s --check-prefix=WITHOUT
#ifdef __cplusplus
extern "C" {
#endif
int printf(const char *, ...);
double __enzyme_autodiff(void *, ...);

// CHECK-DAG: "enzyme_inactive\00"
// CHECK-DAG: "enzyme_function_like=log1p\00"
// CHECK-DAG: "enzyme_shouldrecompute\00"
// CHECK-DAG: "enzyme_nofree\00"
// CHECK-DAG: "enzyme_sparse_accumulate\00"
// CHECK-DAG: llvm.global.annotations = appending global [9 x
__attribute__((noinline, enzyme_inactive)) double count(double x) { return x * x; }
__attribute__((noinline, enzyme_function_like("log1p"))) double mine(double x) { return x - x * x / 2; }
__attribute__((enzyme_shouldrecompute)) void cheap(void) {}
__attribute__((enzyme_nofree)) void keeps(void) {}
__attribute__((enzyme_sparse_accumulate)) void sink(void) {}
__attribute__((enzyme_inactive)) double gnu;
[[enzyme_inactive]] double plain;
[[enzyme::inactive]] double scoped;
[[clang::enzyme_inactive]] double other;

double f(double x) { return mine(x) + count(x); }
int main(void) { printf("%g\n", __enzyme_autodiff((void *)f, 1.0)); }
// WITH: {{^}}0.5{{$}}
// WITHOUT: {{^}}2{{$}}

#ifdef WRONG
// WRONG: attributes.c:[[@LINE+1]]:16: error: 'enzyme_inactive' attribute takes no arguments
__attribute__((enzyme_inactive(1))) void a(void);
// WRONG: attributes.c:[[@LINE+1]]:16: error: 'enzyme_function_like' attribute takes one argument
__attribute__((enzyme_function_like)) void b(void);
// WRONG: attributes.c:[[@LINE+1]]:37: error: 'enzyme_function_like' attribute requires a string
__attribute__((enzyme_function_like(b))) void c(void);
// WRONG: attributes.c:[[@LINE+1]]:16: warning: 'enzyme_nofree' attribute only applies to functions
__attribute__((enzyme_nofree)) double d;
// WRONG: attributes.c:[[@LINE+1]]:41: warning: 'enzyme_inactive' attribute only applies to functions and global variables
struct s { double member __attribute__((enzyme_inactive)); };
#endif
#ifdef __cplusplus
}
#endif
