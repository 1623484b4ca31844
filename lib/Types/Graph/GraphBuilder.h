//===- GraphBuilder.h - From code to a points-to graph -----------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the MemoryGraph of some functions that call each other (one for the
// prepared function, a strongly connected component for callees), given the
// summaries of everything they call outside. Three steps: pointers until nothing
// changes; facts from accesses, declarations and callees; integers and copies,
// which carry facts from one place to another.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_TYPES_GRAPHBUILDER_H
#define ISOZYME_LIB_TYPES_GRAPHBUILDER_H

#include "Facts/TaggedRecords.h"
#include "ScalarTypes.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Ops/OpView.h"
#include "isozyme/Target/GpuRuntime.h"
#include "isozyme/Types/AccessTags.h"
#include "isozyme/Types/MemoryGraph.h"
#include "isozyme/Values/KnownMultiple.h"
#include "isozyme/Values/NamedMembers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace llvm {
class DIType;
class GEPOperator;
class GlobalVariable;
class TargetLibraryInfo;
} // namespace llvm

namespace isozyme {

/// What callers need to know of a component of functions.
struct GraphSummary {
  struct Interface {
    llvm::SmallVector<PointerTarget, 4> Formals;
    PointerTarget Return;
    /// Where a call leaves integers that may be addresses, see IntegerMoves.cpp.
    llvm::SmallVector<PointerTarget, 4> IntegerFormals;
    PointerTarget IntegerReturn;
    /// Parameters and result that are integers by form and hold something else.
    llvm::SmallVector<ConcreteType, 4> FormalTypes;
    ConcreteType ReturnType;
    /// Of these, the integers that are only known by how they are treated or declared.
    llvm::SmallVector<bool, 4> FormalTreated;
    bool ReturnTreated = false;
    /// And those that are used as numbers, so that nothing but an integer makes sense.
    llvm::SmallVector<bool, 4> FormalUsed;
    bool ReturnUsed = false;
    bool ReturnsBits = false; ///< See TypeResult.
    /// Is what it returns, or each member of that, a number and no address, see Numbers.cpp?
    llvm::SmallVector<bool, 2> ReturnedNumbers;
    /// Memory where one of these is kept, or comes from: callers may know of floats, on one
    /// side or the other.
    struct Kept {
      std::optional<unsigned> Formal; ///< The result, if none.
      PointerTarget Place;
      uint64_t Size;
      bool Load, Store;
    };
    llvm::SmallVector<Kept, 0> KeptIntegers;
    const llvm::Value *ReturnedInteger = nullptr; ///< While the component is built.
  };
  MemoryGraph Graph;
  ScalarTypes Scalars;
  llvm::DenseMap<const llvm::Function *, Interface> Functions;
  llvm::MapVector<const llvm::GlobalVariable *, unsigned> Globals;
  unsigned External = PointerTarget::None;
  /// What is copied from where: in a caller it may be known what is there.
  llvm::SmallVector<CopyLink, 2> Copies;
  llvm::SmallPtrSet<const llvm::CallBase *, 4> BitsReturned;
};

/// That callers know a float, an integer or padding of a place, see FactsOfCallers.cpp.
struct ToldFact {
  PointerTarget Place;
  uint64_t Size;
  ConcreteType Type;
  FactRank Rank;
};

/// Summaries by function; null for one that is being analysed.
using SummaryTable = llvm::DenseMap<const llvm::Function *, std::shared_ptr<const GraphSummary>>;

/// The function with a body that a call surely enters; null otherwise.
const llvm::Function *bodyOfCallee(const llvm::CallBase &Call);

/// Is \p V an integer that becomes a pointer?
bool isAddress(const llvm::Value &V, const llvm::DataLayout &DL);

/// Is \p V read to be counted up or down where it is, or the new count?
bool isCountedInPlace(const llvm::Value *V);

/// Is a double loaded only to be stored, of which the source does not say that it is one? A union
/// whose first member is a double is one to LLVM, whatever it holds.
bool movesUntoldDouble(const llvm::LoadInst &Load, const llvm::DataLayout &DL);
/// The stores of such a double, by its tag one of a union, where a branch or select chooses first
/// what is stored; none if it is used in any other way, too.
llvm::SmallVector<const llvm::StoreInst *, 2> storesOfChosenDouble(const llvm::LoadInst &Load,
                                                                   const llvm::DataLayout &DL);

/// Which facts of its callers a function needs.
enum class AskedOfCallers : uint8_t { All, Floats, Disguises };

class GraphBuilder {
public:
  GraphBuilder(GraphSummary &S, const SummaryTable &Callees, const llvm::TargetLibraryInfo &TLI,
               const llvm::DataLayout &DL)
      : S(S), G(S.Graph), Callees(Callees), TLI(TLI), DL(DL) {}

