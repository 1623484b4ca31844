//===- Steps.h - The steps of Prepare, in order -----------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Prepare.cpp calls, one function per step. Each changes only the function
// it is given, never its meaning, and says nothing about differentiation.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_PREPARE_STEPS_H
#define ISOZYME_LIB_PREPARE_STEPS_H

#include "isozyme/Prepare/PreparedFunction.h"

namespace isozyme {

/// An error at \p I, an instruction of the clone, told as of \p Original.
llvm::Error refuse(DiagId Id, const llvm::Function &Original, const llvm::Instruction &I,
                   const llvm::Twine &What, const llvm::Twine &Fix);

/// An internal copy of \p F, without the attributes that keep passes away from it.
llvm::Function &cloneForPreparation(llvm::Function &F);

/// Turns #dbg_assign records into plain ones and drops their ids.
void dropAssignmentTracking(llvm::Function &F);

/// May the body of what \p Call calls take its place in what is made of \p Original, as far as the
/// meaning of the program is concerned?
bool canTakeTheBody(const llvm::CallBase &Call, const llvm::Function &Original);

/// What has a version for each processor is called in its default one.
void callDefaultVersions(llvm::Function &F);

/// Products and moves of matrices become operations on their columns.
void lowerMatrices(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Functions that are called in loops, or have loops, become part of \p F.
void inlineCallees(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                   const llvm::Function &Original);

/// Arrays of variable length that each iteration of a loop gives back are allocated and
/// released.
void lowerLoopArrays(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// What keeps a derivative of zero zero is no choice of the program.
void openZeroGuards(llvm::Function &F);

/// Removes what only guides the optimiser or the code generator.
void dropMarkers(llvm::Function &F);

/// Parameters passed by value are copied by the function itself.
void copyByValueParameters(llvm::Function &F);

/// invoke becomes call where nothing is lost, else IZ206. Refuses the
/// instructions that have no legal form (IZ209).
llvm::Error lowerUnwinding(llvm::Function &F, const llvm::Function &Original);

/// Float operations that look at the float environment become plain ones.
void lowerFloatEnvironment(llvm::Function &F);

/// Integer powers get exponents that targets have code for.
void lowerWidePowers(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

/// What a dynamic_cast finds becomes a place in the object that it is asked about.
void lowerDynamicCasts(llvm::Function &F);

/// The string that a function of the library returns is the one that it was given; a view of it is
/// its size and data.
void nameStrings(llvm::Function &F);
/// A stream that output returns is the one that it was called with.
void nameStreams(llvm::Function &F);

/// Numbers and bytes that are read from text and files come into memory of their own first.
void readApart(llvm::Function &F);

/// sincos, modf and frexp, which have two results, become two operations.
void lowerPairedMath(llvm::Function &F);

/// Functions of complex numbers take and return vectors of two, whatever the target's
/// calling convention makes of them; cabs, carg and the like become real arithmetic.
void lowerComplexMath(llvm::Function &F);

/// Shuffles of integers that move whole doubles become shuffles of 64-bit integers.
void widenShuffles(llvm::Function &F);

/// Does \p Sum add a number so large that it rounds, which is taken away again?
bool isSumThatRounds(const llvm::Instruction &Sum);

/// Sums whose last digits are lost on purpose carry no derivative.
void markRoundings(llvm::Function &F);

/// Comparisons of the addresses of two functions become what they are.
void tellFunctionsApart(llvm::Function &F);

/// Lanes that the optimiser left undefined, because nobody reads them, become 0.
void definePoison(llvm::Function &F);

/// Products, largest and smallest elements of vectors, element by element.
void lowerReductions(llvm::Function &F);

/// Assembly that only hides a value, or is an extremum, becomes LLVM's own.
void lowerInlineAsm(llvm::Function &F);

/// Operations of SSE and AVX become LLVM's own.
void lowerTargetVectors(llvm::Function &F);

/// realloc becomes allocation, copy and release; posix_memalign aligned_alloc.
void lowerAllocation(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);
/// \p Call if it is cudaMalloc or cudaFree, or HIP's.
void lowerGpuAllocation(llvm::CallInst &Call);

/// Numbers that count how often code is differentiated go one step further.
void countIterations(llvm::Function &F);

/// What is read from a record at address 0 is 0.
void dropNullMembers(llvm::Function &F);

/// Functions with a variable number of arguments are called for those that there are.
void fixVariableArguments(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Structs of pointers and floats are passed to functions, and returned, in memory.
void lowerMixedValues(llvm::Function &F);

/// What releases one of several blocks, by the way that was taken, is done on each way.
void splitReleases(llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

/// Addresses in variables of a GPU's constant memory that have a shadow are generic.
void makeConstantMemoryGeneric(llvm::Function &F);

/// Where a thread of a GPU is, and how many there are, is asked for once.
void hoistDeviceQueries(llvm::Function &F);

/// Integers that loops read and do not write are read in front of them.
void hoistInvariantLoads(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Gives every cycle one entry. True if one had several.
bool makeReducible(llvm::Function &F);

/// One `ret`, in a block of its own when there were several. Null when none.
llvm::BasicBlock *mergeReturns(llvm::Function &F);

/// Removes phis that look as if they carried a value through a loop.
void dropUncarriedPhis(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Where three or more ways meet, they meet by two, if a condition parts them.
void splitJoins(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Pointers that loops move on by more than one distance become numbers of steps.
void numberWalkingAddresses(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Loops that isozyme_checkpoint marks become calls of functions that run a range of their
/// iterations. Where that cannot be, the mark says why.
void outlineCheckpoints(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                        const llvm::Function &Original);

/// Loads and stores of structs and arrays become one access per leaf.
void splitAggregateAccesses(llvm::Function &F);

/// Pointers that were integers for a while become distances from where they started.
void lowerIntegerAddresses(llvm::Function &F);

/// Constant expressions over variables that may change become instructions.
void expandConstants(llvm::Function &F);

/// Loops that add to a float by compare-and-exchange become the atomic addition.
void nameExchangeLoops(llvm::Function &F);

/// Loops that leave the larger or smaller of two floats likewise become that operation.
void nameExtremumLoops(llvm::Function &F);

/// Atomic exchanges for a constant, where nobody uses what was there, become stores.
void storeExchangedConstants(llvm::Function &F);

/// Floats whose words threads of a warp hand to each other are handed on as such.
void nameExchanges(llvm::Function &F);

/// Sign-bit arithmetic on the bits of floats becomes fneg, fabs, copysign.
void rewriteFloatIdioms(llvm::Function &F);

/// An integer that goes round a loop with a float in one half becomes two.
void separateHalves(llvm::Function &F);

/// Records that are loaded as vectors of floats are loaded lane by lane.
void loadLanesOfRecords(llvm::Function &F);

/// Floats that are loaded or stored as pointers become integers.
void separatePointerBits(llvm::Function &F);

/// Of a number or an address that is stored as what has been chosen, each is stored by itself.
void splitMergedStores(llvm::Function &F);

/// Shifts and masks of integers that move whole floats become accesses to vectors.
void rewritePackedFloats(llvm::Function &F);

/// Doubles that are only moved, and carry floats or halves, become vectors of these.
void separateCarriedFloats(llvm::Function &F);

/// \p Moves, which are loads, stores, phis, selects and freezes of integers that hold
/// addresses, become such of pointers; those of pointers that hold floats, of integers.
void retypeMoves(llvm::ArrayRef<llvm::Instruction *> Moves);

/// What \p Load loads, by its bits, is a float.
void loadAsFloat(llvm::LoadInst &Load, llvm::Type *Float);

/// What \p Move loads and stores becomes a copy of memory; a store of zeros, a fill. Where it is of
/// members, halves that are used otherwise are loaded by themselves.
void moveInMemory(llvm::Instruction &Move, bool OfMembers);

/// Floats whose bits are computed from those of others get the derivative that they have.
void rewriteFloatBits(llvm::Function &F);

/// What is known of a loop, by its header: Loop objects do not survive.
struct LoopFacts {
  llvm::PHINode *IV = nullptr;
  llvm::WeakTrackingVH LastIV; ///< May be a phi that is rewritten later.
  llvm::WeakTrackingVH Extent;
  llvm::SmallMapVector<llvm::BasicBlock *, llvm::PHINode *, 2> ExitIV;
  /// A value that iterations hand on or replace, and the last one that has replaced it.
  llvm::SmallVector<std::pair<llvm::WeakTrackingVH, llvm::WeakTrackingVH>, 1> Chosen;
};
using LoopFactsMap = llvm::MapVector<llvm::BasicBlock *, LoopFacts>;

/// Longer expressions cost more before the loop than a phi does after it.
constexpr unsigned MaxExpressionSize = 48;

/// What computes facts about loops ahead of them.
struct LoopFinders {
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  llvm::SCEVExpander &Expander;
};

/// The number of iterations of \p L, 0 where it is not reached, before the loop
/// \p Nest around it. Null if that cannot be known there.
llvm::Value *expandExtent(llvm::Loop &L, llvm::Loop &Nest, const llvm::SCEV *Count,
                          LoopFinders &With);

/// Gives each loop its counter, expresses affine induction variables by it, and
/// makes its last value available. Loops must be simplified and in LCSSA form.
LoopFactsMap canonicaliseLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Narrow induction variables lose their overflow facts when they are computed
/// from the counter. Where that hides the trip count, the exit tests the counter:
///   br i1 %old, label %body, label %exit  ->  %stay = icmp ne i64 %iv, %last
void keepTripCountsVisible(llvm::Function &F, const LoopFactsMap &Facts,
                           llvm::FunctionAnalysisManager &FAM);

/// Of loops that look for the nearest, the largest, ...: notes in which iteration it was found.
void noteChosenIterations(llvm::Function &F, LoopFactsMap &Facts,
                          llvm::FunctionAnalysisManager &FAM);

/// The value of cameFrom for \p BB, whose predecessors are \p Preds.
llvm::Value *emitCameFrom(llvm::BasicBlock &BB, llvm::ArrayRef<llvm::BasicBlock *> Preds,
                          const llvm::DominatorTree &DT, const llvm::LoopInfo &LI);

} // namespace isozyme

#endif
