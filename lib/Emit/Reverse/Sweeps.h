//===- Sweeps.h - The forward and the reverse sweep of a plan ----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts that a reverse derivative is put together from:
//
//   Frame         the derivative function, its parameters, the tape's top slots
//   ForwardSweep  the primal's body, with shadows of addresses and writes to the tape
//   ReverseSweep  the blocks of the adjoint, reading the plan's values
//
// A combined derivative has all three in one function; a split pair has a frame
// and one sweep each, with the top slots packed into the tape in between.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EMIT_SWEEPS_H
#define ISOZYME_LIB_EMIT_SWEEPS_H

#include "AccessScopes.h"
#include "isozyme/Emit/ReverseEmitter.h"
#include "isozyme/Ops/MaskedAccess.h"
#include "isozyme/Ops/OpView.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <map>

namespace isozyme {

/// One value per lane.
using Lanes = llvm::SmallVector<llvm::Value *, 4>;

class Frame {
public:
  Frame(llvm::Function &Fn, const DerivativePlan &Plan);

  llvm::Function &Fn;
  const DerivativePlan &Plan;
  const PreparedFunction &P;
  unsigned Width;
  AccessScopes Scopes;
  /// Parameters of Fn that belong to each parameter of the prepared function.
  llvm::SmallVector<llvm::Argument *, 8> Primal;
  llvm::SmallVector<llvm::SmallVector<llvm::Argument *, 4>, 8> Shadows;
  llvm::Argument *Seed = nullptr, *Tape = nullptr;
  /// The reverse sweep releases nothing: the tape is used again.
  bool KeepTape = false;

  /// Creates an alloca at the start of the entry block.
  llvm::AllocaInst *local(llvm::Type *T, const llvm::Twine &Name);
  /// A place in the entry block that stays behind all locals, also those that are made later.
  llvm::Instruction *behindLocals();
  /// Tells debuggers where the shadows of the arguments are, and the arguments, where
  /// there is no clone of the primal that does.
  void describeArguments(bool HasPrimal = true);
  /// A local that is written and never read. It stands for memory that must not be written.
  llvm::AllocaInst *scratch(llvm::Type *T);
  /// The same, of \p Bytes that are zero from here on.
  llvm::Value *zeroBlock(llvm::IRBuilder<> &B, uint64_t Bytes);
  /// Creates the locals of the tape's top slots; call when Fn has its entry block.
  void makeTopSlots();
  llvm::AllocaInst *topSlot(unsigned Slot) const { return TopSlots.lookup(Slot); }
  /// All top slots as one value of the tape's type, and back.
  llvm::Value *pack(llvm::IRBuilder<> &B, const SplitPair &Self) const;
  void unpack(llvm::IRBuilder<> &B, const SplitPair &Self) const;

private:
  llvm::Align alignInBox(llvm::StructType *Record, unsigned Field) const;

  llvm::AllocaInst *Anchor = nullptr;
  llvm::DenseMap<unsigned, llvm::AllocaInst *> TopSlots;
  llvm::DenseMap<llvm::Type *, llvm::AllocaInst *> Scratch;
};

/// The position of the current iterations in an array region:
/// (iv0 * n1 + iv1) * n2 + iv2 ... \p Translate gives counters and trip counts. \p Place: how far
/// behind it neighbours lie that share the array.
llvm::Value *linearIndex(llvm::IRBuilder<> &B, const PreparedFunction &P, const TapeRegion &R,
                         llvm::ArrayRef<unsigned> Place,
                         llvm::function_ref<llvm::Value *(llvm::Value *)> Translate);

/// In bytes: of an array region, and of it and all that share its block. The largest number where
/// this is more than can be counted.
struct BlockSize {
  llvm::Value *Each, *All;
};
BlockSize sizeOfBlock(llvm::IRBuilder<> &B, const DerivativePlan &Plan, unsigned Region,
                      llvm::function_ref<llvm::Value *(llvm::Value *)> Translate);

/// What holds for the primal need not hold for a function that also writes
/// shadows and tape: only attributes on code generation stay.
void resetAttributes(llvm::Function &Fn);

/// A value with one lane per element of [Width x T], and back.
Lanes splitLanes(llvm::IRBuilderBase &B, llvm::Value *V, unsigned Width);
llvm::Value *joinLanes(llvm::IRBuilderBase &B, const Lanes &L);
/// Returns a literal struct of \p Members, or nothing where the function returns nothing.
void createReturn(llvm::IRBuilderBase &B, llvm::ArrayRef<llvm::Value *> Members);
/// A + C over floats in scalars, vectors and aggregates.
llvm::Value *addDerivatives(llvm::IRBuilderBase &B, llvm::Value *A, llvm::Value *C);

class ForwardSweep {
public:
  ForwardSweep(Frame &F, PairLookup Pairs) : F(F), Plan(F.Plan), P(F.P), Pairs(Pairs) {}

