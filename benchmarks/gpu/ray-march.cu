// The light that a ray brings through a volume, until nothing more can come through: a loop of which nobody knows the
// length. A ray reads eight points of the volume in each step.
#include "gpu.h"

#ifndef EMULATED

TAPE

struct Sample {
  float density, color;
};

__device__ Sample at(const float *volume, int n, float x, float y, float z) {
  int i = int(x), j = int(y), k = int(z);
  float fx = x - i, fy = y - j, fz = z - k;
  Sample s{0, 0};
  for (int corner = 0; corner < 8; ++corner) {
    int a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
    float share = (a ? fx : 1 - fx) * (b ? fy : 1 - fy) * (c ? fz : 1 - fz);
    const float *cell = volume + 2 * (((k + c) * n + j + b) * n + i + a);
    s.density += share * cell[0];
    s.color += share * cell[1];
  }
  return s;
}

__device__ float march(const float *volume, int n, int ray) {
  int side = n - 1;
  float x = 0.3f + ray % side * 0.6f, y = 0.2f + ray / side % side * 0.5f, z = 0.1f, light = 1, sum = 0;
  while (z < n - 1.05f) {
    Sample s = at(volume, n, x, y, z);
    float alpha = 1 - expf(-s.density * s.density * 0.4f);
    sum += light * alpha * s.color;
    light *= 1 - alpha;
    if (light < 0.1f)
      break;
    z += 0.37f;
    x += 0.05f;
  }
  return sum;
}

KERNEL values(const float *volume, int n, float *out) {
  int ray = blockIdx.x * blockDim.x + threadIdx.x;
  out[ray] = march(volume, n, ray);
}
KERNEL gradients(const float *volume, float *dvolume, int n) {
  int ray = blockIdx.x * blockDim.x + threadIdx.x;
  __enzyme_autodiff<float>((void *)march, enzyme_dup, volume, dvolume, enzyme_const, n, enzyme_const, ray);
}

#else

KERNEL values(const float *volume, int n, float *out);
KERNEL gradients(const float *volume, float *dvolume, int n);

int main() {
  const int n = along(5, 3), rays = 16 * larger, threads = threadsFor(8), blocks = rays / threads;
  std::vector<float> volume(2 * n * n * n), dvolume(volume.size()), out(rays), ones(rays, 1);
  for (size_t i = 0; i < volume.size(); ++i)
    volume[i] = 0.9f + 0.5f * std::sin(1.1f * i);
  withTape([&] { gpu::launch(gradients, blocks, threads, volume.data(), dvolume.data(), n); });
  gpu::expectGradient<float>("volume", volume, dvolume, [&] {
    gpu::launch(values, blocks, threads, volume.data(), n, out.data());
    return gpu::dot(out, ones);
  }, 2e-3, 5e-3);
}

#endif
