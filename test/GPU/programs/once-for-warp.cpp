// Parameters that all threads read: the threads of a warp add up what they have, and one adds the sum. Where they
// do not come together with one address, each adds its own share: behind a branch that some of them take, in loops
// that they leave after different numbers of passes, in a warp that is not full.
// RUN: %run_kernels %s
#include "device.h"

#ifndef EMULATED

/// All threads of a block run j from 0 to n at the same time.
__device__ double fit(const double *__restrict__ w, const double *__restrict__ x, int i, int n) {
  double sum = 0;
  for (int j = 0; j < n; j++)
    sum += w[j] * w[j] * sin(x[i] * (j + 1));
  return sum;
}

/// The others leave this out.
__device__ double some(const double *__restrict__ w, const double *__restrict__ x, int i, int n) {
  return i % 3 ? w[n - 1] * x[i] * w[0] : w[1] * x[i];
}

/// The thread with number i runs i % n + 1 passes: on the way back their counters differ.
__device__ double ragged(const double *__restrict__ w, const double *__restrict__ x, int i, int n) {
  double state = x[i];
  for (int j = 0; j < 8; j++) {
    if (j > i % n)
      break;
    state = sin(w[j] * state);
  }
  return state;
}

/// Floats, in a record.
struct Model {
  float weights[8], scale;
};
__device__ float inModel(const Model *m, const double *x, int i, int n) {
  float sum = 0;
  for (int j = 0; j < n; j++)
    sum += m->weights[j] * m->weights[j] * float(x[i]);
  return sum * m->scale;
}

#define ARGUMENTS enzyme_dup, w, dw, enzyme_dup, x, dx, enzyme_const, globalX(), enzyme_const, n
#define KERNELS(NAME)                                                                                                 \
  KERNEL NAME##Values(const double *w, const double *x, double *y, int n) {                                           \
    y[globalX()] = NAME(w, x, globalX(), n);                                                                          \
  }                                                                                                                   \
  KERNEL NAME##Gradients(const double *w, double *dw, const double *x, double *dx, int n) {                           \
    __enzyme_autodiff<void>((void *)NAME, ARGUMENTS);                                                                 \
  }
KERNELS(fit)
KERNELS(some)
KERNELS(ragged)

/// A shadow for each block, and one for each thread.
KERNEL fitBlocks(const double *w, double *dw, const double *x, double *dx, int n) {
  dw += blockX() * n;
  __enzyme_autodiff<void>((void *)fit, ARGUMENTS);
}
KERNEL fitThreads(const double *w, double *to, const double *x, double *dx, int n) {
  double dw[8] = {};
  __enzyme_autodiff<void>((void *)fit, ARGUMENTS);
  for (int j = 0; j < n; j++)
    to[globalX() * n + j] = dw[j];
}

KERNEL inModelValues(const Model *m, const double *x, double *y, int n) { y[globalX()] = inModel(m, x, globalX(), n); }
KERNEL inModelGradients(const Model *m, Model *dm, const double *x, double *dx, int n) {
  __enzyme_autodiff<void>((void *)inModel, enzyme_dup, m, dm, enzyme_dup, x, dx, enzyme_const, globalX(), enzyme_const,
                          n);
}

/// AMD's code generator adds up by itself, which the emulator does not show. At -O0 no address is known to be common.
KERNEL sums(int *ofWarps) {
#if defined(__NVPTX__)
  *ofWarps = LEVEL > 0;
#else
  *ofWarps = 0;
#endif
}

#else

#define KERNELS(NAME)                                                                                                 \
  KERNEL NAME##Values(const double *w, const double *x, double *y, int n);                                            \
  KERNEL NAME##Gradients(const double *w, double *dw, const double *x, double *dx, int n);
KERNELS(fit)
KERNELS(some)
KERNELS(ragged)
KERNEL fitBlocks(const double *w, double *dw, const double *x, double *dx, int n);
KERNEL fitThreads(const double *w, double *to, const double *x, double *dx, int n);
struct Model {
  float weights[8], scale;
};
KERNEL inModelValues(const Model *m, const double *x, double *y, int n);
KERNEL inModelGradients(const Model *m, Model *dm, const double *x, double *dx, int n);
KERNEL sums(int *ofWarps);