  /// The function is built for what it knows as a caller, not to be differentiated itself.
  void buildOnBehalfOfCallee() { OnBehalfOfCallee = true; }
  /// For the function whose derivative is made: a copy of \p Original, which has the calls.
  void buildDifferentiated(const llvm::Function &Original) {
    IsDifferentiated = true;
    Called = &Original;
  }
  /// \p MoreFacts is called when the memory is known and before types are deduced.
  void build(llvm::ArrayRef<const llvm::Function *> Component,
             llvm::function_ref<void(GraphBuilder &)> MoreFacts = {});
  /// Facts about a parameter of \p Callee, the only function built here, or about its result, if
  /// there is no \p Parameter, from the graph of a function that calls it with what is at
  /// \p Passed, or finds its result there; those that are asked for.
  void addFactsOfCaller(const llvm::Function &Callee, std::optional<unsigned> Parameter,
                        PointerTarget Passed, const MemoryGraph &Caller, AskedOfCallers Asked);
  /// All calls of the function have been told of.
  void allCallersTold() { AllCallersTold = true; }
  /// Facts about the variables of \p F from debug information.
  void addDebugInfo(const llvm::Function &F);
  /// Is something copied, loaded or stored as an integer whose type is not known?
  bool leavesUnknown() const;
  bool handlesUnknownMemory() const;
  /// Is memory of others taken for integers only by how it is treated? They may know of floats.
  bool treatsForeignMemory() const;
  /// Does the source declare integers in memory of others? They may keep floats there.
  bool declaresForeignIntegers() const;
  /// Are pointers moved in memory of somebody else, and nothing seen here says that they are?
  bool guessesForeignPointers() const;
  bool guessesForeignIntegers() const;
  bool copiesForeignPointersByLook() const;
  /// Are integers in memory of somebody else taken for pointers, because pointers are there, too?
  bool movesForeignPointers() const;
  /// Are bytes moved from or to memory of somebody else, and taken for floats because floats are
  /// there, too?
  bool movesForeignFloats() const;
  /// Are doubles only moved in memory of somebody else, who may keep addresses there, too?
  bool movesForeignWords() const;

private:
  bool isRequest(const llvm::CallBase &Call) const;
  // GraphBuilder.cpp: pointers.
  void declareFunction(const llvm::Function &F);
  PointerTarget targetOf(const llvm::Value *V);
  unsigned globalNode(const llvm::GlobalVariable *GV);
  void linkInitializer(unsigned Node, const llvm::Constant *C, uint64_t Offset, unsigned &Budget);
  unsigned externalNode();
  bool visitAlloca(const llvm::AllocaInst &A);
  bool visitStep(const llvm::GEPOperator &GEP);
  /// What divides the difference of two pointers by where they lead; 1: nothing is known.
  uint64_t distanceByTargets(const llvm::Operator &Sub);
  bool visit(const llvm::Instruction &I);
  bool visitLoadLike(const llvm::Value &Result, const llvm::Value *Ptr, llvm::Type *T,
                     uint64_t ExtraStride, uint64_t Offset = 0);
  bool isElement(const llvm::Value &Access, PointerTarget Place);
  bool visitLoadAt(const llvm::Value &Result, PointerTarget Place, llvm::Type *T);
  bool visitStoreLike(const llvm::Instruction &By, const llvm::Value *Stored,
                      const llvm::Value *Ptr, uint64_t ExtraStride, uint64_t Offset = 0);
  bool visitStoreAt(const llvm::Instruction &By, const llvm::Value *Stored, PointerTarget Place);
  /// The places of an access to a \p T by \p Ptr, one by one where it is one of two or, if
  /// \p Counted, one that a short loop counts: the cells between and behind them have nothing to do
  /// with it.
  llvm::SmallVector<PointerTarget, 4> chosenPlaces(const llvm::Value *Ptr, llvm::Type *T,
                                                   bool Counted);
  /// The memory that an address leads to of which \p Part is a part.
  PointerTarget wholeAddress(const llvm::Value *Part);
  bool visitIntegerArithmetic(const llvm::Instruction &I);
  /// Can \p V be no address, whatever else is where it is kept? A distance is none, nor a
  /// remainder, as of a hash, nor a product with a large odd number, nor what a known library
  /// function counts; what is aligned, (p + 15) / 16 * 16, is.
  bool isNumber(const llvm::Value &V) const;
  /// Is a number all that the calls of \p A's function, which are all seen, pass for \p A?
  bool isPassedNumbers(const llvm::Argument &A) const;
  bool returnsNumber(const llvm::Function &F, unsigned Number) const;
  void noteReturnedNumbers(const llvm::Function &F);
  bool joinOperands(const llvm::Instruction &I);