  /// Clones the body into the frame's function and executes the plan's forward part.
  void emit();

  /// The clone of a prepared value.
  llvm::Value *primal(llvm::Value *V) const;
  /// Its shadow, per lane (addresses and what holds them).
  const Lanes &shadow(llvm::Value *V);
  llvm::Value *shadowLane(llvm::Value *V, unsigned Lane) { return shadow(V)[Lane]; }
  /// What was emitted for \p S in shadow memory, per lane, if its step waits; else nothing.
  llvm::SmallVector<llvm::StoreInst *, 1> waiting(const llvm::StoreInst &S) const {
    return Waiting.lookup(&S);
  }
  /// The line of a prepared value, in the debug scope of this function.
  llvm::DebugLoc debugLocOf(const llvm::Value *Prepared) const;
  /// The tape that the call returned.
  llvm::Value *tapeOf(llvm::CallBase *Call) const { return Tapes.lookup(Call); }
  /// The clone of the only return; null when there is none.
  llvm::ReturnInst *returnInst() const { return Return; }
  /// Fills the phis that shadows needed; call when no more shadows are asked for.
  void finishPhis();
  /// Erases what the sweep has replaced.
  void finish();

private:
  void placeBuilderAfter(llvm::IRBuilder<> &B, llvm::Value *Prepared) const;
  Lanes makeShadow(llvm::Instruction &I);
  llvm::Value *makeOnTape(llvm::IRBuilder<> &B, llvm::CallBase &Allocation);
  void leaveOut(const FusedLoop &L);
  void allocateRegions();
  void allocateRegion(unsigned Index);
  void storeBase(llvm::IRBuilder<> &B, unsigned Index);
  void allocateArrays(llvm::IRBuilder<> &B, unsigned Index);
  llvm::Value *slotAddress(llvm::IRBuilder<> &B, unsigned Slot,
                           llvm::ArrayRef<unsigned> Place = {});
  void writeSlot(const Need &N, const KeepDecision &D);
  void visit(llvm::Instruction &I);
  const CallPlan &callPlanOf(const llvm::Instruction &I) const;
  void storePointer(llvm::StoreInst &S);
  void storeMasked(llvm::IntrinsicInst &I, const MaskedAccess &Access);
  /// Is the shadow of \p Ptr the memory itself?
  llvm::Value *isOwn(llvm::IRBuilder<> &B, llvm::Value *Ptr, unsigned Lane);
  Lanes loadPaged(llvm::LoadInst &I);
  void stop(llvm::Instruction &I);
  void stopWhereLost(llvm::StoreInst &S);
  void stopAtOverlap(llvm::MemMoveInst &M);
  void stopWhereChanged(llvm::AtomicRMWInst &I);
  void stopWhereOwn(llvm::Instruction &I, llvm::Value *Ptr);
  void copyPointers(llvm::MemTransferInst &M);
  void clearPointers(llvm::MemSetInst &M);
  void callAugmented(llvm::CallBase &Call, const CallPlan &C);
  void stopAt(llvm::CallBase &Call, const CallPlan &C);
  void releaseLast(llvm::CallBase &I);
  struct LocalMemory {
    llvm::Value *At, *Bytes;
  };
  LocalMemory allocateLocal(llvm::IRBuilder<> &B, llvm::AllocaInst &A, Part Which, unsigned Lane);
  void moveToHeap(llvm::AllocaInst &A);

