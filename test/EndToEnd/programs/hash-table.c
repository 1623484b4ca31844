// A hash table from words to numbers: open addressing that grows, chained buckets, counts of terms.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <ctype.h>

typedef struct {
  char *key;
  double value;
} Entry;
typedef struct {
  Entry *entries;
  size_t capacity, count;
} Table;

static unsigned long hash(const char *s) {
  unsigned long h = 5381;
  while (*s)
    h = h * 33 ^ (unsigned char)*s++;
  return h;
}
static Entry *find(Table *t, const char *key) {
  size_t i = hash(key) & (t->capacity - 1);
  while (t->entries[i].key && strcmp(t->entries[i].key, key) != 0)
    i = (i + 1) & (t->capacity - 1);
  return &t->entries[i];
}
static void grow(Table *t) {
  Entry *old = t->entries;
  size_t n = t->capacity;
  t->capacity = n ? 2 * n : 4;
  t->entries = calloc(t->capacity, sizeof(Entry));
  for (size_t i = 0; i < n; i++)
    if (old[i].key)
      *find(t, old[i].key) = old[i];
  free(old);
}
static double *slot(Table *t, const char *word, size_t length) {
  char key[16];
  if (length >= sizeof key)
    length = sizeof key - 1;
  memcpy(key, word, length);
  key[length] = '\0';
  if (4 * (t->count + 1) > 3 * t->capacity)
    grow(t);
  Entry *e = find(t, key);
  if (!e->key) {
    e->key = malloc(length + 1);
    strcpy(e->key, key);
    e->value = 0;
    t->count++;
  }
  return &e->value;
}
static void clear(Table *t) {
  for (size_t i = 0; i < t->capacity; i++)
    free(t->entries[i].key);
  free(t->entries);
}

/* Decayed frequencies of words; the score is the entropy of the frequencies. */
double score(const char *text, const double *weights, double decay) {
  Table t = {NULL, 0, 0};
  int words = 0;
  double scale = 1;
  for (const char *p = text; *p;) {
    size_t length = 0;
    while (isalpha((unsigned char)p[length]))
      length++;
    if (length) {
      *slot(&t, p, length) += weights[words++] * scale;
      scale *= decay;
    }
    p += length + (p[length] != '\0');
  }
  double total = 0, entropy = 0;
  for (size_t i = 0; i < t.capacity; i++)
    if (t.entries[i].key)
      total += t.entries[i].value;
  for (size_t i = 0; i < t.capacity; i++) {
    const Entry *e = &t.entries[i];
    if (e->key)
      entropy -= e->value / total * log(e->value / total) * strlen(e->key);
  }
  clear(&t);
  return entropy;
}

enum { WORDS = 17 };
static const char text[] = "the cat saw the dog, and the dog saw a bird. The bird and the cat fled";

int main(void) {
  double w[WORDS], t[WORDS], d[WORDS] = {0}, decay = 0.95;
  fill(w, WORDS, 67, 0.5, 2);
  fill(t, WORDS, 68, -1, 1);
  double dd = __enzyme_autodiff((void *)score, enzyme_const, text, w, d, decay);
  CHECK_SLOPES("weight", WORDS, w, d, score(text, w, decay));
  CHECK("decay", dd, SLOPE(decay, score(text, w, decay)));
  double tangent = __enzyme_fwddiff((void *)score, enzyme_const, text, w, t, decay, 0.3);
  CHECK("forward", tangent, innerProduct(t, d, WORDS) + 0.3 * dd);
  return finish();
}
