// The forces between bodies: a block brings the bodies to shared memory tile by tile, whose size the launch says. The
// gradient is given twice as much: the second half is the shadow of the first.
#include "gpu.h"

struct Body {
  float x, y, z, mass;
};

#ifndef EMULATED

TAPE

extern __shared__ Body memory[];

__device__ void accelerate(const Body *bodies, Body *tile, float *force, int tiles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Body own = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = bodies[t * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j) {
      Body other = tile[j];
      float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float pull = other.mass * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  force[3 * i] = ax;
  force[3 * i + 1] = ay;
  force[3 * i + 2] = az;
}

KERNEL values(const Body *bodies, float *force, int tiles) { accelerate(bodies, memory, force, tiles); }
KERNEL gradients(const Body *bodies, Body *dbodies, float *force, float *dforce, int tiles) {
  Body *shadow = memory + blockDim.x;
  shadow[threadIdx.x] = Body{0, 0, 0, 0};
  __syncthreads();
  __enzyme_autodiff<void>((void *)accelerate, enzyme_dup, bodies, dbodies, enzyme_dup, memory, shadow, enzyme_dup,
                          force, dforce, enzyme_const, tiles);
}

#else

KERNEL values(const float *bodies, float *force, int tiles);
KERNEL gradients(const float *bodies, float *dbodies, float *force, float *dforce, int tiles);

int main() {
  const int tiles = along(3, 2), threads = threadsFor(4), n = tiles * threads;
  std::vector<float> bodies = gpu::wave<float>(4 * n, 1.3), d(4 * n), force(3 * n), w = gpu::wave<float>(3 * n, 0.6);
  std::vector<float> dforce = w;
  gpu::bytesOfLaunch = 2 * threads * sizeof(Body);
  withTape([&] {
    gpu::launch(gradients, tiles, threads, bodies.data(), d.data(), force.data(), dforce.data(), tiles);
  });
  gpu::expectGradient<float>("bodies", bodies, d, [&] {
    gpu::launch(values, tiles, threads, bodies.data(), force.data(), tiles);
    return gpu::dot(force, w);
  }, 1e-3, 2e-2);
}

#endif