  Frame &F;
  const DerivativePlan &Plan;
  const PreparedFunction &P;
  PairLookup Pairs;
  llvm::ValueToValueMapTy Map;
  llvm::DenseMap<llvm::Value *, Lanes> Shadows;
  llvm::DenseMap<const llvm::Value *, llvm::Instruction *> After;
  llvm::DenseMap<const llvm::CallBase *, llvm::Value *> Tapes;
  llvm::DenseMap<const llvm::StoreInst *, llvm::SmallVector<llvm::StoreInst *, 1>> Waiting;
  llvm::SmallDenseSet<unsigned> Made; ///< Regions that have their memory.
  llvm::DenseMap<unsigned, llvm::Value *> Bases, Records;
  llvm::SmallVector<llvm::PHINode *, 8> OpenPhis;
  llvm::SmallVector<llvm::Instruction *, 8> Replaced;
  llvm::ReturnInst *Return = nullptr;
  llvm::Value *LocalsAt = nullptr; ///< The block that locals share.
};

/// Adjoints of SSA values: one local per active value and lane, zero before the
/// reverse sweep and zero again when the value's definition has been reversed; for
/// values that stay in one block, the sum so far.
class AdjointStore {
public:
  explicit AdjointStore(Frame &F) : F(F) {}
  bool carries(llvm::Value *V) const { return F.Plan.Steps.of(V).Adjoint; }
  Lanes read(llvm::IRBuilder<> &B, llvm::Value *V);
  /// Reads what has been added so far, also of values that stay in one block.
  Lanes peek(llvm::IRBuilder<> &B, llvm::Value *V);
  /// Reads and clears.
  Lanes take(llvm::IRBuilder<> &B, llvm::Value *V);
  void add(llvm::IRBuilder<> &B, llvm::Value *V, const Lanes &D);
  /// Adds the adjoint of \p Phi to that of \p V, one of its values: not a new share where
  /// both are the same variable.
  void handOn(llvm::IRBuilder<> &B, llvm::PHINode &Phi, llvm::Value *V, const Lanes &D);

private:
  llvm::SmallVector<llvm::AllocaInst *, 4> &locals(llvm::Value *V);
  void watch(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Value *Added, llvm::Value *Now,
             unsigned Lane);
  Frame &F;
  bool IsHandedOn = false;
  llvm::DenseMap<llvm::Value *, Lanes> Sums;
  llvm::DenseMap<llvm::Value *, llvm::SmallVector<llvm::AllocaInst *, 4>> Locals;
};

class ReverseSweep {
public:
  /// \p Forward: the sweep of the same function (combined), or null.
  ReverseSweep(Frame &F, ForwardSweep *Forward, PairLookup Pairs)
      : F(F), Plan(F.Plan), P(F.P), Forward(Forward), Pairs(Pairs), Adjoints(F) {}

  /// Emits all blocks; \p Start (without terminator) goes to the first. Returns a
  /// builder at the end of the last block, without terminator.
  llvm::Error emit(llvm::BasicBlock *Start);
  llvm::IRBuilder<> &atEnd() { return *End; }
  Lanes gradientOf(llvm::Argument *A) { return Adjoints.read(*End, A); }
  /// The value of \p V, which may be computed from results of fused loops; at the end.
  llvm::Value *atLast(llvm::Value *V);

private:
  using ExitEdge = std::pair<llvm::BasicBlock *, llvm::BasicBlock *>;

  /// A place where values are looked up: the reverse of a block, or the entry to
  /// the reverse of a loop (for what does not change inside it).
  struct Site {
    const llvm::Loop *L = nullptr;
    llvm::BasicBlock *At = nullptr; ///< Where it is emitted now (its last part).
    llvm::DenseMap<Need, Lanes> Values;
    llvm::DenseMap<unsigned, llvm::Value *> Bases, Records;
    llvm::DenseMap<const llvm::Loop *, llvm::Value *> Counters;
    /// Set where values of another iteration of L are looked up, and L is not around At: the
    /// place for values that L does not change.
    Site *Beside = nullptr;
    /// Such places, by L, the loop whose counter tells the iteration, and the distance from it.
    std::map<std::tuple<const llvm::Loop *, const llvm::Loop *, int64_t>, std::unique_ptr<Site>>
        Iterations;
  };

  // Blocks and ways (ReverseSweep.cpp)
  void makeBlocks();
  void makeLoopEntry(const llvm::Loop *L);
  void finishLoopEntry(const llvm::Loop *L);
  void leaveBlock(llvm::BasicBlock *BB, Site &S, const ReverseStep &Step);
  llvm::BasicBlock *edge(llvm::BasicBlock *BB, llvm::BasicBlock *Pred, Site &S,
                         llvm::ArrayRef<std::pair<llvm::PHINode *, Lanes>> Phis);
  void enterLoops(llvm::IRBuilder<> &B, llvm::BasicBlock *Pred, llvm::BasicBlock *BB, Site &S);
  void repeatLoop(llvm::IRBuilder<> &B, const llvm::Loop *L, Site &S);
  void releaseRegions(llvm::BasicBlock *BB, Site &S);
  /// Where the reverse of \p L begins, with the test for adjoints of zero if it has one.
  llvm::BasicBlock *entryOf(const llvm::Loop *L) const;
  /// Where the reverse of \p L begins when \p Exiting was its last block.
  llvm::BasicBlock *insideOf(const llvm::Loop *L, llvm::BasicBlock *Exiting) const;

