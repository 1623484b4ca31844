// What the threads of a block do in phases, with a barrier behind each: a sorting network, time steps on two arrays that
// are swapped, a factorisation in place, a scan in place, and functions that are called and have the barriers.
//
// RUN: %run_kernels %s
#include "derive.h"
#include "tape.h"

#ifndef EMULATED

__device__ __forceinline__ int globalThread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// bitonic sort in shared memory
__shared__ double sortBuf[32];
__device__ void bitonic(const double *x, double *y, int n) {
  int t = threadIdx.x, i = globalThread();
  sortBuf[t] = sin(x[i]) + x[i];
  __syncthreads();
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int o = t ^ j;
      if (o > t) {
        bool up = (t & k) == 0;
        double a = sortBuf[t], b = sortBuf[o];
        if ((a > b) == up) {
          sortBuf[t] = b;
          sortBuf[o] = a;
        }
      }
      __syncthreads();
    }
  y[i] = sortBuf[t] * sortBuf[31 - t] * (t + 1);
}
// ping-pong
__shared__ double ping[34], pong[34];
__device__ void heat(const double *x, double *y, int n) {
  int t = threadIdx.x, i = globalThread();
  double *a = ping, *b = pong;
  a[t + 1] = x[i];
  if (t == 0) {
    a[0] = x[0];
    b[0] = x[0] * x[1];
  }
  if (t == 31) {
    a[33] = x[n - 1];
    b[33] = x[n - 1];
  }
  __syncthreads();
  for (int s = 0; s < n / 16; ++s) {
    double c = a[t + 1];
    b[t + 1] = c + 0.2 * (a[t] - 2 * c + a[t + 2]) - 0.05 * c * c * c;
    __syncthreads();
    double *h = a;
    a = b;
    b = h;
  }
  y[i] = a[t + 1] * a[t + 1];
}
// LU without pivoting in shared memory, 2D block 8x8
__shared__ double A[8][9];
__device__ void lu(const double *x, double *y, int n) {
  int r = threadIdx.y, c = threadIdx.x;
  const double *m = x + blockIdx.x * 64;
  A[r][c] = m[r * 8 + c] + (r == c ? 6.0 : 0.0);
  __syncthreads();
  for (int k = 0; k < 8; ++k) {
    if (r > k && c == k)
      A[r][k] /= A[k][k];
    __syncthreads();
    if (r > k && c > k)
      A[r][c] -= A[r][k] * A[k][c];
    __syncthreads();
  }
  y[blockIdx.x * 64 + r * 8 + c] = A[r][c];
}
// Hillis-Steele scan, exclusive via in-place with two barriers
__shared__ double scanBuf[32];
__device__ void scan(const double *x, double *y, int n) {
  int t = threadIdx.x, i = globalThread();
  scanBuf[t] = i < n ? exp(0.3 * x[i]) : 0.0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d <<= 1) {
    double v = 0;
    if (t >= d)
      v = scanBuf[t - d];
    __syncthreads();
    if (t >= d)
      scanBuf[t] *= 1 + 0.3 * v;
    __syncthreads();
  }
  if (i >= n)
    return;
  y[i] = scanBuf[t] * (t ? scanBuf[t - 1] : 1.0);
}
// grid-stride + block tree reduction + atomicAdd by thread 0, noinline device function with barrier
template <class T> __device__ __attribute__((noinline)) T blockSum(T v, T *s) {
  int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h >>= 1) {
    if (t < h)
      s[t] += s[t + h];
    __syncthreads();
  }
  T r = s[0];
  __syncthreads();
  return r;
}
__shared__ double partial[32];
__device__ void moments(const double *x, double *y, int n) {
  double s = 0;
  for (int i = globalThread(); i < n; i += gridDim.x * blockDim.x)
    s += x[i] * x[i] * x[(i + 1) % n];
  double mean = blockSum(s, partial);
  double d = 0;
  for (int i = globalThread(); i < n; i += gridDim.x * blockDim.x) {
    double e = x[i] - mean;
    d += e * e * sin(x[i]);
  }
  double var = blockSum(d, partial);
  if (threadIdx.x == 0) {
    atomicAdd(&y[0], mean * var);
    atomicAdd(&y[1], sqrt(1 + var * var));
  }
}

/// Barriers in functions that compute nothing are barriers on the way back, too.
__device__ __attribute__((noinline)) void meet() { __syncthreads(); }
__device__ __attribute__((noinline)) int meetAndCount(int k) {
  meet();
  return k + 1;
}
__shared__ double part[64];
__device__ void wrapped(const double *x, double *y, int n) {
  int t = threadIdx.x, i = globalThread();
  part[t] = x[i] * x[i];
  meet();
  double v = part[63 - t] * part[(t * 7 + 3) % 64];
  int k = meetAndCount(t);
  part[t] = v * x[(i + 1) % n];
  meet();
  y[i] = part[(t + 5) % 64] * part[t] * k;
}

#endif

DERIVE(bitonic, double)
DERIVE(heat, double)
DERIVE(lu, double)
DERIVE(scan, double)
DERIVE(moments, double)
DERIVE(wrapped, double)

#ifdef EMULATED

int main() {
  gpu::checkWithTape(bitonic, 64, 64, 2, 32, 64);
  gpu::checkWithTape(heat, 64, 64, 2, 32, 64);
  gpu::checkWithTape(lu, 128, 128, 2, {8, 8}, 0);
  gpu::checkWithTape(scan, 60, 60, 2, 32, 60);
  gpu::checkWithTape(moments, 150, 2, 2, 32, 150);
  gpu::checkWithTape(wrapped, 128, 128, 2, 64, 128);
}

#endif
