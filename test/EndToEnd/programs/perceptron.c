// A multilayer perceptron: layers on the heap, activations chosen by name, a loss over a batch.
// RUN: %python %S/../run-matrix.py --plugin %plugin --clang %clang_bin %s
#include "../check.h"

enum { MAX_LAYERS = 8 };
typedef enum { IDENTITY, TANH, SIGMOID, SOFTPLUS, LEAKY } Activation;
typedef struct {
  int inputs, outputs;
  Activation activation;
  double *weights, *bias;
} Layer;
typedef struct {
  int count;
  Layer layers[MAX_LAYERS];
} Network;

static double activate(Activation kind, double x) {
  switch (kind) {
  case TANH:
    return tanh(x);
  case SIGMOID:
    return 1 / (1 + exp(-x));
  case SOFTPLUS:
    return log1p(exp(x));
  case LEAKY:
    return x > 0 ? x : 0.1 * x;
  default:
    return x;
  }
}
static void layerForward(const Layer *l, const double *in, double *out) {
  const double *w = l->weights;
  for (int o = 0; o < l->outputs; o++) {
    double sum = l->bias[o];
    for (int i = 0; i < l->inputs; i++)
      sum += *w++ * in[i];
    out[o] = activate(l->activation, sum);
  }
}
static int widest(const Network *net) {
  int width = net->layers[0].inputs;
  for (int l = 0; l < net->count; l++)
    if (net->layers[l].outputs > width)
      width = net->layers[l].outputs;
  return width;
}

double loss(const Network *net, const double *inputs, const double *targets, int batch) {
  const int width = widest(net), in = net->layers[0].inputs;
  const int out = net->layers[net->count - 1].outputs;
  double *a = malloc(width * sizeof *a), *b = malloc(width * sizeof *b), total = 0;
  for (int s = 0; s < batch; s++) {
    memcpy(a, inputs + s * in, in * sizeof *a);
    for (int l = 0; l < net->count; l++) {
      layerForward(&net->layers[l], a, b);
      double *t = a;
      a = b, b = t;
    }
    for (int o = 0; o < out; o++) {
      double e = a[o] - targets[s * out + o];
      total += e * e;
    }
  }
  free(a);
  free(b);
  double decay = 0;
  for (int l = 0; l < net->count; l++)
    for (int k = 0; k < net->layers[l].inputs * net->layers[l].outputs; k++)
      decay += net->layers[l].weights[k] * net->layers[l].weights[k];
  return total / batch + 1e-2 * decay;
}

static const int sizes[] = {3, 5, 4, 4, 2};
static const Activation kinds[] = {TANH, SIGMOID, SOFTPLUS, LEAKY};
enum { LAYERS = 4, PARAMETERS = 3 * 5 + 5 + 5 * 4 + 4 + 4 * 4 + 4 + 4 * 2 + 2, BATCH = 3 };

static Network make(double *parameters) {
  Network net = {.count = LAYERS};
  for (int l = 0; l < LAYERS; l++) {
    net.layers[l] = (Layer){sizes[l], sizes[l + 1], kinds[l], parameters, NULL};
    parameters += sizes[l] * sizes[l + 1];
    net.layers[l].bias = parameters;
    parameters += sizes[l + 1];
  }
  return net;
}

int main(void) {
  double p[PARAMETERS], d[PARAMETERS] = {0}, t[PARAMETERS], x[BATCH * 3], y[BATCH * 2];
  fill(p, PARAMETERS, 81, -1, 1);
  fill(t, PARAMETERS, 82, -1, 1);
  fill(x, BATCH * 3, 83, -1, 1);
  fill(y, BATCH * 2, 84, -1, 1);
  Network net = make(p), dnet = make(d), tnet = make(t);
  __enzyme_autodiff((void *)loss, &net, &dnet, enzyme_const, x, enzyme_const, y, BATCH);
  CHECK_SLOPES("parameter", PARAMETERS, p, d, loss(&net, x, y, BATCH));
  double tangent =
      __enzyme_fwddiff((void *)loss, &net, &tnet, enzyme_const, x, enzyme_const, y, BATCH);
  CHECK_FORWARD("loss", tangent, PARAMETERS, t, d);
  return finish();
}