  // Releases.cpp: what a choice is for that is only released.
  bool isOnlyReleased(const llvm::Value &V);
  llvm::SmallVector<PointerTarget, 4> targetsOfReleased(const llvm::Value &V);
  bool copyCells(const CopyLink &Link, bool Backward);
  llvm::SmallVector<CopyLink, 2> copiesBy(const llvm::CallBase &Call, const GraphSummary &Callee);

  // GraphCalls.cpp: calls.
  bool visitCall(const llvm::CallBase &Call);
  bool visitIntrinsic(const llvm::IntrinsicInst &I, bool &Handled);
  bool visitComponentCall(const llvm::CallBase &Call, const GraphSummary::Interface &Callee);
  bool visitSummarizedCall(const llvm::CallBase &Call, const GraphSummary &Callee,
                           const GraphSummary::Interface &Interface);
  bool visitUnknownCall(const llvm::CallBase &Call);
  void importFacts(const llvm::CallBase &Call, const GraphSummary &Callee);
  void noteUnknownEffects(const llvm::CallBase &Call);
  void noteTransfer(const llvm::CallBase &Call, const GpuTransfer &Transfer);
  bool factsOfBody(const llvm::CallBase &Call, const llvm::Function &Body);
  void factsOfCall(const llvm::CallBase &Call);

  // FactsOfCallers.cpp
  void addDoubtsOfCaller(PointerTarget Here, PointerTarget There, const MemoryGraph &Caller);
  void settleToldFacts();

  void noteCopies();
  std::optional<llvm::SmallVector<CopyLink, 8>>
  linksByWayOf(llvm::ArrayRef<CopyLink> Direct,
               llvm::function_ref<bool(PointerTarget)> IsOwn) const;
  llvm::SmallVector<CopyLink, 8>
  numbersByWayOf(llvm::ArrayRef<CopyLink> Direct,
                 llvm::function_ref<bool(PointerTarget)> IsOwn) const;

  // IntegerMoves.cpp: integers that may be addresses.
  bool mayBeAddress(const llvm::Value *V) const;
  /// Is \p V, as large as an address, a number only by what the source calls it, or by what else is
  /// where it is kept?
  bool isNumberByName(const llvm::Value *V) const;
  /// Does \p Access, of memory at \p Place, move what the source names an integer, out of one of
  /// many elements, or of objects that are known together only?
  bool isNumberedInteger(const llvm::Value &Access, PointerTarget Place) const;
  /// The node in the caller of the callee's node \p Theirs.
  PointerTarget passedPlace(const llvm::CallBase &Call, PointerTarget Theirs) const;
  PointerTarget placeOfInteger(PointerTarget &Place);
  const GraphSummary::Interface *interfaceOf(const llvm::CallBase &Call) const;
  struct IntegerSource {
    PointerTarget Place;
    bool Integers = false; ///< See CopyLink.
  };
  llvm::SmallVector<IntegerSource, 2> sourcesOf(const llvm::Value *V, bool &MovesLanes);
  void noteIntegerMoves(llvm::function_ref<void(const CopyLink &)> Add);
  /// The operand or result \p V of a call is what \p Place holds.
  bool joinInteger(const llvm::Value *V, PointerTarget Place, bool Stored);

  // PointersForFloats.cpp: pointers that may be floats.
  void findMovedPointers();
  /// Is \p V an integer, or a pointer that may be something else?
  bool isMoved(const llvm::Value *V) const;
  struct PendingAccess;
  bool holdsBoth(const PendingAccess &A) const;
  bool isMovedAt(PointerTarget Place, uint64_t Size) const;
  void settlePointerMoves();

