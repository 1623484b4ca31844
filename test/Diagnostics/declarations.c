// A registration that says nothing is an error at the variable.
// RUN: not %clang -O2 -g -ferror-limit=0 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O0 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NOLINES
double __enzyme_autodiff(void *, ...);
double square(double x) { return x * x; }
double forwards(double x) { return x * x; }
double number;
void *allocate(unsigned long n);
void release(void *p);

// CHECK-DAG: declarations.c:[[#@LINE+2]]:{{.*}}error: '__enzyme_register_gradient_square' has no meaning with this initialiser; initialise it with {function, its augmented form, its gradient} [IZ115]
// NOLINES-DAG: error: '__enzyme_register_gradient_square' has no meaning
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)forwards};
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_register_derivative_square' has no meaning with this initialiser; initialise it with {function, its derivative} [IZ115]
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)forwards, &number};
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_register_splitderivative_square' has no meaning with this initialiser; initialise it with {function, its augmented form, its derivative from a tape} [IZ115]
void *__enzyme_register_splitderivative_square = (void *)square;
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_inactivefn_number' has no meaning with this initialiser; initialise it with a function, or an array of them [IZ115]
void *__enzyme_inactivefn_number = &number;
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: the variable '__enzyme_inactivfn_square' registers nothing; did you mean '__enzyme_inactivefn'? [IZ115]
void *__enzyme_inactivfn_square = (void *)square;
double __enzyme_scratch = 1; // A name of the program's own.
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_inactive_global_number' has no meaning with this initialiser; initialise it with the address of a global variable, or an array of them [IZ115]
void *__enzyme_inactive_global_number = (void *)square;
const double fixed = 1;
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_register_shadow_number' has no meaning with this initialiser; initialise it with {address of a global variable, address of its shadow, a variable of the same type that can be written to} [IZ115]
const void *__enzyme_register_shadow_number[] = {&number, &fixed};
float narrow;
// CHECK-DAG: error: '__enzyme_register_shadow_narrow' has no meaning with this initialiser;
void *__enzyme_register_shadow_narrow[] = {&narrow, &number};
double shadow1, shadow2;
void *__enzyme_register_shadow_1[] = {&number, &shadow1};
// CHECK-DAG: error: '__enzyme_register_shadow_2' registers another shadow of 'number', which has one; leave one of the registrations out [IZ115]
void *__enzyme_register_shadow_2[] = {&number, &shadow2};
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_nofree_1' has no meaning with this initialiser; initialise it with a function, or an array of them [IZ115]
void *__enzyme_nofree_1 = 0;
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_function_like_1' has no meaning with this initialiser; initialise it with {function, "name of the known function"} [IZ115]
void *__enzyme_function_like_1[] = {(void *)square, (void *)square};
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_function_like_2' names 'squared', which Isozyme does not know; name a function such as "sin" or "log1p" [IZ115]
void *__enzyme_function_like_2[] = {(void *)square, "squared"};
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_allocation_like_1' has no meaning with this initialiser; initialise it with {function, number of the operand with the size, "operands of the freeing function", freeing function} [IZ115]
void *__enzyme_allocation_like_1[] = {(void *)allocate, (void *)3, "-1", (void *)release};
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_allocation_like_2' has no meaning with this initialiser;
void *__enzyme_allocation_like_2[] = {(void *)allocate, (void *)0, "-1,0", (void *)release};

// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_function_like_3' takes 'square' for 'pow', which has other parameters or another result; name a function with the same parameters [IZ115]
void *__enzyme_function_like_3[] = {(void *)square, "pow"};

double twice(double x) { return x; }
struct two { double a, b; } along(double x, double dx) { return (struct two){x, dx}; }
struct two other(double x, double dx) { return (struct two){x, dx}; }
void *__enzyme_register_derivative_1[] = {(void *)twice, (void *)along};
// CHECK-DAG: declarations.c:[[#@LINE+1]]:{{.*}}error: '__enzyme_register_derivative_2' registers another derivative of 'twice', which has one; leave one of the registrations out [IZ115]
void *__enzyme_register_derivative_2[] = {(void *)twice, (void *)other};
// Whatever else it is initialised with.
// CHECK-DAG: error: '__enzyme_register_gradient_empty' has no meaning
void *__enzyme_register_gradient_empty;
// CHECK-DAG: error: '__enzyme_register_gradient_null' has no meaning
void *__enzyme_register_gradient_null[3];
// CHECK-DAG: error: '__enzyme_register_gradient_four' has no meaning
void *__enzyme_register_gradient_four[] = {(void *)square, (void *)square, (void *)square, (void *)square};
// CHECK-DAG: error: '__enzyme_register_gradient_name' has no meaning
void *__enzyme_register_gradient_name[] = {"square", (void *)square, (void *)square};
// CHECK-DAG: error: '__enzyme_register_gradient_self' has no meaning
void *__enzyme_register_gradient_self[] = {(void *)square, (void *)square, &__enzyme_register_gradient_self};
// CHECK-DAG: error: '__enzyme_register_gradient_int' has no meaning
long __enzyme_register_gradient_int = 5;
// CHECK-DAG: error: '__enzyme_register_derivative_text' has no meaning
char __enzyme_register_derivative_text[] = "f, g";
// CHECK-DAG: error: '__enzyme_register_derivative_mixed' has no meaning
struct { double (*f)(double); int n; } __enzyme_register_derivative_mixed = {square, 3};
// CHECK-DAG: error: '__enzyme_register_splitderivative_two' has no meaning
void *__enzyme_register_splitderivative_two[] = {(void *)square, (void *)square};
// CHECK-DAG: error: '__enzyme_inactivefn_partly' has no meaning
void *__enzyme_inactivefn_partly[] = {(void *)square, 0};
// CHECK-DAG: error: '__enzyme_inactive_global_int' has no meaning
int __enzyme_inactive_global_int = 4;
// CHECK-DAG: error: '__enzyme_function_like_one' has no meaning
void *__enzyme_function_like_one[] = {(void *)square};
// CHECK-DAG: error: '__enzyme_function_like_empty' names ''
void *__enzyme_function_like_empty[] = {(void *)square, ""};
// CHECK-DAG: error: '__enzyme_sparse_accumulate_null' has no meaning
void *__enzyme_sparse_accumulate_null = 0;
// CHECK-DAG: error: '__enzyme_shouldrecompute_text' has no meaning
void *__enzyme_shouldrecompute_text = "square";
// CHECK-DAG: error: '__enzyme_allocation_like_three' has no meaning
void *__enzyme_allocation_like_three[] = {(void *)allocate, (void *)0, "-1"};
// CHECK-DAG: error: '__enzyme_allocation_like_word' has no meaning
void *__enzyme_allocation_like_word[] = {(void *)allocate, (void *)0, "x", (void *)release};
// CHECK-DAG: error: '__enzyme_allocation_like_address' has no meaning
void *__enzyme_allocation_like_address[] = {(void *)allocate, &number, "-1", (void *)release};

double slope(double x) { return __enzyme_autodiff((void *)square, x); }
