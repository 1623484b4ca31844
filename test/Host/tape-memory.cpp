// The memory that a thread keeps for tapes: what it keeps and gives back, threads, exceptions and
// jumps that leave a derivative, recursion, derivatives in derivatives, and the switch at run time.
// RUN: %clangxx -std=c++20 -O2 -pthread -Wl,--wrap=malloc,--wrap=free %s -o %t && %t 0
// RUN: %clangxx -std=c++20 -O0 -pthread -Wl,--wrap=malloc,--wrap=free %s -o %t && %t 0
// RUN: env ISOZYME_TAPE_MEMORY=malloc %t 1
// RUN: %clangxx -std=c++20 -O2 -pthread -Wl,--wrap=malloc,--wrap=free -mllvm -isozyme-tape-memory=malloc %s -o %t && %t 1
#include "isozyme/isozyme.h"
#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <malloc.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static std::atomic<long> Allocated{0}, Calls{0};
extern "C" {
void *__real_malloc(size_t);
void __real_free(void *);
void *__wrap_malloc(size_t Bytes) {
  void *P = __real_malloc(Bytes);
  Allocated += long(malloc_usable_size(P));
  ++Calls;
  return P;
}
void __wrap_free(void *P) {
  Allocated -= P ? long(malloc_usable_size(P)) : 0;
  __real_free(P);
}
}

template <typename... Args> double __enzyme_autodiff(void *, Args...);
static bool Alone; // Each array is a block of malloc.
static int Failures;
static void expect(bool Fine, const char *What) {
  if (!Fine) {
    std::printf("wrong: %s\n", What);
    ++Failures;
  }
}

/// x -> x^(2^n) by n squares of a logistic kind: x(1-x), whose states are on the tape.
double iterate(double X, long N) {
  for (long I = 0; I < N; ++I)
    X = 3.5 * X * (1 - X);
  return X;
}
__attribute__((noinline)) double slope(double X, long N) {
  return __enzyme_autodiff((void *)iterate, enzyme_out, X, enzyme_const, N);
}
double slopeByHand(double X, long N) {
  double D = 1;
  for (long I = 0; I < N; ++I) {
    D *= 3.5 * (1 - 2 * X);
    X = 3.5 * X * (1 - X);
  }
  return D;
}
static bool isSlope(double D, double X, long N) {
  double Right = slopeByHand(X, N);
  return D - Right <= 1e-12 * (1 + (Right < 0 ? -Right : Right)) &&
         Right - D <= 1e-12 * (1 + (Right < 0 ? -Right : Right));
}

static volatile double Sink;
static void keepsMemory() {
  Sink = slope(0.3, 1000);
  long Before = Calls;
  for (int I = 0; I < 100; ++I)
    expect(isSlope(slope(0.3, 1000), 0.3, 1000), "slope");
  expect(Alone ? Calls - Before >= 100 : Calls == Before, "calls of malloc by later derivatives");
}

/// How many bytes the system may take from this process without asking it.
static long offered() {
  std::ifstream Maps("/proc/self/smaps");
  long Sum = 0, Number;
  for (std::string Word; Maps >> Word;)
    if (Word == "LazyFree:" && Maps >> Number)
      Sum += Number * 1024;
  return Sum;
}

static long pageFaults() {
  rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  return Usage.ru_minflt;
}

