//===- tape.c - Memory of a thread for its tapes --------------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack of blocks in a list of chunks, which the thread keeps when the stack is empty (above a
// limit only until the system needs the memory):
//
//   chunk   | block | block | block |   free  |      chunk | block | free |     chunk | free |
//                                                                   ^ Top               kept
//
// Tapes are released nearly always in the reverse order. A block that is not the last one
// is only marked as released, and goes with the last one above it: any order is right.
//
// A derivative that may be left by an exception or longjmp puts a mark on the stack, which
// holds the address of a variable in its frame. When another derivative begins, that one has
// ended if its variable lay where the new one has its own, or deeper in the same stack: what
// lies between its mark and the next is released.
//
// Compiled for one 64-bit machine and used for all of them: nothing in here depends on
// what a machine has but pointers and sizes of eight bytes.
//
//===----------------------------------------------------------------------===//
typedef unsigned long Word;

void *malloc(Word);
void free(void *);
char *getenv(const char *);
int dprintf(int, const char *, ...);
void abort(void) __attribute__((noreturn));
int madvise(void *, Word, int) __attribute__((weak));
int __cxa_thread_atexit_impl(void (*)(void *), void *, void *) __attribute__((weak));
int pthread_getattr_np(Word, void *) __attribute__((weak));
int pthread_attr_getstack(const void *, void **, Word *) __attribute__((weak));
int pthread_attr_destroy(void *) __attribute__((weak));
Word pthread_self(void) __attribute__((weak));
extern char __dso_handle __attribute__((visibility("hidden")));

/// What stands in front of a block. The address has room for four bits.
typedef struct Block {
  Word Below; ///< The block below, and flags.
  Word Unused;
} Block;
enum { Released = 1, FirstInChunk = 2, Alone = 4, Flags = 15 };

/// The content of a mark.
typedef struct Mark {
  void *Frame;
  struct Mark *Below;
} Mark;

typedef struct Chunk {
  struct Chunk *Below, *Above;
  char *End;
  char *Top; ///< Of the stack when it went on in the next chunk.
  Word IsOffered, Unused;
} Chunk;

typedef struct Tape {
  char *Top, *Limit; ///< A block of fewer than Limit - Top bytes fits into the chunk.
  Block *Last;
  Chunk *In;   ///< The chunk that Top is in; the lowest one when the stack is empty.
  Mark *Marks; ///< The highest.
  Word Total;  ///< Bytes of all chunks.
  Word IsReady, IsAlone, KnowsStack;
  const char *StackBegin, *StackEnd; ///< Of the thread; empty if unknown.
} Tape;

#define RARE __attribute__((noinline, cold))

enum { FirstChunk = 1 << 16, Slack = 32 };
/// Pages have 64 KB at most. The advice is that of Linux, where alone a thread keeps memory.
enum { LargestPage = 1 << 16, MayBeTaken = 8 };

_Thread_local Tape isozymeTape __asm__("isozyme.tape.of.thread");
/// How many bytes a thread keeps; the plugin sets it.
extern Word isozymeTapeKept __asm__("isozyme.tape.kept");
Word isozymeTapeKept = 0;

static Block *below(const Block *B) { return (Block *)(B->Below & ~(Word)Flags); }
static char *contentOf(Chunk *C) { return (char *)(C + 1); }
static Word sizeOf(const Chunk *C) { return (Word)(C->End - (const char *)C); }

static RARE void outOfMemory(Word Bytes) {
  dprintf(2, "isozyme: out of memory: the tape of a derivative needs %lu more bytes\n", Bytes);
  abort();
}

static void goTo(Tape *T, Chunk *C, char *Top) {
  T->In = C;
  T->Top = Top;
  T->Limit = C ? C->End - Slack : 0;
}

/// Gives \p C and the chunks above it back; the stack is in none of them.
static void freeFrom(Tape *T, Chunk *C) {
  if (C && C->Below)
    C->Below->Above = 0;
  else if (C)
    goTo(T, 0, 0);
  while (C) {
    Chunk *Above = C->Above;
    T->Total -= sizeOf(C);
    free(C);
    C = Above;
  }
}

