// What the host's half of a program sees of CUDA's or HIP's run time, without their headers; and what the tests know
// of fake-runtime.cpp, which runs in the place of both.
#ifndef ISOZYME_TEST_HOST_RUNTIME_H
#define ISOZYME_TEST_HOST_RUNTIME_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))

typedef __SIZE_TYPE__ size_t;
typedef int gpuError;
typedef struct StreamOfGpu *gpuStream;
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

// gpuMalloc is cudaMalloc or hipMalloc.
#ifdef __HIP__
#define RUNTIME(NAME) hip##NAME
#define HIDDEN(NAME) __hip##NAME
typedef gpuError hipError_t;
typedef gpuStream hipStream_t;
#else
#define RUNTIME(NAME) cuda##NAME
#define HIDDEN(NAME) __cuda##NAME
typedef gpuError cudaError_t;
typedef gpuStream cudaStream_t;
#endif
#define gpuMalloc RUNTIME(Malloc)
#define gpuFree RUNTIME(Free)
#define gpuMemcpy RUNTIME(Memcpy)
#define gpuMemcpyAsync RUNTIME(MemcpyAsync)
#define gpuMemset RUNTIME(Memset)
#define gpuMemsetAsync RUNTIME(MemsetAsync)
#define gpuDeviceSynchronize RUNTIME(DeviceSynchronize)
#define gpuStreamSynchronize RUNTIME(StreamSynchronize)
#define gpuStreamCreate RUNTIME(StreamCreate)
#define gpuStreamDestroy RUNTIME(StreamDestroy)
#define gpuEventCreate RUNTIME(EventCreate)
#define gpuEventRecord RUNTIME(EventRecord)
#define gpuEventElapsedTime RUNTIME(EventElapsedTime)
#define gpuGetLastError RUNTIME(GetLastError)
#define gpuGetErrorString RUNTIME(GetErrorString)

typedef struct EventOfGpu *gpuEvent;
enum { HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, EitherWay };

extern "C" {
unsigned HIDDEN(PushCallConfiguration)(dim3 grid, dim3 block, size_t bytes = 0, gpuStream stream = nullptr);
gpuError HIDDEN(PopCallConfiguration)(dim3 *grid, dim3 *block, size_t *bytes, gpuStream *stream);
gpuError RUNTIME(LaunchKernel)(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t bytes,
                               gpuStream stream);
gpuError gpuMalloc(void **memory, size_t bytes);
gpuError gpuFree(void *memory);
gpuError gpuMemcpy(void *to, const void *from, size_t bytes, int kind);
gpuError gpuMemcpyAsync(void *to, const void *from, size_t bytes, int kind, gpuStream stream);
gpuError gpuMemset(void *memory, int value, size_t bytes);
gpuError gpuMemsetAsync(void *memory, int value, size_t bytes, gpuStream stream);
gpuError gpuDeviceSynchronize();
gpuError gpuStreamSynchronize(gpuStream);
gpuError gpuStreamCreate(gpuStream *);
gpuError gpuStreamDestroy(gpuStream);
gpuError gpuEventCreate(gpuEvent *);
gpuError gpuEventRecord(gpuEvent, gpuStream);
gpuError gpuEventElapsedTime(float *milliseconds, gpuEvent, gpuEvent);
gpuError gpuGetLastError();
const char *gpuGetErrorString(gpuError);

void *malloc(size_t);
void *calloc(size_t, size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);
int printf(const char *, ...);
void exit(int);
double fabs(double);
double sin(double);
double cos(double);
}
template <class T> gpuError gpuMalloc(T **memory, size_t bytes) { return gpuMalloc((void **)memory, bytes); }

// What a kernel does, for the fake run time: the same for each thread. Grids and blocks are of one dimension.
struct Threads {
  size_t blocks, ofBlock, bytes;
  size_t all() const { return blocks * ofBlock; }
};
extern "C" void beKernel(const void *kernel, void (*body)(const Threads &, void **arguments));
template <class T> T &argument(void **arguments, int number) { return *(T *)arguments[number]; }
/// What was launched: all grids, blocks and streams.
extern "C" unsigned long launchesSoFar(), threadsSoFar(), streamedSoFar();
/// Memory of the GPU that is not released.
extern "C" long blocksOfMemory();

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_dupnoneed;
template <class R, class... A> R __enzyme_autodiff(void *, A...);
template <class R, class... A> R __enzyme_fwddiff(void *, A...);

inline void expectNear(const char *what, double got, double wanted, double tolerance = 1e-9) {
  if (fabs(got - wanted) <= tolerance * (1 + fabs(wanted)))
    return;
  printf("%s is %.12g, should be %.12g\n", what, got, wanted);
  exit(1);
}

#endif