  // What adjoints of zero make superfluous (ReverseSkips.cpp)
  void visitAll(llvm::BasicBlock &BB, Site &S);
  std::unique_ptr<Site> openPart(const ZeroSkip &Skip, Site &S);
  void finishTests(const llvm::Loop *L);
  void testForChosen(const ChosenIteration &Chosen, llvm::BasicBlock *At, llvm::BasicBlock *Inside);
  void testForChange(const ZeroSkip &Skip, Site &S, llvm::BasicBlock *Behind,
                     llvm::BasicBlock *Some);
  void testForZero(const ZeroSkip &Skip, llvm::BasicBlock *At, llvm::BasicBlock *Behind,
                   llvm::BasicBlock *Some);

  // Loops that run here only (ReverseFused.cpp)
  void runIteration(const FusedLoop &A, Site &S);
  void keepOfIteration(const FusedLoop &A, Site &Outside);
  void cloneIteration(const FusedLoop &A, Site &S, Site &Outside, llvm::BasicBlock *Then);
  llvm::Value *slotOfIteration(unsigned Slot, llvm::Instruction *Before, Site &Outside);
  llvm::Value *inIteration(llvm::Value *V, Site &Outside);

  // Sums of neighbours (ReverseCarried.cpp)
  void visitCarried(const CarriedSum &Sum, llvm::LoadInst &Load, Site &S);
  void sumUp(const CarriedSum &Sum, llvm::IRBuilder<> &B);
  void addPending(llvm::IRBuilder<> &B, const llvm::Loop *L, Site &S);
  /// Per lane, what is to be added to the element that is so many iterations away.
  llvm::SmallVector<llvm::AllocaInst *, 4> &pendingOf(const CarriedSum &Sum, unsigned Delay);

  // Values (ReverseLookup.cpp)
  Site &siteFor(llvm::Value *V, Site &From);
  Site &siteIn(const llvm::Loop *Scope, Site &From);
  /// What is emitted next stands for this value's line of the program.
  void locate(llvm::IRBuilder<> &B, const llvm::Value *Like) const;
  const Lanes &lookup(const Need &N, Site &S);
  llvm::Value *primal(llvm::Value *V, Site &S) { return lookup({V, Part::Primal}, S)[0]; }
  const Lanes &shadow(llvm::Value *V, Site &S) { return lookup({V, Part::Shadow}, S); }
  Lanes compute(const Need &N, const KeepDecision &D, Site &S);
  Lanes stored(const StoredValue &From, Site &S);
  Lanes readSlot(const Need &N, const KeepDecision &D, Site &S);
  llvm::Value *baseOf(unsigned Region, Site &S);
  llvm::Value *bytesInFront(unsigned Region, Site &S);
  llvm::Value *slotAddress(unsigned Slot, Site &S, llvm::ArrayRef<unsigned> Place = {});
  llvm::Value *counter(const llvm::Loop *L, Site &S);
  const llvm::Loop *loopCountedBy(const llvm::Value *V, const Site &S) const;
  void undeclared(const Need &N);

