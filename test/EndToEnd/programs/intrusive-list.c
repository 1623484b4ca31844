// Intrusive doubly linked lists as in kernels: containers found by offset, items moved between queues.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"
#include <stddef.h>

struct link {
  struct link *next, *prev;
};
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define list_for_each(pos, head) for (pos = (head)->next; pos != (head); pos = pos->next)

static inline void list_init(struct link *l) { l->next = l->prev = l; }
static inline void list_add_tail(struct link *item, struct link *head) {
  item->prev = head->prev;
  item->next = head;
  head->prev->next = item;
  head->prev = item;
}
static inline void list_del(struct link *item) {
  item->prev->next = item->next;
  item->next->prev = item->prev;
}
static inline int list_empty(const struct link *head) { return head->next == head; }

struct job {
  int id;
  double left, weight;
  struct link queue;
};

/* Round robin on two queues: unfinished jobs that waited are promoted; returns the weighted waiting time. */
double schedule(const double *lengths, const double *weights, int n, double slice) {
  struct link fast, slow, *pos;
  struct job *jobs = malloc(n * sizeof *jobs);
  double now = 0, cost = 0;
  int turns = 0;
  list_init(&fast);
  list_init(&slow);
  for (int i = 0; i < n; i++) {
    jobs[i].id = i;
    jobs[i].left = lengths[i];
    jobs[i].weight = weights[i];
    list_add_tail(&jobs[i].queue, i % 3 ? &fast : &slow);
  }
  while (!list_empty(&fast) || !list_empty(&slow)) {
    struct link *queue = list_empty(&fast) || ++turns % 4 == 0 ? &slow : &fast;
    if (list_empty(queue))
      queue = &fast;
    struct job *j = container_of(queue->next, struct job, queue);
    list_del(&j->queue);
    double used = j->left < slice ? j->left : slice;
    j->left -= used;
    now += used + 0.01 * used * used;
    list_for_each(pos, &slow) {
      struct job *waiting = container_of(pos, struct job, queue);
      waiting->weight += 0.02 * used;
    }
    if (j->left > 0)
      list_add_tail(&j->queue, queue == &fast ? &slow : &fast);
    else
      cost += j->weight * now;
  }
  free(jobs);
  return cost;
}

enum { N = 7 };

int main(void) {
  double l[N], w[N], t[2 * N], d[2 * N] = {0}, slice = 0.8;
  fill(l, N, 7, 0.5, 2.3);
  fill(w, N, 8, 0.5, 1.5);
  fill(t, 2 * N, 9, -1, 1);
  double ds = __enzyme_autodiff((void *)schedule, l, d, w, d + N, N, slice);
  CHECK_SLOPES_WITHIN(1e-4, "length", N, l, d, schedule(l, w, N, slice));
  CHECK_SLOPES_WITHIN(1e-4, "weight", N, w, d + N, schedule(l, w, N, slice));
  CHECK("slice", ds, SLOPE_WITHIN(1e-4, slice, schedule(l, w, N, slice)));
  double tangent = __enzyme_fwddiff((void *)schedule, l, t, w, t + N, N, slice, 0.6);
  CHECK("forward", tangent, innerProduct(t, d, 2 * N) + 0.6 * ds);
  return finish();
}
