//===- Accelerator.h - Machines on which many threads run one function ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What differs between GPUs, as far as derivatives ask: one small class for each, in a file
// of its own. A processor has none.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TARGET_ACCELERATOR_H
#define ISOZYME_TARGET_ACCELERATOR_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"
#include <optional>
#include <string>

namespace llvm {
class AtomicRMWInst;
class Function;
class IRBuilderBase;
class Instruction;
class Module;
class Type;
class Value;
} // namespace llvm

namespace isozyme {

/// Who sees the memory of an address space.
enum class MemorySharing : uint8_t {
  Device,   ///< All threads; and what may lie anywhere.
  Block,    ///< The threads of one block.
  Constant, ///< All threads, and none writes to it.
  Thread    ///< One thread.
};

/// What threads do together at an intrinsic.
enum class Meeting : uint8_t {
  None,
  Block, ///< All threads of the block wait for each other, and hand all memory on.
  Part,  ///< The same for some of them, whom its operands name.
  Fence, ///< What each has written before is seen by others that look behind.
  Other  ///< They wait for each other in another way.
};

/// An intrinsic by which threads of a warp hand words to each other, by the numbers of its
/// operands.
struct WarpExchange {
  unsigned Word;                ///< What each hands on: 32 bits.
  std::optional<unsigned> Mask; ///< Who takes part; without it, all that are there.
};

/// Of a statement of inline assembly, by its number in the text.
struct AssemblyOperand {
  llvm::Type *Result = nullptr; ///< Null: it is none.
  llvm::Value *In = nullptr;    ///< What is there before; null: nothing.
};

/// The threads of a warp add up what they have.
class WarpSums {
public:
  virtual ~WarpSums() = default;
  /// Do all threads of the warp run this together? i1. The others are for where they do.
  virtual llvm::Value *isWhole(llvm::IRBuilderBase &B) const = 0;
  /// Do all have the same i64 \p V? i1.
  virtual llvm::Value *isSame(llvm::IRBuilderBase &B, llvm::Value *V) const = 0;
  /// The i32 \p Word of the thread whose number differs in \p Bit.
  virtual llvm::Value *fromPartner(llvm::IRBuilderBase &B, llvm::Value *Word,
                                   unsigned Bit) const = 0;
};

class Accelerator {
public:
  virtual ~Accelerator() = default;

  /// For the reader: "an NVIDIA GPU".
  virtual llvm::StringRef name() const = 0;
  virtual MemorySharing sharingOf(unsigned AddressSpace) const = 0;
  /// What the names of its functions of mathematics begin with: "__nv_".
  virtual llvm::StringRef mathPrefix() const = 0;
  /// Where the bodies of these functions may be, as bitcode.
  virtual llvm::SmallVector<std::string, 2> mathFiles() const = 0;
  /// What the inline assembly \p Text computes, as instructions at \p B; nothing where LLVM has no
  /// words for it. Instructions that have been inserted then are of no use.
  virtual std::optional<llvm::SmallVector<llvm::Value *, 2>>
  readAssembly(llvm::IRBuilderBase &, llvm::StringRef, llvm::ArrayRef<AssemblyOperand>) const {
    return std::nullopt;
  }
  /// May it compute with floats, even if its operands are integers that hold their bits?
  virtual bool mayComputeFloats(llvm::StringRef) const { return true; }

  /// Does an intrinsic say where a thread is, or how many there are? It has no derivative.
  virtual bool isQuery(llvm::Intrinsic::ID Id) const = 0;
  virtual Meeting meetingAt(llvm::Intrinsic::ID Id) const = 0;
  virtual Meeting meetingIn(llvm::StringRef Assembly) const = 0;
  /// Lets them do so.
  virtual void waitForBlock(llvm::IRBuilderBase &B) const = 0;
  /// The number of the thread in its block, in all dimensions, and how many there are: i32.
  virtual llvm::Value *threadInBlock(llvm::IRBuilderBase &B) const = 0;
  virtual llvm::Value *threadsOfBlock(llvm::IRBuilderBase &B) const = 0;

  /// The bytes of a block's memory that the launch adds to what the code declares: i32.
  virtual llvm::Value *bytesOfLaunch(llvm::IRBuilderBase &B) const = 0;

  virtual std::optional<WarpExchange> exchangeOf(llvm::Intrinsic::ID Id) const = 0;
  /// Does the intrinsic return the same to all threads of a block?
  virtual bool isSameInBlock(llvm::Intrinsic::ID Id) const = 0;
  /// Threads of a warp, at most, and the number of this one among them: i32.
  virtual unsigned mostLanes() const = 0;
  virtual llvm::Value *lane(llvm::IRBuilderBase &B) const = 0;
  /// The threads of the warp in which \p Is holds, as bits of an i64, among those that come here,
  /// and are in \p Mask if there is one.
  virtual llvm::Value *lanesWhere(llvm::IRBuilderBase &B, llvm::Value *Is,
                                  llvm::Value *Mask) const = 0;
  /// The i32 \p Word of the thread \p Lane, which comes here, too.
  virtual llvm::Value *fromLane(llvm::IRBuilderBase &B, llvm::Value *Word, llvm::Value *Lane,
                                llvm::Value *Mask) const = 0;

  /// How the threads of a warp add up, in \p User; null where the code generator does so by itself
  /// for what they add to one address, or where the machine has no way.
  virtual const WarpSums *sumsOfWarp(const llvm::Function &) const { return nullptr; }

  /// The type of a local variable of the thread that holds \p Kept, an array of a tape.
  virtual llvm::Type *localTape(llvm::ArrayType *Kept) const { return Kept; }

  /// Ends this thread, and maybe its neighbours, and lets the others go on.
  virtual void endThread(llvm::IRBuilderBase &B) const = 0;
  /// The threads that see an atomic addition happen at once: the name of LLVM's scope.
  virtual llvm::StringRef addingScope() const = 0;
  /// Says what the code generator has to know to take the machine's own addition.
  virtual void allowNativeAdd(llvm::AtomicRMWInst &Add) const = 0;
  /// Does \p Ptr lead to the thread's own memory, where atomic operations are not possible? Null
  /// where the code generator finds out.
  virtual llvm::Value *leadsToOwnMemory(llvm::IRBuilderBase &B, llvm::Value *Ptr) const = 0;
};

/// Does the host launch \p F?
bool isKernel(const llvm::Function &F);

/// Is it a query, or a place where threads meet, of any of them?
bool isDeviceQuery(llvm::Intrinsic::ID Id);
bool isDeviceMeeting(llvm::Intrinsic::ID Id);

/// Do threads meet at \p I, in whatever way? A statement of assembly that touches memory may be a
/// fence.
bool meetsOthersAt(const llvm::Instruction &I);
/// Do they in \p F, or in a function that it calls?
bool meetsOthers(const llvm::Function &F);

/// The accelerators by their targets; null for processors, and for those that are not supported.
const Accelerator *acceleratorOf(const llvm::Module &M);

// Each from its own file.
const Accelerator &nvptxAccelerator();
const Accelerator &amdgpuAccelerator();

} // namespace isozyme

#endif
