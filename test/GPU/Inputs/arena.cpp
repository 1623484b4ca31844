// Memory of the host in one piece, for on-device.cpp: pieces of sizes that are powers of two, which
// are used again.
#include "arena.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <sys/mman.h>

namespace {
constexpr size_t Most = size_t(1) << 36, IsFree = ~size_t(0);
struct Header {
  size_t Room, Bytes;
};

std::mutex Busy;
size_t Used;
int OutsideNow;
Header *FreeOnes[40]; ///< By the logarithm of their room. Where their bytes were, they lead to the
                      ///< next.

Header *headerAt(char *P) { return reinterpret_cast<Header *>(P); }
char *bytesOf(Header *H) { return reinterpret_cast<char *>(H + 1); }
Header *&nextOf(Header *H) { return *reinterpret_cast<Header **>(bytesOf(H)); }

void giveBack(void *P) {
  if (!arena::contains(P))
    return std::free(P);
  std::lock_guard<std::mutex> Alone(Busy);
  Header *H = static_cast<Header *>(P) - 1;
  H->Bytes = IsFree;
  unsigned Class = __builtin_ctzll(H->Room);
  nextOf(H) = FreeOnes[Class];
  FreeOnes[Class] = H;
}
} // namespace

namespace arena {
char *begin() {
  static char *Start = static_cast<char *>(mmap(
      nullptr, Most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  return Start;
}
char *end() { return begin() + Used; }

char *take(size_t Bytes) {
  std::lock_guard<std::mutex> Alone(Busy);
  unsigned Class = 4;
  while (size_t(1) << Class < Bytes)
    ++Class;
  Header *H = FreeOnes[Class];
  if (H) {
    FreeOnes[Class] = nextOf(H);
  } else {
    H = headerAt(arena::begin() + Used);
    H->Room = size_t(1) << Class;
    Used += sizeof(Header) + H->Room;
    if (Used > Most) {
      std::puts("the program takes too much memory");
      std::exit(1);
    }
  }
  H->Bytes = Bytes;
  return bytesOf(H);
}

Piece nextPiece(char *From) {
  for (char *P = begin(); P < end(); P += sizeof(Header) + headerAt(P)->Room)
    if (Header *H = headerAt(P); bytesOf(H) >= From && H->Bytes != IsFree)
      return {bytesOf(H), H->Bytes};
  return {nullptr, 0};
}

Piece pieceOf(const void *Inside) {
  for (char *P = begin(); P < end(); P += sizeof(Header) + headerAt(P)->Room)
    if (Header *H = headerAt(P); Inside >= bytesOf(H) && Inside < bytesOf(H) + H->Room)
      return {bytesOf(H), H->Bytes};
  return {nullptr, 0};
}

Outside::Outside() { ++OutsideNow; }
Outside::~Outside() { --OutsideNow; }
} // namespace arena

void *operator new(size_t Bytes) {
  return OutsideNow ? std::malloc(Bytes ? Bytes : 1) : arena::take(Bytes);
}
void *operator new[](size_t Bytes) { return operator new(Bytes); }
void operator delete(void *P) noexcept { giveBack(P); }
void operator delete[](void *P) noexcept { giveBack(P); }
void operator delete(void *P, size_t) noexcept { giveBack(P); }
void operator delete[](void *P, size_t) noexcept { giveBack(P); }