/// The system may take the pages of \p C from now on. Where it does not, their next use is free.
static int offer(Chunk *C) {
  Word Begin = ((Word)contentOf(C) + LargestPage - 1) & -(Word)LargestPage;
  Word End = (Word)C->End & -(Word)LargestPage;
  C->IsOffered = madvise && Begin < End && !madvise((void *)Begin, End - Begin, MayBeTaken);
  return C->IsOffered;
}

/// The stack is empty.
static RARE void trim(Tape *T) {
  Word Kept = *(volatile Word *)&isozymeTapeKept, Sum = 0;
  Chunk *C = T->In;
  for (; C; C = C->Above) {
    Sum += sizeOf(C);
    if (Sum > Kept && !C->IsOffered && (!Kept || !offer(C)))
      break;
  }
  freeFrom(T, C);
}

static void endThread(void *Of) {
  Tape *T = Of;
  Chunk *C = T->In;
  while (C && C->Below)
    C = C->Below;
  freeFrom(T, C);
  __builtin_memset(T, 0, sizeof *T);
}

/// ISOZYME_TAPE_MEMORY=malloc: every block from malloc, for those who look for errors.
static void prepare(Tape *T) {
  const char *Way = getenv("ISOZYME_TAPE_MEMORY");
  static const char Malloc[] = "malloc";
  Word I = 0;
  while (Way && I < sizeof Malloc && Way[I] == Malloc[I] && Malloc[I])
    ++I;
  T->IsAlone = Way && I == sizeof Malloc - 1 && !Way[I];
  T->IsReady = 1;
  if (!T->IsAlone && __cxa_thread_atexit_impl)
    __cxa_thread_atexit_impl(endThread, T, &__dso_handle);
}

/// A block where the stack is; there is room.
static void *place(Tape *T, Word Bytes, Word How) {
  Block *B = (Block *)T->Top;
  B->Below = (Word)T->Last | How;
  T->Last = B;
  T->Top += sizeof(Block) + ((Bytes + 15) & ~(Word)15);
  return B + 1;
}

static Chunk *newChunk(Tape *T, Word Needed) {
  // As much again as there is: few chunks, however large the tape.
  Word Size = T->Total > FirstChunk ? T->Total : FirstChunk;
  if (Size < Needed)
    Size = Needed;
  Chunk *New = malloc(Size);
  if (!New && Size > Needed)
    New = malloc(Size = Needed);
  if (!New)
    return 0;
  New->Below = T->In;
  New->Above = 0;
  New->IsOffered = 0;
  New->End = (char *)New + Size;
  if (T->In)
    T->In->Above = New;
  T->Total += Size;
  return New;
}

static RARE void *pushElsewhere(Tape *T, Word Bytes) {
  if (!T->IsReady)
    prepare(T);
  if (Bytes >> 62)
    outOfMemory(Bytes);
  if (T->IsAlone) {
    Block *B = malloc(sizeof(Block) + Bytes);
    if (!B)
      outOfMemory(Bytes);
    B->Below = Alone;
    return B + 1;
  }
  Word Needed = (sizeof(Chunk) + Bytes + Slack + 16 + 15) & ~(Word)15;
  // The lowest chunk is used without a look at it. It is small, and so is never offered.
  if (!T->In && Needed > FirstChunk) {
    Chunk *First = newChunk(T, 0);
    if (First)
      goTo(T, First, contentOf(First));
  }
  Chunk *Next = T->In ? T->In->Above : 0;
  if (Next && sizeOf(Next) < Needed) {
    freeFrom(T, Next);
    Next = 0;
  }
  if (!Next)
    Next = newChunk(T, Needed);
  if (!Next)
    outOfMemory(Bytes);
  if (T->In)
    T->In->Top = T->Top;
  Next->IsOffered = 0;
  goTo(T, Next, contentOf(Next));
  return place(T, Bytes, Next->Below ? FirstInChunk : 0);
}

static inline void *push(Tape *T, Word Bytes) {
  Word Room = T->Limit > T->Top ? (Word)(T->Limit - T->Top) : 0;
  if (__builtin_expect(Bytes >= Room, 0))
    return pushElsewhere(T, Bytes);
  return place(T, Bytes, 0);
}