static const int n = 7, blocks = 2;

template <class V, class G> void check(const char *name, V values, G gradients, int threads) {
  const int all = blocks * threads;
  std::vector<double> w = gpu::wave(n, 0.7), x = gpu::wave(all, 0.3), dw(n), dx(all), y(all);
  gpu::launch(gradients, blocks, threads, w.data(), dw.data(), x.data(), dx.data(), n);
  auto value = [&] {
    gpu::launch(values, blocks, threads, w.data(), x.data(), y.data(), n);
    double sum = 0;
    for (double each : y)
      sum += each;
    return sum;
  };
  gpu::expectGradient<double>(name, w, dw, value, 1e-6, 1e-7);
  std::vector<double> along = gpu::wave(all, 0.4), step{0};
  const std::vector<double> at = x;
  gpu::expectGradient<double>(name, step, {gpu::dot(dx, along)}, [&] {
    for (int i = 0; i < all; i++)
      x[i] = at[i] + step[0] * along[i];
    return value();
  });
}

/// Each block, and each thread, has a shadow of its own, and together they have the gradient.
template <class G> void checkParts(const char *name, G gradients, int parts, int threads) {
  const int all = blocks * threads;
  std::vector<double> w = gpu::wave(n, 0.7), x = gpu::wave(all, 0.3), dw(n), dx(all), some(n * parts), dx2(all);
  gpu::launch(fitGradients, blocks, threads, w.data(), dw.data(), x.data(), dx.data(), n);
  gpu::launch(gradients, blocks, threads, w.data(), some.data(), x.data(), dx2.data(), n);
  gpu::expectSame(name, dx2, dx, 1e-14);
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int part = 0; part < parts; part++)
      sum += some[part * n + j];
    gpu::expectNear(name, j, sum, dw[j], 1e-13);
  }
}

static void checkModel(int threads) {
  const int all = blocks * threads;
  std::vector<double> x = gpu::wave(all, 0.3), dx(all), y(all);
  Model m{{}, 1.5f}, dm{};
  for (int j = 0; j < n; j++)
    m.weights[j] = std::sin(0.7f * (j + 1));
  gpu::launch(inModelGradients, blocks, threads, &m, &dm, x.data(), dx.data(), n);
  double sumX = 0, sumW = 0;
  for (double each : x)
    sumX += float(each);
  for (float each : m.weights)
    sumW += each * each;
  for (int j = 0; j < n; j++)
    gpu::expectNear("dw", j, dm.weights[j], 2 * m.weights[j] * sumX * m.scale, 1e-5);
  gpu::expectNear("dscale", 0, dm.scale, sumX * sumW, 1e-5);
}

int main() {
  int ofWarps = 0;
  gpu::launch(sums, 1, 1, &ofWarps);
  for (int threads : {64, 40}) {
    check("fit", fitValues, fitGradients, threads);
    check("some", someValues, someGradients, threads);
    check("ragged", raggedValues, raggedGradients, threads);
    checkParts("blocks", fitBlocks, blocks, threads);
    checkParts("threads", fitThreads, blocks * threads, threads);
    checkModel(threads);
  }
#ifndef ON_DEVICE
  // Without sums of warps there are n additions to w for each thread. The emulator divides one warp of five.
  if (ofWarps) {
    const int threads = 128, all = blocks * threads;
    std::vector<double> w = gpu::wave(n, 0.7), x = gpu::wave(all, 0.3), dw(n), dx(all);
    gpu::atomicAdditions = 0;
    gpu::launch(fitGradients, blocks, threads, w.data(), dw.data(), x.data(), dx.data(), n);
    const unsigned long toX = all * n, most = toX + all * n / 3;
    if (gpu::atomicAdditions > most) {
      std::printf("%lu atomic additions, at most %lu expected\n", gpu::atomicAdditions, most);
      return 1;
    }
  }
#endif
}

#endif
