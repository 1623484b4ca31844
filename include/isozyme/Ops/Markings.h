//===- Markings.h - What a module says of its functions ----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A user can say of a function or variable that it carries no derivative, that it
// allocates, that it is like a known function, or which functions are its derivative.
// Whatever way this was written (Requests/Annotations reads them all), it is an
// attribute or metadata of the function or variable by the time any stage looks:
//
//   function  "enzyme_inactive", "enzyme_nofree", "enzyme_shouldrecompute",
//             "enzyme_sparse_accumulate", "enzyme_math"="log1p",
//             "enzyme_allocator"="0", "enzyme_deallocator"="-1" with !enzyme_deallocator_fn,
//             "enzyme_active", which takes back what a table says;
//             parameters and result: "enzyme_inactive"
//             !enzyme_augment, !enzyme_gradient, !enzyme_derivative, !enzyme_splitderivative
//   variable  "enzyme_inactive"
//   instruction  !enzyme_inactive, _inst, _val; !enzyme_active, _inst, _val
//
// This file is the only place that knows these names.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_OPS_MARKINGS_H
#define ISOZYME_OPS_MARKINGS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm {
class Argument;
class CallBase;
class Function;
class GlobalVariable;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace isozyme {

namespace marking {
constexpr llvm::StringLiteral Inactive = "enzyme_inactive";
constexpr llvm::StringLiteral Active = "enzyme_active";
constexpr llvm::StringLiteral NoFree = "enzyme_nofree";
constexpr llvm::StringLiteral ShouldRecompute = "enzyme_shouldrecompute";
constexpr llvm::StringLiteral SparseAccumulate = "enzyme_sparse_accumulate";
constexpr llvm::StringLiteral Math = "enzyme_math";
constexpr llvm::StringLiteral Allocator = "enzyme_allocator";
constexpr llvm::StringLiteral Deallocator = "enzyme_deallocator";
constexpr llvm::StringLiteral DeallocatorFn = "enzyme_deallocator_fn";
constexpr llvm::StringLiteral Augment = "enzyme_augment";
constexpr llvm::StringLiteral Gradient = "enzyme_gradient";
constexpr llvm::StringLiteral Derivative = "enzyme_derivative";
constexpr llvm::StringLiteral SplitDerivative = "enzyme_splitderivative";
constexpr llvm::StringLiteral Shadow = "enzyme_shadow"; ///< Of a global variable.
constexpr llvm::StringLiteral Type = "enzyme_type";
/// Isozyme's own: the function releases the memory at its first parameter, later.
constexpr llvm::StringLiteral ReleasesLater = "isozyme-releases-later";
/// Isozyme's own: a form of a function that has its result, or some parameters, in memory.
constexpr llvm::StringLiteral ByMemory = "isozyme-by-memory";
/// Isozyme's own: a form of a function for one internal procedure that is passed to it.
constexpr llvm::StringLiteral WithProcedure = "isozyme-with-procedure";
/// Isozyme's own: a form of a function with a variable number of arguments for some of them.
constexpr llvm::StringLiteral FixedArguments = "isozyme-fixed-arguments";
/// Isozyme's own: a helper of derivatives.
constexpr llvm::StringLiteral Helper = "isozyme-helper";
/// Isozyme's own: a helper that Cleanup inlines, so that types are found in derivatives too.
constexpr llvm::StringLiteral PartOfCaller = "isozyme-part-of-caller";
/// Isozyme's own: a helper that derivatives call which are yet to be made: what is known of
/// its callers now says nothing of its memory.
constexpr llvm::StringLiteral ServesLaterCallers = "isozyme-serves-later-callers";
/// A function that nobody calls: it keeps a body while another takes its place.
constexpr llvm::StringLiteral PutAside = "isozyme-put-aside";
/// Isozyme's own: the function, or this call, makes or releases memory of a tape. What one
/// half of a pair makes, the other releases: whether it has a shadow does not depend on what
/// types find out in either.
constexpr llvm::StringLiteral TapeMemory = "isozyme-tape-memory";
/// A variadic function that makes text of its arguments.
constexpr llvm::StringLiteral OnlyPrints = "isozyme-only-prints";
/// Of a call: what is left of a call through a pointer when the functions that are known
/// to fit have been compared with it.
constexpr llvm::StringLiteral Unlisted = "isozyme-unlisted";
/// Of a call through a pointer: no function is known to fit, and not every run comes to the
/// call. It may be an optional callback that nobody passes.
constexpr llvm::StringLiteral NoCandidate = "isozyme-no-candidate";
/// Isozyme's own: a helper that hands exceptions on.
constexpr llvm::StringLiteral ServesExceptions = "isozyme-serves-exceptions";
/// Isozyme's own: what releases a shadow that the function has made, `void (ptr)`. No instruction
/// stands for that release.
constexpr llvm::StringLiteral ShadowRelease = "isozyme_shadow_release";
/// Of a call: it returns the address of text, or of nothing that is differentiated.
constexpr llvm::StringLiteral GivesText = "isozyme-gives-text";
/// The parameters of the source that a rule's function, or that of a rule, takes in several
/// registers: how many each is in, "1 2 1".
constexpr llvm::StringLiteral Parameters = "isozyme-parameters";
/// Isozyme's own: of a registered reverse function, which returns zeros for the gradients of
/// numbers: it is a kernel, and has none.
constexpr llvm::StringLiteral NoGradients = "isozyme-no-gradients";
/// Isozyme's own: a function that stands for a transfer of a run time of GPUs, and has derivatives;
/// the value is the name of that.
constexpr llvm::StringLiteral GpuTransfer = "isozyme-gpu-transfer";
/// Isozyme's own: a function that launches a kernel, or calls a function of the host in its place;
/// the value is its name, and how many parameters configure the launch: "6 name".
constexpr llvm::StringLiteral Launcher = "isozyme-launcher";
/// Isozyme's own: metadata of a function of the user's that has a copy, which is simplified.
constexpr llvm::StringLiteral SimplifiedForm = "isozyme-simplified-form";
/// Isozyme's own: metadata of a function that is prepared: what it was made from.
constexpr llvm::StringLiteral PreparedFrom = "isozyme-prepared-from";
/// Isozyme's own: a derivative. It accesses shadows without the tags of the source's types.
constexpr llvm::StringLiteral Synthesised = "isozyme-derivative";
/// Of a store: it stores a number, as the source has it. Of a parameter of a reverse half: the
/// primal uses it as a number.
constexpr llvm::StringLiteral Number = "isozyme-number";
/// Isozyme's own: a function that runs some of the iterations of a loop, so that a reverse
/// derivative runs them in parts; the value is the name of the user's function. Of its parameters:
/// the first and the last iteration (with its number, where that is known), and the bytes of a
/// variable.
constexpr llvm::StringLiteral Checkpointed = "isozyme-checkpointed";
constexpr llvm::StringLiteral FirstIteration = "isozyme-first";
constexpr llvm::StringLiteral LastIteration = "isozyme-last";
constexpr llvm::StringLiteral KnownBytes = "isozyme-bytes";
/// Of a copy or fill: what it moves, see BulkNotes.h.
constexpr llvm::StringLiteral Moves = "isozyme-moves";
/// Of a call of isozyme_checkpoint: why its loop cannot be run in parts.
constexpr llvm::StringLiteral NotCheckpointed = "isozyme-not-checkpointed";
/// Isozyme's own: the functions of the run-time part that run all parts of a loop.
constexpr llvm::StringLiteral PartsForward = "isozyme.checkpoint.forward";
constexpr llvm::StringLiteral PartsBackward = "isozyme.checkpoint.reverse";
} // namespace marking

/// A call of isozyme_checkpoint marks the loop that it is in.
bool isCheckpointCall(const llvm::CallBase &Call);
/// Says of the declaration, if \p M has one, that calls stay where they are and do nothing.
void describeCheckpointCalls(llvm::Module &M);
/// Takes the calls out of \p M. True if there were any.
bool eraseCheckpointCalls(llvm::Module &M);
/// Does \p Call, in a derivative, run the parts of a loop?
bool runsParts(const llvm::CallBase &Call);

/// Says that \p Copy, which is simplified, does the same as \p Original; null: nothing does.
void setSimplifiedForm(llvm::Function &Original, llvm::Function *Copy);
/// What does the same as \p F, in a form of which more can be seen: \p F itself if there is none.
const llvm::Function &simplifiedForm(const llvm::Function &F);

/// Says that \p Clone is \p Original, prepared: who calls the one would call the other.
void setPreparedFrom(llvm::Function &Clone, llvm::Function &Original);
/// What \p F was prepared from: \p F itself if it was not.
const llvm::Function &preparedFrom(const llvm::Function &F);

/// Is \p F a derivative, or a helper of derivatives? Both move shadows about as pointers.
bool isMadeByIsozyme(const llvm::Function &F);
/// Calls of the function carry no derivative.
bool isMarkedInactive(const llvm::Function &F);
/// The call, or what it calls, is marked so.
bool isMarkedInactive(const llvm::CallBase &Call);
/// By the user's word, what \p Call passes as its operand \p Arg carries no derivative.
bool isMarkedInactive(const llvm::CallBase &Call, unsigned Arg);
/// Notes in \p F, which is as the front end has made it, where members of records that
/// are integers get a value. Simplified code has forgotten the records.
void markStoredNumbers(llvm::Function &F);
/// Is \p T what the front end makes of a union? It has the type of the first large member.
bool isUnion(const llvm::StructType &T);
/// Says of \p I that its result carries no derivative.
void markInactive(llvm::Instruction &I);
/// Is \p I such a store?
bool isMarkedNumber(const llvm::Instruction &I);
/// Says so of \p A, whose uses as a number are in other code.
void markNumber(llvm::Argument &A);
bool isMarkedNumber(const llvm::Argument &A);
/// A call through a pointer that is none of the functions compared with it before.
bool isUnlisted(const llvm::CallBase &Call);
/// An instruction (its result, or what it does), a parameter or the result of a call that
/// carries no derivative by the user's word.
bool hasInactiveResult(const llvm::Value &V);
bool isMarkedInactive(const llvm::Instruction &I);
/// The opposite: it is to be treated as one that does.
bool isMarkedActive(const llvm::Instruction &I);
/// The variable holds nothing that is differentiated.
bool isMarkedInactive(const llvm::GlobalVariable &G);
/// Calls are rather repeated in the reverse sweep than kept.
bool isMarkedShouldRecompute(const llvm::CallBase &Call);
/// The known function that \p F is to be taken for; empty if none.
llvm::StringRef markedLike(const llvm::Function &F);

/// A function that allocates memory, by the user's word.
struct AllocationLike {
  unsigned SizeArg; ///< The operand that holds the number of bytes.
  /// What the function that frees is called with: operands of the allocating call, or -1
  /// for the memory.
  llvm::SmallVector<int, 2> FreeArgs;
  llvm::Function *Free; ///< May be null: nothing frees it.
};
std::optional<AllocationLike> allocationLike(const llvm::Function &F);
/// What releases the shadow of the memory that \p Call allocates, where its release is no
/// instruction of the program: the run time of exceptions does it. Null: there is no such thing.
llvm::Function *shadowRelease(const llvm::CallBase &Call);

/// A call of __enzyme_double(p), or (p, bytes), does nothing: it says what is behind p, at
/// every element from the first on. Any name that contains one of the four is meant.
enum class TypeHint : uint8_t { Float, Double, Integer, Pointer };
std::optional<TypeHint> typeHintOf(const llvm::Function &F);

/// Functions that the user has written as a function's derivative; null where there is
/// none.
struct CustomRules {
  llvm::Function *Augment = nullptr, *Reverse = nullptr;
  llvm::Function *Forward = nullptr;
  /// Forward from a tape: the half that makes the tape, and the one that uses it.
  llvm::Function *SplitAugment = nullptr, *SplitForward = nullptr;

