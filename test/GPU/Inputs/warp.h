// Shuffles of a warp for both machines, as their headers write them: parts of 32 lanes at most. Lanes of AMD's warps
// are 64; those that come are there, whatever the mask.
#ifndef ISOZYME_TEST_WARP_H
#define ISOZYME_TEST_WARP_H

#if defined(__NVPTX__)
static __device__ __forceinline__ int laneX() { return __nvvm_read_ptx_sreg_laneid(); }
#define WORD(NAME, BUILTIN, CLAMP, INDEX)                                                                             \
  static __device__ __forceinline__ int NAME(int v, int by, int width = 32, unsigned mask = -1) {                     \
    return __nvvm_shfl_sync_##BUILTIN##_i32(mask, v, by, (32 - width) << 8 | CLAMP);                                  \
  }
#else
static __device__ __forceinline__ int laneX() {
  return __builtin_amdgcn_mbcnt_hi(-1, __builtin_amdgcn_mbcnt_lo(-1, 0));
}
#define WORD(NAME, BUILTIN, CLAMP, INDEX)                                                                             \
  static __device__ __forceinline__ int NAME(int v, int by, int width = 32, unsigned mask = -1) {                     \
    int self = laneX(), index = INDEX;                                                                                \
    return __builtin_amdgcn_ds_bpermute(index << 2, v);                                                               \
  }
#endif

// A double goes in two words, a float in one.
#define SHUFFLE(NAME, BUILTIN, CLAMP, INDEX)                                                                          \
  WORD(NAME, BUILTIN, CLAMP, INDEX)                                                                                   \
  static __device__ __forceinline__ float NAME(float v, int by, int width = 32, unsigned mask = -1) {                 \
    int bits;                                                                                                         \
    __builtin_memcpy(&bits, &v, 4);                                                                                   \
    bits = NAME(bits, by, width, mask);                                                                               \
    __builtin_memcpy(&v, &bits, 4);                                                                                   \
    return v;                                                                                                         \
  }                                                                                                                   \
  static __device__ __forceinline__ double NAME(double v, int by, int width = 32, unsigned mask = -1) {               \
    struct {                                                                                                          \
      int low, high;                                                                                                  \
    } bits;                                                                                                           \
    __builtin_memcpy(&bits, &v, 8);                                                                                   \
    bits.low = NAME(bits.low, by, width, mask);                                                                       \
    bits.high = NAME(bits.high, by, width, mask);                                                                     \
    __builtin_memcpy(&v, &bits, 8);                                                                                   \
    return v;                                                                                                         \
  }
SHUFFLE(shuffle, idx, 31, (by & (width - 1)) + (self & ~(width - 1)))
SHUFFLE(shuffleDown, down, 31, (self & (width - 1)) + by >= width ? self : self + by)
SHUFFLE(shuffleUp, up, 0, self - by < (self & ~(width - 1)) ? self : self - by)
SHUFFLE(shuffleXor, bfly, 31, (self ^ by) >= ((self + width) & ~(width - 1)) ? self : self ^ by)
#undef WORD
#undef SHUFFLE

#endif