  /// Elements of a declared array that are noted one by one.
  static constexpr unsigned DeclaredBudget = 1024;

  // AccessFacts.cpp: what accesses say about bytes.
  void factsOf(const llvm::Instruction &I);
  ConcreteType typeInSource(const llvm::Instruction &I) const;
  bool isFloatOfRecord(const llvm::Instruction &I, llvm::Type *T);
  bool mayDisguise(const llvm::Instruction &I, PointerTarget Place, uint64_t Size) const;
  void accessFacts(const llvm::Instruction &I, const llvm::Value *Value, llvm::Type *T,
                   PointerTarget Place, bool Load, bool Store);
  void noteUntoldMove(const llvm::Instruction &I, PointerTarget Place);
  void settleUntoldFloats();
  llvm::SmallVector<PointerTarget, 4> placesOf(const llvm::Value *Ptr, llvm::Type *T,
                                               bool Counted = false);
  void bulkTagFacts(const llvm::CallBase &Call, PointerTarget Place, uint64_t Size);
  void memberFacts(const llvm::Instruction &I, PointerTarget Place);
  void tagFacts(const llvm::Instruction &I, PointerTarget Place);
  bool factsOfIntrinsic(const llvm::IntrinsicInst &I);
  void outputOfMath(const OpView &View, const llvm::CallBase &Call, PointerTarget Place);
  std::optional<CopyLink> copyLinkOf(const llvm::CallBase &Call);

  // DeclaredFacts.cpp: what declarations say.
  void declaredFacts(llvm::Type *T, PointerTarget Place, bool Named, unsigned &Budget,
                     bool InUnion = false);
  void initializerFacts();

  // TypeDeduction.cpp: what integers and copies carry along.
  /// What facts values get their types from, in that order.
  enum class Trusted { Floats, Proven, All };
  void deduceTypes();
  void solveFacts(Trusted What);
  void carryAlongCopies();
  bool copyFacts(const CopyLink &Link);
  ConcreteType floatAt(const PendingAccess &A, Trusted What) const;
  bool declaresInteger(PointerTarget Place, uint64_t Size) const;
  bool hasOnlyIntegersInObject(const PendingAccess &A) const;
  bool isIntegerOfObject(const PendingAccess &A) const;
  bool isIntegerBesideElements(const PendingAccess &A) const;
  bool isIntegerMemberAmongOthers(const PendingAccess &A) const;
  bool isIntegerAmongPointers(const PendingAccess &A) const;
  bool hasOnlyNamedPointers(const PendingAccess &A) const;
  void noteCounts();
  bool solveIntegerAccess(PendingAccess &A, Trusted What);
  bool mayBePartOfFloat(PointerTarget Place, uint64_t Size) const;
  bool solvePartAccess(const PendingAccess &A, Trusted What);
  bool isDeclaredOtherwise(PointerTarget Place, uint64_t Size) const;
  bool isStatedInteger(PointerTarget Place) const;
  bool isMadeOfAddress(const llvm::Value &V);
  bool isUntoldUnion(const PendingAccess &A) const;
  void noteDisguises();
  void noteCastAddresses();
  void noteFloatsAmongPointers();
  void noteMixedCopy(const CopyLink &Link);
  void noteMixedElements(const CopyLink &Link);

  // SmallIntegers.cpp: integers in the place of a larger float.
  bool isSmallBesideDouble(PointerTarget Place, int64_t Size) const;
  void noteSmallIntegers();

  // FactsForCallers.cpp: what is said of memory of others.
  void noteTreatedMemory();
  void setAccessFlags();
  void findPieces(llvm::ArrayRef<const PendingAccess *> Parts);

  // PrivateMemory.cpp: which nodes callers may know of.
  void noteWhoseMemory(PointerTarget Here, PointerTarget There, const MemoryGraph &Caller);
  /// \p Callers: Are they others, too?
  llvm::SmallVector<bool> memoryOfOthers(bool Callers = true) const;
  void findPrivateMemory();
  void findMemoryOfCallers();
  void leavesByCopies(llvm::SmallVectorImpl<bool> &Reached) const;