static void offersMuch() {
  for (int I = 0; I < 2; ++I) {
    Sink = slope(0.3, 20'000'000); // 160 MB
    expect(Allocated - offered() < 65 << 20, "what is kept after a large derivative");
  }
  long Before = pageFaults();
  Sink = slope(0.3, 20'000'000);
  // Where the system has little memory it may have taken some pages: not half of the 40,000.
  expect(Alone || pageFaults() - Before < 20'000, "pages of later large derivatives");
  // Small ones use what lies below, and leave the offer as it is.
  Sink = slope(0.3, 1000);
  expect(Allocated - offered() < 65 << 20, "what is kept after a small derivative");
}

/// A tape in chunks, of arrays in a loop, some above them.
double grows(double X, const int *Lengths) {
  double Sum = 0;
  for (; *Lengths; ++Lengths) {
    double Y = X;
    for (int I = 0; I < *Lengths; ++I)
      Y = 3.5 * Y * (1 - Y);
    Sum += Y;
  }
  return Sum;
}
static void growsInChunks() {
  std::vector<int> Lengths;
  double Right = 0;
  for (int I = 1; I <= 300; ++I) {
    Lengths.push_back(I * 7919 % 1000 + 1);
    Right += slopeByHand(1e-300, Lengths.back());
  }
  Lengths.push_back(0);
  double D = __enzyme_autodiff((void *)grows, enzyme_out, 1e-300, enzyme_const, Lengths.data());
  expect(std::abs(D / Right - 1) < 1e-12, "a tape in chunks");
}

// Exceptions and jumps that leave a derivative.
struct Left {};
static jmp_buf Back;
static int How; // 0: stays, 1: throws, 2: jumps
__attribute__((noinline)) void maybeLeave() {
  if (How == 1)
    throw Left();
  if (How == 2)
    longjmp(Back, 1);
}
void *__enzyme_inactivefn_maybeLeave = (void *)maybeLeave;
double leaves(double X, long N) {
  double Y = iterate(X, N);
  maybeLeave();
  return iterate(Y, N);
}
__attribute__((noinline)) double slopeThatLeaves(double X, long N) {
  return __enzyme_autodiff((void *)leaves, enzyme_out, X, enzyme_const, N);
}
__attribute__((noinline)) double atDepth(int Depth, double X, long N) {
  volatile double Room[16] = {};
  return Depth ? atDepth(Depth - 1, X, N) + Room[Depth % 16] : slopeThatLeaves(X, N);
}
__attribute__((noinline)) void leaveOnce(int Depth) {
  try {
    if (!setjmp(Back))
      atDepth(Depth, 0.3, 1000);
  } catch (Left) {
  }
}
static void isLeft(int Way) {
  Sink = slopeThatLeaves(0.3, 1000);
  long Before = Allocated;
  for (int I = 0; I < 4000; ++I) {
    How = Way;
    leaveOnce(I % 5);
    How = 0;
    if (I % 7 == 0)
      expect(isSlope(atDepth(I % 3, 0.3, 1000), 0.3, 2000), "a derivative after one that was left");
  }
  expect(Alone || Allocated - Before < 1 << 20, "what derivatives leave behind that are left");
  expect(isSlope(slopeThatLeaves(0.3, 1000), 0.3, 2000), "a derivative after all");
}

// A derivative in a derivative: the rule of a function asks for one, which is left sometimes.
double root(double X) { return X * X; }
double augmentRoot(double X) {
  How = 1;
  for (int I = 0; I < 3; ++I)
    try {
      slopeThatLeaves(0.2, 500);
    } catch (Left) {
    }
  How = 0;
  return root(X);
}
double reverseRoot(double X, double Seed) {
  expect(isSlope(slopeThatLeaves(0.2, 500), 0.2, 1000), "a derivative in a rule");
  return Seed * 2 * X;
}
void *__enzyme_register_gradient_root[] = {(void *)root, (void *)augmentRoot, (void *)reverseRoot};
double usesRule(double X, int N) {
  double Sum = 0;
  for (int I = 0; I < N; ++I) {
    X = 3.5 * X * (1 - X);
    Sum += root(X) * X;
  }
  return Sum;
}
static void isNested() {
  double D = __enzyme_autodiff((void *)usesRule, enzyme_out, 0.3, enzyme_const, 50);
  double X = 0.3, DX = 1, Right = 0;
  for (int I = 0; I < 50; ++I) {
    DX *= 3.5 * (1 - 2 * X);
    X = 3.5 * X * (1 - X);
    Right += 3 * X * X * DX;
  }
  expect(std::abs(D / Right - 1) < 1e-9, "derivatives in a derivative");
}

// The halves of a recursive function pass their tape as a pointer.
double tree(double X, int Depth) {
  if (Depth == 0)
    return iterate(X, 20);
  double Here = iterate(X, Depth);
  return Here * tree(X * 0.9, Depth - 1) + tree(X * 0.8, Depth - 1);
}
static void recurses() {
  double H = 1e-6, D = __enzyme_autodiff((void *)tree, enzyme_out, 0.01, enzyme_const, 6);
  double Near = (tree(0.01 + H, 6) - tree(0.01 - H, 6)) / (2 * H);
  expect(std::abs(D / Near - 1) < 1e-3, "recursion");
}

static void hasThreads() {
  Sink = slope(0.3, 100000);
  long Before = Allocated;
  std::vector<std::thread> Threads;
  std::atomic<int> Wrong{0};
  for (int T = 0; T < 8; ++T)
    Threads.emplace_back([T, &Wrong] {
      for (int I = 0; I < 20; ++I)
        Wrong += !isSlope(slope(0.1 + 0.01 * T, 1000 * (I + 1)), 0.1 + 0.01 * T, 1000 * (I + 1));
    });
  for (std::thread &T : Threads)
    T.join();
  expect(!Wrong, "derivatives in threads");
  expect(Allocated - Before < 1 << 16, "what threads that have ended keep");
  if (pid_t Child = fork()) {
    int Status = 1;
    waitpid(Child, &Status, 0);
    expect(Status == 0, "a derivative in another process");
  } else {
    _exit(!isSlope(slope(0.3, 100000), 0.3, 100000));
  }
}

int main(int, char **Args) {
  Alone = std::atoi(Args[1]);
  keepsMemory();
  offersMuch();
  growsInChunks();
  isLeft(1);
  isLeft(2);
  isNested();
  recurses();
  hasThreads();
  return Failures != 0;
}