/// Takes what is released from the top of the stack.
static void takeReleased(Tape *T) {
  while (T->Last && (T->Last->Below & Released)) {
    Block *B = T->Last;
    if (B->Below & FirstInChunk)
      goTo(T, T->In->Below, T->In->Below->Top);
    else
      T->Top = (char *)B;
    T->Last = below(B);
  }
  if (!T->Last && T->Total > *(volatile Word *)&isozymeTapeKept)
    trim(T);
}

static __attribute__((noinline)) void popElsewhere(Tape *T, Block *B) {
  if (B->Below & Alone) {
    free(B);
    return;
  }
  B->Below |= Released;
  if (T->Last == B)
    takeReleased(T);
}

static inline void pop(Tape *T, void *Memory) {
  Block *B = (Block *)Memory - 1;
  if (!Memory)
    return;
  // Neither the first of its chunk nor of all, and the one below is in use.
  if (__builtin_expect(T->Last == B && B->Below && !(B->Below & Flags) &&
                           !(((Block *)B->Below)->Below & Released),
                       1)) {
    T->Last = (Block *)B->Below;
    T->Top = (char *)B;
    return;
  }
  popElsewhere(T, B);
}

/// Releases what lies on \p M, up to the mark above it, and the mark.
static void releaseFrom(Tape *T, const Mark *M, const Mark *Above) {
  Block *Mine = (Block *)M - 1, *B = Above ? below((const Block *)Above - 1) : T->Last;
  for (; B != Mine; B = below(B))
    B->Below |= Released;
  Mine->Below |= Released;
}

/// Where the stack of the thread is. Other stacks in use, such as those of fibers, are not there.
static void findStack(Tape *T) {
  Word Attributes[32];
  void *Begin;
  Word Size;
  T->KnowsStack = 1;
  if (!pthread_getattr_np || !pthread_attr_getstack || !pthread_attr_destroy || !pthread_self ||
      pthread_getattr_np(pthread_self(), Attributes))
    return;
  if (!pthread_attr_getstack(Attributes, &Begin, &Size)) {
    T->StackBegin = Begin;
    T->StackEnd = T->StackBegin + Size;
  }
  pthread_attr_destroy(Attributes);
}

static int isOnStack(const Tape *T, const void *P) {
  return (const char *)P >= T->StackBegin && (const char *)P < T->StackEnd;
}

/// A derivative with a variable at \p Frame begins: those that must have ended are forgotten.
static RARE void forgetEnded(Tape *T, const void *Frame) {
  if (!T->KnowsStack)
    findStack(T);
  int Deeper = isOnStack(T, Frame);
  const Mark *Above = 0;
  Mark **From = &T->Marks;
  for (Mark *M = T->Marks; M; M = M->Below) {
    if (M->Frame == Frame ||
        (Deeper && isOnStack(T, M->Frame) && (const char *)M->Frame < (const char *)Frame)) {
      releaseFrom(T, M, Above);
      *From = M->Below;
    } else {
      From = &M->Below;
    }
    Above = M;
  }
  takeReleased(T);
}

// The four that derivatives call. The plugin says of the first two, as is said of malloc and
// free, that they touch no memory that others see: they may not call each other.

void *isozymeTapePush(Word Bytes) __asm__("isozyme.tape.push");
void *isozymeTapePush(Word Bytes) { return push(&isozymeTape, Bytes); }

void isozymeTapePop(void *Memory) __asm__("isozyme.tape.pop");
void isozymeTapePop(void *Memory) { pop(&isozymeTape, Memory); }

void *isozymeTapeEnter(void *Frame) __asm__("isozyme.tape.enter");
void *isozymeTapeEnter(void *Frame) {
  Tape *T = &isozymeTape;
  if (T->Marks)
    forgetEnded(T, Frame);
  Mark *New = push(T, sizeof(Mark));
  if (T->IsAlone)
    return New;
  New->Frame = Frame;
  New->Below = T->Marks;
  T->Marks = New;
  return New;
}

void isozymeTapeLeave(void *Entered) __asm__("isozyme.tape.leave");
void isozymeTapeLeave(void *Entered) {
  Tape *T = &isozymeTape;
  Mark **From = &T->Marks;
  while (*From && *From != Entered)
    From = &(*From)->Below;
  if (*From)
    *From = (*From)->Below;
  pop(T, Entered);
}
