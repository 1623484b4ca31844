// What is inside, from light that has gone through: the density of a slice is fitted to rays from all sides.
// For CUDA and HIP. Usage: tomography [ROUNDS [FILE]]; the file is for the picture.
#ifdef __HIP__
#if __has_include(<hip/hip_runtime.h>)
#include <hip/hip_runtime.h>
#endif
#define cudaMalloc hipMalloc
#define cudaMemset hipMemset
#define cudaMemcpy hipMemcpy
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#endif
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <isozyme/gpu.h>
#include <vector>

constexpr int cells = 40, angles = 24, rays = angles * cells, pixels = cells * cells;

/// How much light comes through along one ray. It ends where the slice does, or where it is dark.
__device__ double light(const double *density, int ray) {
  double angle = 3.14159265358979 * (ray / cells) / angles, middle = (cells - 1) / 2.0, radius = middle - 0.01;
  double aside = radius * (2.0 * (ray % cells) + 1 - cells) / cells, half = sqrt(radius * radius - aside * aside);
  double dx = cos(angle), dy = sin(angle), step = 0.5, left = 1;
  for (double at = -half; at < half && left > 1e-3; at += step) {
    double x = middle + at * dx - aside * dy, y = middle + at * dy + aside * dx;
    int i = int(x), k = int(y);
    double a = x - i, b = y - k;
    const double *cell = density + k * cells + i;
    double here = (1 - b) * ((1 - a) * cell[0] + a * cell[1]) + b * ((1 - a) * cell[cells] + a * cell[cells + 1]);
    left *= exp(-step * here);
  }
  return left;
}

__device__ double misfit(const double *density, const double *seen, int ray) {
  double apart = light(density, ray) - seen[ray];
  return apart * apart;
}

extern __device__ int enzyme_dup, enzyme_const;
template <class R, class... A> __device__ R __enzyme_autodiff(void *, A...);

__global__ void look(const double *density, double *seen) {
  int ray = blockIdx.x * blockDim.x + threadIdx.x;
  if (ray < rays)
    seen[ray] = light(density, ray);
}

__global__ void gradient(const double *density, double *ddensity, const double *seen) {
  int ray = blockIdx.x * blockDim.x + threadIdx.x;
  if (ray < rays)
    __enzyme_autodiff<void>((void *)misfit, enzyme_dup, density, ddensity, enzyme_const, seen, enzyme_const, ray);
}

/// One step of Adam; a density is not negative. Clears the gradient.
__global__ void improve(double *density, double *ddensity, double *mean, double *square, int round) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels)
    return;
  mean[i] = 0.9 * mean[i] + 0.1 * ddensity[i];
  square[i] = 0.99 * square[i] + 0.01 * ddensity[i] * ddensity[i];
  double m = mean[i] / (1 - pow(0.9, round)), s = square[i] / (1 - pow(0.99, round));
  double next = density[i] - 0.004 * m / (sqrt(s) + 1e-6);
  density[i] = next > 0 ? next : 0;
  ddensity[i] = 0;
}

/// A disc with a ring of six pins, and a hole in the middle.
static std::vector<double> phantom() {
  std::vector<double> density(pixels);
  for (int i = 0; i < pixels; ++i) {
    double x = (i % cells - 19.5) / 19.5, y = (i / cells - 19.5) / 19.5;
    density[i] = x * x + y * y < 0.75 ? 0.03 : 0;
    for (int pin = 0; pin < 6; ++pin) {
      double px = x - 0.55 * std::cos(pin * 1.0472), py = y - 0.55 * std::sin(pin * 1.0472);
      if (px * px + py * py < 0.02)
        density[i] = 0.06 + 0.02 * pin;
    }
    if (2 * x * x + y * y < 0.06)
      density[i] = 0;
  }
  return density;
}

static double *onGpu(int count, const double *numbers = nullptr) {
  double *memory;
  cudaMalloc(&memory, count * sizeof(double));
  if (numbers)
    cudaMemcpy(memory, numbers, count * sizeof(double), cudaMemcpyHostToDevice);
  else
    cudaMemset(memory, 0, count * sizeof(double));
  return memory;
}

static std::vector<double> fromGpu(const double *memory, int count) {
  std::vector<double> numbers(count);
  cudaMemcpy(numbers.data(), memory, count * sizeof(double), cudaMemcpyDeviceToHost);
  return numbers;
}

static double distance(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

int main(int count, char **words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 400, threads = 64, blocks = (rays + threads - 1) / threads, forPixels = (pixels + threads - 1) / threads;
  std::vector<double> truth = phantom(), losses;
  double *density = onGpu(pixels, truth.data()), *seen = onGpu(rays), *now = onGpu(rays);
  look<<<blocks, threads>>>(density, seen);
  std::vector<double> measured = fromGpu(seen, rays);

  // Nothing is known yet. All rays are longest where nothing is in the way, and so are their tapes.
  cudaMemset(density, 0, pixels * sizeof(double));
  double *ddensity = onGpu(pixels), *mean = onGpu(pixels), *square = onGpu(pixels);
  unsigned long long bytes = isozyme_tape_bytes(gradient, blocks, threads, density, ddensity, seen);
  void *tape;
  if (bytes == isozyme_no_tape || cudaMalloc(&tape, bytes))
    return std::puts("no memory for the tapes"), 1;
  std::printf("%llu bytes of tape\n", bytes);

  for (int round = 1; round <= rounds; ++round) {
    isozyme_set_device_tape(tape, bytes);
    gradient<<<blocks, threads>>>(density, ddensity, seen);
    if (!isozyme_tape_sufficed())
      return std::puts("not enough memory for the tapes"), 1;
    improve<<<forPixels, threads>>>(density, ddensity, mean, square, round);
    look<<<blocks, threads>>>(density, now);
    losses.push_back(distance(fromGpu(now, rays), measured));
    if (round == 1 || round % 100 == 0 || round == rounds)
      std::printf("round %3d: misfit %.6f\n", round, losses.back());
  }
  std::vector<double> found = fromGpu(density, pixels);
  std::printf("relative error of the density: %.3f\n",
              std::sqrt(distance(found, truth) / distance(truth, std::vector<double>(pixels))));
  if (count > 2) {
    std::FILE *file = std::fopen(words[2], "w");
    for (const std::vector<double> *each : {&truth, &measured, &found, &losses}) {
      for (double number : *each)
        std::fprintf(file, "%.6g ", number);
      std::fputc('\n', file);
    }
    std::fclose(file);
  }
}
