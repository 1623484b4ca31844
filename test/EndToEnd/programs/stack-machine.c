// A byte code interpreter: registers and a stack of numbers, jumps, dispatch by computed goto.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <stdint.h>

enum { HALT, CONSTANT, INPUT, LOAD, STORE, ADDITION, PRODUCT, DIFFERENCE, SINE, LOOP, OPCODES };

typedef struct {
  uint8_t op;
  int16_t operand;
} Instruction;

static const double constants[] = {0.5, 1.0, 2.0};

double runSwitch(const Instruction *code, const double *input) {
  double stack[16], registers[4] = {0}, *top = stack;
  int counters[8] = {0};
  for (const Instruction *i = code;; i++) {
    switch (i->op) {
    case HALT:
      return top[-1];
    case CONSTANT:
      *top++ = constants[i->operand];
      break;
    case INPUT:
      *top++ = input[i->operand];
      break;
    case LOAD:
      *top++ = registers[i->operand];
      break;
    case STORE:
      registers[i->operand] = *--top;
      break;
    case ADDITION:
      top--;
      top[-1] += *top;
      break;
    case PRODUCT:
      top--;
      top[-1] *= *top;
      break;
    case DIFFERENCE:
      top--;
      top[-1] -= *top;
      break;
    case SINE:
      top[-1] = sin(top[-1]);
      break;
    case LOOP: /* three times back, then on */
      if (counters[(i - code) & 7]++ < 3)
        i += i->operand;
      break;
    }
  }
}

double runGoto(const Instruction *i, const double *input) {
  static const void *const labels[OPCODES] = {&&halt, &&constant, &&input, &&load, &&store,
                                              &&add,  &&product,  &&minus, &&sine, &&loop};
  double stack[16], registers[4] = {0}, *top = stack;
  int count = 0;
#define NEXT goto *labels[(i++)->op]
  NEXT;
constant:
  *top++ = constants[i[-1].operand];
  NEXT;
input:
  *top++ = input[i[-1].operand];
  NEXT;
load:
  *top++ = registers[i[-1].operand];
  NEXT;
store:
  registers[i[-1].operand] = *--top;
  NEXT;
add:
  top--;
  top[-1] += *top;
  NEXT;
product:
  top--;
  top[-1] *= *top;
  NEXT;
minus:
  top--;
  top[-1] -= *top;
  NEXT;
sine:
  top[-1] = sin(top[-1]);
  NEXT;
loop:
  if (count++ < 3)
    i += i[-1].operand;
  NEXT;
halt:
  return top[-1];
}

/* r = x; 4 times: r = sin(r * y + 0.5) - z; result r * r + 2 x */
static const Instruction code[] = {{INPUT, 0},    {STORE, 0},      {LOAD, 0},     {INPUT, 1},
                                   {PRODUCT, 0},  {CONSTANT, 0},   {ADDITION, 0}, {SINE, 0},
                                   {INPUT, 2},    {DIFFERENCE, 0}, {STORE, 0},    {LOOP, -10},
                                   {LOAD, 0},     {LOAD, 0},       {PRODUCT, 0},  {INPUT, 0},
                                   {CONSTANT, 2}, {PRODUCT, 0},    {ADDITION, 0}, {HALT, 0}};

int main(void) {
  double x[3] = {0.7, -1.2, 0.3}, t[3] = {1, 0.5, -2}, d[3] = {0}, e[3] = {0};
  double r = x[0];
  for (int i = 0; i < 4; i++)
    r = sin(r * x[1] + 0.5) - x[2];
  CHECK("switch value", runSwitch(code, x), r * r + 2 * x[0]);
  CHECK("goto value", runGoto(code, x), r * r + 2 * x[0]);
  __enzyme_autodiff((void *)runSwitch, enzyme_const, code, x, d);
  CHECK_SLOPES("switch", 3, x, d, runSwitch(code, x));
  CHECK_FORWARD("switch", __enzyme_fwddiff((void *)runSwitch, enzyme_const, code, x, t), 3, t, d);
  __enzyme_autodiff((void *)runGoto, enzyme_const, code, x, e);
  for (int i = 0; i < 3; i++)
    CHECK_AT("goto", i, e[i], d[i]);
  CHECK_FORWARD("goto", __enzyme_fwddiff((void *)runGoto, enzyme_const, code, x, t), 3, t, d);
  return finish();
}