  // SeedDebugInfo.cpp: what -g says of variables.
  void debugFacts(const llvm::DIType *T, PointerTarget Place, unsigned Depth, bool Certain = true);
  void pointeeFacts(const llvm::DIType *T, bool IsOne, PointerTarget Target, unsigned Depth,
                    const llvm::Value *Pointer = nullptr, bool Certain = true);

  // SeedHints.cpp: what the user states.
  void statements(const llvm::Function &F);
  void statedFacts(const llvm::Value &V, llvm::StringRef Text);
  void hintFacts(const llvm::CallBase &Call, TypeHint Hint);

  // IntegerEvidence.cpp: what uses of integers say.
  void scalarEvidence(const llvm::Instruction &I);
  void bitEvidence();
  llvm::DenseSet<const llvm::Value *> numbersOfObjects() const;
  bool isMadeOfBits(const llvm::Value *Returned) const;
  void noteKeptIntegers(const llvm::Function &F);
  void importKeptIntegers(const llvm::CallBase &Call);
  bool isBitOperation(const llvm::Instruction &I) const;
  bool mayReturnBits(const llvm::Instruction &I) const;

  struct PendingAccess {
    const llvm::Value *Value; ///< What is loaded or stored.
    PointerTarget Place;
    uint64_t Size;
    bool Load, Store;
    ConcreteType Named;       ///< By TBAA, see typeNamedBy.
    bool MayDisguise = false; ///< The source may call an integer what is a float here.
    bool SaysPointer = false; ///< The source does.
    bool SaysPointee = false; ///< And to what.
    bool IsMember = false;    ///< Of a record, by the same name.
    bool Settled = false;     ///< Its type was known before operations on bits were asked.
    uint64_t Step = 0;        ///< That of the address, where Place is one of several, too.
  };