  // Instructions (ReverseInstructions.cpp, ReverseCalls.cpp)
  void visit(llvm::Instruction &I, Site &S);
  void visitLoad(llvm::LoadInst &I, Site &S);
  void visitStore(llvm::StoreInst &I, Site &S);
  void putBack(llvm::StoreInst &I, Site &S);
  void visitAtomic(llvm::AtomicRMWInst &I, Site &S);
  void visitExtremum(llvm::AtomicRMWInst &I, Site &S);
  void visitReturn(llvm::ReturnInst &I, Site &S);
  llvm::Value *iterationOf(llvm::Instruction &I, Site &S);
  void visitExchange(llvm::CallInst &I, Site &S);
  void visitMeeting(llvm::Instruction &I, Site &S);
  void visitElementwise(llvm::Instruction &I, Site &S);
  void visitPart(llvm::Instruction &I, Site &S);
  void visitMove(llvm::Instruction &I, Site &S);
  Lanes takeAsMoved(llvm::IRBuilder<> &B, llvm::Instruction &I);
  void visitSelect(llvm::SelectInst &I, Site &S);
  void visitVector(llvm::Instruction &I, Site &S);
  void visitMasked(llvm::IntrinsicInst &I, const MaskedAccess &Access, Site &S);
  void visitShuffle(llvm::ShuffleVectorInst &I, Site &S);
  void visitAggregate(llvm::Instruction &I, Site &S);
  void callFromTape(llvm::CallBase &I, const CallPlan &C, Site &S);
  void visitCopy(llvm::MemTransferInst &I, Site &S);
  void visitMemSet(llvm::MemSetInst &I, Site &S);
  void moveAdjoints(llvm::IRBuilder<> &B, llvm::MemIntrinsic &I, llvm::Value *Length,
                    llvm::Value *Taken, llvm::Value *Added, llvm::Value *OwnFrom);
  void moveWords(llvm::IRBuilder<> &B, llvm::MemIntrinsic &I, llvm::Value *Length,
                 llvm::Value *Taken, llvm::Value *Added, llvm::Value *OwnFrom);
  void putOffRelease(llvm::CallBase &I, Site &S);
  void releaseAlloca(llvm::AllocaInst &I, Site &S);
  void releaseShadow(llvm::CallBase &I, Site &S);
  /// Is the shadow of \p Ptr the memory itself? Null where that is not asked.
  llvm::Value *isOwn(llvm::Value *Ptr, ShadowReach Reach, unsigned Lane, Site &S);
  /// The shadow of \p Ptr, or scratch memory of type \p T where it has none.
  llvm::Value *address(llvm::IRBuilder<> &B, llvm::Value *Own, llvm::Value *Shadow, llvm::Type *T);
  /// Where the adjoints of an access to \p Ptr are, per lane, and the lanes in which what
  /// is there is to be taken for zero (null: none).
  std::pair<Lanes, Lanes> places(llvm::Value *Ptr, llvm::Type *T, ShadowReach Reach, Site &S);
  void accumulate(llvm::IRBuilder<> &B, llvm::Value *Address, llvm::Value *D,
                  const llvm::LoadInst &I);
  /// Prints what has become of the shadow that \p I adds \p Added to, if that is asked for.
  void watch(llvm::Instruction &I, llvm::Value *Address, llvm::Value *Added, unsigned Lane,
             Site &S);

  Frame &F;
  const DerivativePlan &Plan;
  const PreparedFunction &P;
  ForwardSweep *Forward;
  PairLookup Pairs;
  AdjointStore Adjoints;
  llvm::DenseMap<const llvm::BasicBlock *, std::unique_ptr<Site>> Sites;
  llvm::DenseMap<const llvm::Loop *, std::unique_ptr<Site>> Entries;
  /// In front of the entries of loops that are left out at times.
  llvm::DenseMap<const llvm::Loop *, llvm::BasicBlock *> Tests;
  llvm::DenseMap<const llvm::Loop *, llvm::AllocaInst *> Counters;
  llvm::DenseMap<const llvm::Loop *, llvm::Instruction *> Backs; ///< The branch that repeats it.
  llvm::DenseMap<const llvm::Loop *, llvm::SmallVector<ExitEdge, 2>> Exits;
  /// Loops with several exits: the number of the exit that is reversed, or -1
  /// for the back edge. All ways into an iteration go through Dispatch, so that the
  /// reverse loop has one header.
  llvm::DenseMap<const llvm::Loop *, llvm::AllocaInst *> Which;
  llvm::DenseMap<const llvm::Loop *, llvm::BasicBlock *> Dispatch;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Blocks;
  /// By the block in front of its outermost loop: the regions released there.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<unsigned, 2>> Regions;
  /// Fused loops: values of the iteration that runs, whether it is the last, and what the last
  /// one has left.
  llvm::DenseMap<llvm::Value *, llvm::Value *> Again;
  llvm::DenseMap<const llvm::Loop *, llvm::Value *> IsLast;
  llvm::DenseMap<llvm::Value *, llvm::AllocaInst *> Results;
  llvm::DenseMap<llvm::Value *, llvm::Value *> LateValues;
  /// Carried sums: what this iteration adds, and what others have left to be added.
  llvm::DenseMap<llvm::LoadInst *, Lanes> Shares;
  llvm::DenseMap<std::pair<const CarriedSum *, unsigned>, llvm::SmallVector<llvm::AllocaInst *, 4>>
      Pending;
  std::optional<llvm::IRBuilder<>> End;
  /// Set when something was read that the plan does not declare.
  std::optional<Need> Undeclared;
};

} // namespace isozyme

#endif