  bool hasReverse() const { return Augment && Reverse; }
  bool hasSplitForward() const { return SplitAugment && SplitForward; }
};
CustomRules customRules(const llvm::Function &F);

/// What a function launches, and how many parameters before those of the kernel configure that.
struct Launched {
  const llvm::Function *Fn;
  unsigned Configuration = 0;
};
/// \p F itself, without configuration, if it is no launcher.
Launched launchedBy(const llvm::Function &F);

/// Notes in \p F, which is as the front end has made it, which of its parameters are one
/// struct in several registers: they are stored to the same variable.
void noteStructParts(llvm::Function &F);
/// How many parameters from \p Param on are one struct of the source; 1 for none, 0 if that
/// is not known.
unsigned structParts(const llvm::Function &F, unsigned Param);

/// Is this attribute of a function about the function as its callers see it, and not true
/// of what is made from its body?
bool isAboutTheFunction(llvm::StringRef Attribute);
/// Takes all such attributes and metadata off a copy of a function.
void clearMarkings(llvm::Function &Copy);

/// Does a marking make a call of \p F more than the execution of its body, so that the
/// call must not be inlined before it is differentiated?
bool hasMarkedMeaning(const llvm::Function &F);
/// Is that a derivative for reverse mode, and nothing else?
bool isOnlyForReverse(const llvm::Function &F);

} // namespace isozyme

#endif