  GraphSummary &S;
  MemoryGraph &G;
  const SummaryTable &Callees;
  const llvm::TargetLibraryInfo &TLI;
  const llvm::DataLayout &DL;
  bool FromSource = false;                ///< No part of it is a derivative.
  bool HasTags = false;                   ///< The source's types of memory are known by TBAA.
  bool OnBehalfOfCallee = false;          ///< See buildOnBehalfOfCallee.
  bool AllCallersTold = false;            ///< See allCallersTold.
  bool IsDifferentiated = false;          ///< See buildDifferentiated.
  const llvm::Function *Called = nullptr; ///< Of the function that is differentiated.
  std::optional<NamedBytes> BytesInSource;
  llvm::SmallVector<const llvm::Function *, 4> Component;
  unsigned Pass = 0;
  /// Where the nodes of a callee are in this graph, per call.
  using Instance = llvm::MapVector<unsigned, PointerTarget>;
  llvm::DenseMap<const llvm::CallBase *, Instance> Instances;
  llvm::SmallVector<PendingAccess, 16> IntegerAccesses; ///< And of pointers that are moved.
  llvm::DenseSet<const llvm::Value *> MovedPointers;
  llvm::DenseMap<const llvm::Value *, bool> OnlyReleased; ///< See Releases.cpp.
  llvm::SmallVector<ToldFact, 0> Told;                    ///< See FactsOfCallers.cpp.
  llvm::SmallVector<CopyLink, 4> Copies;
  llvm::SmallVector<CopyLink, 4> NumberMoves; ///< By callees, see IntegerMoves.cpp.
  llvm::SmallVector<CopyLink, 4> Fills;       ///< memset: To and Size.
  /// Single places of floats by the source, and floats of which it is not told, see
  /// AccessFacts.cpp.
  using FloatPlace = std::pair<PointerTarget, ConcreteType>;
  llvm::SmallVector<FloatPlace, 8> NamedFloats, UntoldFloats;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<TaggedRecords>> Records;
  llvm::SmallVector<PointerTarget, 8> UntoldAddresses; ///< The same.
  llvm::SmallVector<PointerTarget, 8> UntoldMoves;     ///< See movesUntoldDouble.
  llvm::SmallVector<unsigned, 4> BytesOfFloats;        ///< Nodes where pieces of floats are kept.
};

/// Moves \p Base as the GEP says; unknown indices give a stride.
PointerTarget stepBy(const llvm::GEPOperator &GEP, PointerTarget Base, const llvm::DataLayout &DL,
                     PointerDistance OfPointers = {});

/// What \p Size bytes behind \p Ptr hold by the declaration of the record, or array
/// of records, that they are part of; nothing when that does not tell of each byte.
std::optional<MemoryLayout> declaredLayout(const llvm::Value &Ptr, uint64_t Size,
                                           const llvm::DataLayout &DL);

/// What one \p Record of an array holds; nothing if it has no name, or a union is part of it.
std::optional<MemoryLayout> recordLayout(llvm::StructType &Record, const llvm::DataLayout &DL);

/// The places of \p Size bytes that \p GEP may point to: those of a small array in a record
/// one by one, otherwise \p Whole. \p Base: where the GEP starts. \p Counted: those that a short
/// loop counts one by one, too.
llvm::SmallVector<PointerTarget, 4> placesOfElement(const llvm::GEPOperator &GEP,
                                                    PointerTarget Base, PointerTarget Whole,
                                                    uint64_t Size, const llvm::DataLayout &DL,
                                                    bool Counted = false);

/// Is one of the indices of \p GEP one of two constants?
bool choosesPlace(const llvm::GEPOperator &GEP);
/// The addresses that \p Ptr is one of, if such a step is among them; else itself.
llvm::SmallVector<const llvm::Value *, 4> chosenAddresses(const llvm::Value &Ptr);

/// Does the source name what \p Access loads or stores an integer, by a tag?
bool isNamedInteger(const llvm::Value &Access, const llvm::DataLayout &DL);

/// A scalar that is loaded or stored as a part of a record: Offset bytes behind Ptr.
struct PartOfRecord {
  const llvm::Value *Ptr, *Value;
  uint64_t Offset;
};
/// Is \p V a loaded record of which only scalars are used?
bool isTakenApart(const llvm::Value &V);
/// What \p I takes out of a record that is loaded.
std::optional<PartOfRecord> partOfLoad(const llvm::Instruction &I, const llvm::DataLayout &DL);
/// Is \p I a step of putting together a record that is stored, and nothing else?
bool isOnlyStored(const llvm::Instruction &I);
/// The parts that \p S stores; none if it does not store such a record.
llvm::SmallVector<PartOfRecord, 8> partsOfStore(const llvm::StoreInst &S,
                                                const llvm::DataLayout &DL);

/// Facts from one TBAA access tag: calls \p Note(offset from the access, size,
/// type, rank) for each.
using TagFactSink = llvm::function_ref<void(int64_t, uint64_t, ConcreteType, FactRank)>;
void readAccessTag(const llvm::MDNode *Tag, uint64_t AccessSize, const llvm::DataLayout &DL,
                   TagFactSink Note);
/// "p1 double", "p2 _ZTS6Record", "vtable pointer": the pointers that \p Tag names, as they do not
/// alias those of other names; empty if it names none in particular.
llvm::StringRef pointerNamedBy(const llvm::MDNode *Tag);
/// "p2 double": after Depth loads there are elements of this type.
struct PointeeTag {
  unsigned Depth;
  ConcreteType Type;
  uint64_t Size;
};
std::optional<PointeeTag> pointeeOfTag(const llvm::MDNode *Tag, const llvm::DataLayout &DL);
/// "p1 _ZTS6Record": the name of what a pointer with this tag leads to; else empty.
llvm::StringRef pointeeRecordOfTag(const llvm::MDNode *Tag);
/// The records that \p Tag names, by their names.
void recordsOfTag(const llvm::MDNode *Tag,
                  llvm::function_ref<void(llvm::StringRef, const llvm::MDNode &)> Note);
/// The record of which \p Tag names a member, and how far behind its start that is; null for none.
const llvm::MDNode *recordOfTag(const llvm::MDNode *Tag, int64_t &Offset);
/// Calls \p Note(offset, size, type) for each member of a record of alias metadata; of an array for
/// its first element only. What may hold anything is one byte of unknown type.
using MemberSink = llvm::function_ref<void(int64_t, uint64_t, ConcreteType)>;
void readRecord(const llvm::MDNode &Record, const llvm::DataLayout &DL, MemberSink Note);
/// Facts from !tbaa.struct, with offsets from the start of the copy.
void readStructTag(const llvm::MDNode *Tag, uint64_t Length, const llvm::DataLayout &DL,
                   TagFactSink Note);

/// Bytes of one element of \p Scalar in an array.
uint64_t floatSize(const llvm::Type *Scalar, const llvm::DataLayout &DL);

} // namespace isozyme

#endif
