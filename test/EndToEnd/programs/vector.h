/*===- vector.h - A container for items of any type, as C has it --*- C -*-===*
 *
 * Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/
#ifndef ISOZYME_TEST_PROGRAMS_VECTOR_H
#define ISOZYME_TEST_PROGRAMS_VECTOR_H

#include <stdlib.h>
#include <string.h>

typedef struct {
  void *data;
  size_t count, capacity, size;
} Vector;

static Vector vectorOf(size_t size) { return (Vector){NULL, 0, 0, size}; }
static void *vectorAt(const Vector *v, size_t i) { return (char *)v->data + i * v->size; }
static void vectorPush(Vector *v, const void *item) {
  if (v->count == v->capacity) {
    v->capacity = v->capacity ? v->capacity * 2 : 2;
    void *bigger = malloc(v->capacity * v->size);
    if (v->data)
      memcpy(bigger, v->data, v->count * v->size);
    free(v->data);
    v->data = bigger;
  }
  memcpy(vectorAt(v, v->count++), item, v->size);
}
static void vectorReverse(Vector *v) {
  char item[64];
  for (size_t i = 0, j = v->count; i + 1 < j--; i++) {
    memcpy(item, vectorAt(v, i), v->size);
    memcpy(vectorAt(v, i), vectorAt(v, j), v->size);
    memcpy(vectorAt(v, j), item, v->size);
  }
}
static void vectorRemove(Vector *v, size_t i) {
  memmove(vectorAt(v, i), vectorAt(v, i + 1), (--v->count - i) * v->size);
}

#endif
