// An interpreter: a recursive-descent parser makes a tree of tagged unions, which is evaluated.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

typedef enum { NUMBER, VARIABLE, ADD, SUBTRACT, MULTIPLY, DIVIDE, CALL } Kind;
typedef struct Node {
  Kind kind;
  union {
    double number;
    int variable;
    struct {
      struct Node *left, *right;
    } binary;
    struct {
      char name[8];
      struct Node *argument;
    } call;
  } as;
} Node;

static Node *make(Kind kind) {
  Node *n = malloc(sizeof(Node));
  n->kind = kind;
  return n;
}
static Node *makeBinary(Kind kind, Node *left, Node *right) {
  Node *n = make(kind);
  n->as.binary.left = left;
  n->as.binary.right = right;
  return n;
}
static Node *parseSum(const char **s);
static Node *parseAtom(const char **s) {
  Node *n;
  if (**s == '(') {
    ++*s;
    n = parseSum(s);
    ++*s;
  } else if (**s >= 'a' && **s <= 'c') {
    n = make(VARIABLE);
    n->as.variable = *(*s)++ - 'a';
  } else if (**s >= 'd' && **s <= 'z') {
    int length = 0;
    n = make(CALL);
    while (**s != '(')
      n->as.call.name[length++] = *(*s)++;
    n->as.call.name[length] = 0;
    n->as.call.argument = parseAtom(s);
  } else {
    char *end;
    n = make(NUMBER);
    n->as.number = strtod(*s, &end);
    *s = end;
  }
  return n;
}
static Node *parseProduct(const char **s) {
  Node *n = parseAtom(s);
  while (**s == '*' || **s == '/') {
    Kind kind = *(*s)++ == '*' ? MULTIPLY : DIVIDE;
    n = makeBinary(kind, n, parseAtom(s));
  }
  return n;
}
static Node *parseSum(const char **s) {
  Node *n = parseProduct(s);
  while (**s == '+' || **s == '-') {
    Kind kind = *(*s)++ == '+' ? ADD : SUBTRACT;
    n = makeBinary(kind, n, parseProduct(s));
  }
  return n;
}
static void discard(Node *n) {
  if (n->kind == CALL)
    discard(n->as.call.argument);
  else if (n->kind >= ADD) {
    discard(n->as.binary.left);
    discard(n->as.binary.right);
  }
  free(n);
}

double evaluate(const Node *n, const double *variables) {
  switch (n->kind) {
  case NUMBER:
    return n->as.number;
  case VARIABLE:
    return variables[n->as.variable];
  case CALL: {
    double x = evaluate(n->as.call.argument, variables);
    if (strcmp(n->as.call.name, "sin") == 0)
      return sin(x);
    if (strcmp(n->as.call.name, "exp") == 0)
      return exp(x);
    return strcmp(n->as.call.name, "sqrt") == 0 ? sqrt(x) : 0;
  }
  default: {
    double l = evaluate(n->as.binary.left, variables), r = evaluate(n->as.binary.right, variables);
    return n->kind == ADD        ? l + r
           : n->kind == SUBTRACT ? l - r
           : n->kind == MULTIPLY ? l * r
                                 : l / r;
  }
  }
}

static const char *const formulas[] = {"a*b+sin(c)", "2.5", "exp(a-b)*(c+1.5)/(a*a+1)",
                                       "sqrt(a*a+b*b+sin(exp(c)*a))-a/b/c", "b-(b-c)-(a)"};

int main(void) {
  double x[3] = {0.7, 1.3, -0.4}, t[3] = {1, -0.5, 2};
  for (unsigned f = 0; f < sizeof formulas / sizeof *formulas; f++) {
    const char *text = formulas[f];
    Node *tree = parseSum(&text);
    double d[3] = {0};
    __enzyme_autodiff((void *)evaluate, enzyme_const, tree, x, d);
    CHECK_SLOPES(formulas[f], 3, x, d, evaluate(tree, x));
    double tangent = __enzyme_fwddiff((void *)evaluate, enzyme_const, tree, x, t);
    CHECK("forward", tangent, innerProduct(t, d, 3));
    discard(tree);
  }
  return finish();
}
