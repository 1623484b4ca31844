//===- MemoryGraph.h - Which memory a pointer may point to -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flow-insensitive points-to graph of one function, in which the effects of
// the functions it calls are already included. Two pointers that may reach the
// same memory have the same node; the exceptions are the promises of AD: two
// arguments, or an argument and a global variable, are different memory unless
// the function itself mixes them.
//
// A node holds, by byte offset, what is stored there: pointers (cells: they
// lead to other nodes) and typed bytes (facts). Facts remember which object they are about,
// where a pointer leads to one alone. Merging nodes only ever loses
// precision, so the graph is built by joins alone and ends.
//
// Where two places become one, their nodes are merged place on place: the one object is
// displaced against the other, and what lies around the places is not mixed more than they
// are. All offsets of a node are those of its representative.
//
// A place among others in steps is often known to lie behind a first one, v[i] for an i that is
// not negative: what stands before an array in a record is none of its elements.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TYPES_MEMORYGRAPH_H
#define ISOZYME_TYPES_MEMORYGRAPH_H

#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

namespace llvm {
class CallBase;
} // namespace llvm

namespace isozyme {

/// The places Offset + k * Stride (k unknown, or not negative if Onward) of a node; Stride 0:
/// one place.
struct PointerTarget {
  static constexpr unsigned None = ~0u;
  unsigned Node = None; ///< None: points to no memory (null, undef, not a pointer).
  int64_t Offset = 0;
  uint64_t Stride = 0;
  /// The number of the one object that this can be a place of, of those that the node
  /// stands for; 0: of any. A pointer from memory may lead to any.
  unsigned Object = 0;
  bool Onward = false;

  bool isValid() const { return Node != None; }
  bool operator==(const PointerTarget &) const = default;
  /// \p Steps: all steps of MoreStride go on from here, none back.
  PointerTarget plus(int64_t Bytes, uint64_t MoreStride = 0, bool Steps = false) const;
  /// The places that lie as far behind these as those of \p Other behind the start of its node.
  PointerTarget plus(PointerTarget Other) const {
    return plus(Other.Offset, Other.Stride, Other.Onward);
  }
  PointerTarget ofAnyObject() const { return {Node, Offset, Stride, 0, Onward}; }
  /// The same and, if they are in steps, all before them.
  PointerTarget backAndForth() const { return PointerTarget{Node, Offset, Stride, Object}.plus(0); }
  /// Is there a first of the places?
  bool hasFirst() const { return !Stride || Onward; }
};

/// How far the places \p To may lie behind the places \p From: At + k * Every, where k is
/// negative only if Down, and positive only if Up.
struct Distances {
  int64_t At;
  uint64_t Every;
  bool Down, Up;

  Distances(PointerTarget From, PointerTarget To);
  /// The least that is not below \p Least; nothing if all are.
  std::optional<int64_t> notBelow(int64_t Least) const;
  /// Is one of them from \p Begin to before \p End?
  bool meets(int64_t Begin, int64_t End) const {
    std::optional<int64_t> D = notBelow(Begin);
    return D && *D < End;
  }
};

/// How far a fact can be trusted, weakest first.
enum class FactRank : uint8_t {
  Disguise, ///< A float, or an address, where the source has, or may have, declared something else.
  Shape,    ///< An LLVM type that need not be the source's (i64 array, ...).
  Spread,   ///< True of some elements, carried to others by a copy.
  Treated,  ///< An integer, for operations on bits are done on it, and no float is known there.
  Stated,   ///< An integer by TBAA or debug info, if no bits of a float were copied there.
  Doubtful, ///< What a caller knows, of objects that may lie otherwise than this one.
  Declared, ///< A record or float type in the IR, TBAA or debug info.
  Member,   ///< An integer that is accessed as such a member of a record.
  Access    ///< The program reads or writes the bytes as this type.
};

/// Does the fact that something is an integer yield to one that it is a float?
constexpr bool yieldsToFloats(FactRank Rank) {
  return Rank == FactRank::Treated || Rank == FactRank::Stated;
}
/// Is what only the source says, which is void for some types where floats are in disguise?
constexpr bool isStatement(FactRank Rank) {
  return Rank != FactRank::Access && Rank != FactRank::Disguise;
}
/// True if only the IR type suggests an address.
inline bool isByLook(FactRank Rank, ConcreteType Type) {
  return Rank == FactRank::Treated && Type.kind() == ConcreteType::Pointer;
}
/// True for types that do not hold where floats are seen in disguise: integers and addresses.
inline bool isVoidInDisguise(ConcreteType Type) {
  return Type.kind() == ConcreteType::Integer || Type.kind() == ConcreteType::Pointer;
}
/// How far what the source states can be trusted.
inline FactRank rankOfStatement(ConcreteType Type) {
  return Type.kind() == ConcreteType::Integer ? FactRank::Stated : FactRank::Declared;
}

/// What is known of a place, or of all in steps of which the first is known, or none.
struct Fact : ConcreteType {
  std::optional<int64_t> First;
  /// An integer that one of several places holds, from any of which a copy brings it: it is not
  /// known that it is what comes.
  bool OfOne = false;
  Fact(ConcreteType::Kind Kind) : ConcreteType(Kind) {}
  Fact(ConcreteType T = {}, std::optional<int64_t> First = std::nullopt)
      : ConcreteType(T), First(First) {}
};

/// What the facts of a node say of some bytes.
struct PaintedRange {
  MemoryLayout Layout;
  bool AnyFloat = false;   ///< May some of the bytes be those of a float?
  bool AllPadding = false; ///< Are all declared to be between the members of a record?
};

/// Which facts count, to answer a question.
struct WhichFacts {
  bool Proven = false; ///< None that yields to floats.
  /// Of all elements of an array, no integer that is known of one of them: it may be a count that
  /// stands before numbers. Where it is only moved, nothing else tells of these.
  bool EachElement = false;
};

struct MemoryNode {
  struct Cell {
    PointerTarget Target;
    bool Loaded = false, Stored = false;
    bool Named = false;     ///< Something that accesses it names it a pointer.
    bool AsInteger = false; ///< Its address is moved as an integer, too.
    /// What the source calls that to which pointers here lead, "p1 double". By the rules of C,
    /// who accesses such a pointer does not access another, even where it is only known that both
    /// may be at this place. Empty: any pointer.
    llvm::StringRef Pointee = {};

    /// May the source name it an integer elsewhere? By the rules of C, not what it names a pointer.
    bool mayBeInteger() const { return AsInteger || !Named; }
  };
  using FactKey = std::tuple<uint64_t /*Stride*/, int64_t /*Offset*/, uint64_t /*Size*/, FactRank,
                             unsigned /*Object, see PointerTarget*/>;
  using FactMap = std::map<FactKey, Fact>;

  /// Arguments, allocas, allocation calls, global variables, in order found.
  llvm::SmallVector<const llvm::Value *, 2> Roots;
  bool External = false; ///< Includes memory that nothing seen here has made.
  /// What is done with the bytes: floats (or bytes of unknown type), pointers.
  bool ReadsData = false, WritesData = false, ReadsPointer = false, WritesPointer = false;
  bool Freed = false; ///< Released here, or by a callee.
  bool Tape = false;  ///< Made or released as memory of a tape (marking::TapeMemory).
  /// Given to code that cannot be seen: accessed in unknown ways.
  bool Opaque = false;
  /// Several objects, of which one may start in the middle of the other. A fact about an
  /// exact offset need not be true of each of them.
  bool Skewed = false;
  /// How far one of these may lie from where its offsets say: by multiples of this. 0: not at all.
  uint64_t SkewStep = 0;
  /// Was several nodes: what is known of one of its objects need not be true of another.
  bool Merged = false;
  /// The function makes it, and no other code sees it. Bytes without a fact do not matter here:
  /// they are padding, or the function only sets or copies them.
  bool Private = false;
  /// The same of callers, one of which made it: all that is ever done with its bytes is known here.
  bool ToldByCallers = false;
  bool MadeByCallers = false; ///< It is private memory of a caller,
  bool SeenByOthers = false;  ///< and of another caller, memory that may be anybody's.
  /// The function makes it, and no other code writes to it.
  bool WrittenHere = false;
  bool Disguises = false; ///< There are facts of that rank.
  /// Bytes of unknown type are moved from or to here.
  bool Raw = false;
  /// Doubles are only moved from or to here, and nothing says that they are no addresses.
  bool MovesWords = false;
  /// Parts of something larger may be stored here, of a type that is not known.
  bool Pieces = false;
  uint64_t ObjectSize = 0;  ///< Of an alloca or global that is alone here; else 0.
  uint64_t CellModulus = 0; ///< Cell offsets are known modulo this; 0: exactly.
  /// From here on, and exactly before; nothing: everywhere.
  std::optional<int64_t> CellStart;
  /// By offset and Cell::Pointee. Where there is one of any pointer, there is no other.
  using CellKey = std::pair<int64_t, llvm::StringRef>;
  std::map<CellKey, Cell> Cells;
  /// Unknown as a value means that facts contradict each other.
  FactMap Facts;
  /// The facts seen as those of an array of Period bytes per element; made when
  /// the graph is complete. Period 0: it is not known to be one.
  uint64_t Period = 0;
  FactMap PeriodicFacts;
  /// All that is known are floats of this size, each in its place: what lies at an unknown
  /// distance starts at one of them. 0: otherwise.
  uint64_t FloatSize = 0;
  /// Answers to questions about the facts: by place and size, flags of the node that they
  /// depend on, and whether only what is proven counts. Whoever changes facts clears them.
  using Question = std::tuple<int64_t, uint64_t, unsigned, uint64_t, unsigned>;
  mutable std::map<Question, PaintedRange> Answers;

  /// Do bytes without a fact not matter?
  bool isToldWhole() const { return Private || ToldByCallers; }

  /// Whatever is done with \p Other may be done here, too.
  void addUses(const MemoryNode &Other) {
    ReadsData |= Other.ReadsData;
    WritesData |= Other.WritesData;
    ReadsPointer |= Other.ReadsPointer;
    WritesPointer |= Other.WritesPointer;
    Freed |= Other.Freed;
    Tape |= Other.Tape;
    Opaque |= Other.Opaque;
    Skewed |= Other.Skewed;
    SkewStep = std::gcd(SkewStep, Other.SkewStep);
    Raw |= Other.Raw;
    MadeByCallers |= Other.MadeByCallers;
    SeenByOthers |= Other.SeenByOthers;
    MovesWords |= Other.MovesWords;
    Pieces |= Other.Pieces;
  }
};

/// Where the facts with this key are, in node \p Node.
PointerTarget placeOfFact(const MemoryNode::FactKey &Key, const Fact &Known, unsigned Node = 0);
/// The key of what is known of \p Place.
MemoryNode::FactKey keyOfFact(PointerTarget Place, uint64_t Size, FactRank Rank);

/// What anything at all that is known of eight bytes says that they may hold.
struct WordContent {
  static constexpr uint64_t Size = 8;
  bool Double = false;     ///< A double.
  bool Address = false;    ///< A pointer, or what is a float in one place and none in another.
  bool OtherFloat = false; ///< A float of another size, or a double that starts elsewhere.
  bool UpperFloat = false; ///< A float in the upper half.
  bool maybeDouble() const { return Double && !OtherFloat; }
  void add(WordContent Other) {
    Double |= Other.Double;
    Address |= Other.Address;
    OtherFloat |= Other.OtherFloat;
    UpperFloat |= Other.UpperFloat;
  }
  bool isEither() const { return maybeDouble() && Address; }
};

/// What a call may do to a node that it can reach.
struct CallEffect {
  unsigned Node;
  bool ReadsData, WritesData, ReadsPointer, WritesPointer;
};

class MemoryGraph {
public:
  /// The memory behind \p V, if it is or contains a pointer.
  PointerTarget targetOf(const llvm::Value *V) const;
  PointerTarget normal(PointerTarget T) const;
  unsigned find(unsigned Node) const;
  unsigned find(unsigned Node); ///< Shortens the way for the next time.
  /// Nodes that are their own representative are the ones that count.
  unsigned size() const { return Nodes.size(); }
  bool isRepresentative(unsigned N) const { return Parents[N] == N; }
  const MemoryNode &node(unsigned N) const { return Nodes[find(N)]; }
  /// Where the cell of \p Node is that has this key.
  PointerTarget placeOfCell(unsigned Node, const MemoryNode::CellKey &Key) const;
  /// Where a pointer leads that is read from \p Place by that name, see MemoryNode::Cell;
  /// invalid: nothing known, or by an empty name, that pointers of other names lead elsewhere.
  PointerTarget contentOf(PointerTarget Place, llvm::StringRef Pointee = {}) const;
  /// Where the pointers at \p Place lead, by any name.
  llvm::SmallVector<PointerTarget, 2> contentsOf(PointerTarget Place) const;
  /// Is an address stored to \p Place, as far as can be seen?
  bool isStored(PointerTarget Place) const;
  /// The number of what \p Root makes or stands for; 0: it is no such thing.
  unsigned objectOf(const llvm::Value *Root) const { return Objects.lookup(Root); }
  /// What a call (not of a recognised operation) may touch.
  llvm::ArrayRef<CallEffect> effectsOf(const llvm::CallBase *Call) const;
  /// What the bytes of \p Place hold, see TypeResult::layoutOf.
  MemoryLayout layoutOf(PointerTarget Place, uint64_t Size,
                        WhichFacts Which = {.EachElement = true}) const;
  /// What each element holds (or \p Size bytes of them, if not 0) of an array that starts at
  /// byte \p Start and that \p Place steps through: what is known of single places before it,
  /// or behind, does not concern it.
  MemoryLayout elementLayout(PointerTarget Place, int64_t Start, uint64_t Size) const;
  /// The one type of \p Size bytes at \p Place, or Unknown.
  ConcreteType typeAt(PointerTarget Place, uint64_t Size, WhichFacts Which = {}) const;
  /// The same, if no fact counts that yields to floats.
  ConcreteType provenTypeAt(PointerTarget Place, uint64_t Size, WhichFacts Which = {}) const;
  /// Does anything but a fact that yields to floats say that one may be there?
  bool mayBeFloat(PointerTarget Place, uint64_t Size) const;
  /// May a float, or a part of one if not \p Whole, or an address be there that is kept in what
  /// the source calls an integer?
  bool mayBeDisguised(PointerTarget Place, uint64_t Size, bool Whole = false) const;
  /// What the words of \p Size bytes may hold that are copied between \p Ends, or lie there,
  /// however little each fact is trusted: what is known of either end is true of what is moved.
  llvm::SmallVector<WordContent, 4> wordsOf(llvm::ArrayRef<PointerTarget> Ends,
                                            uint64_t Size) const;
  /// Are floats accessed, in steps that \p Unit is a multiple of, where \p L at \p Place has
  /// something else?
  bool hasOtherFloats(PointerTarget Place, uint64_t Unit, const MemoryLayout &L) const;
  /// Is it open what the bytes of a single place hold, if steps tell only of what lies onward?
  /// What goes back may go back to there, or not as far.
  bool isOnlyInSteps(PointerTarget Place, uint64_t Size) const;
  /// Does nothing but the shape of LLVM's types tell of some of the bytes?
  bool isByShape(PointerTarget Place, uint64_t Size) const;
  /// Is each of the bytes declared to be between the members of a record, and nothing else?
  bool isPadding(PointerTarget Place, uint64_t Size) const;

private:
  friend class GraphBuilder;
  WordContent wordAt(PointerTarget Place) const;
  unsigned addNode();
  /// The start of what \p Root, an alloca, allocation, argument or variable, leads to.
  PointerTarget startOf(const llvm::Value *Root, unsigned Node);
  bool setTarget(const llvm::Value *V, PointerTarget T); ///< Joins; true: changed.
  bool join(PointerTarget &Into, PointerTarget From);
  bool joinCell(PointerTarget Place, const MemoryNode::Cell &Access);
  bool joinOneCell(PointerTarget Place, const MemoryNode::Cell &Access);
  bool anyCellAt(PointerTarget Place, llvm::function_ref<bool(const MemoryNode::Cell &)> Is) const;
  /// May an element of an array that the source names an integer be an address at \p Place?
  bool mayHoldIntegers(PointerTarget Place) const;
  MemoryNode::Cell &cellAt(PointerTarget Place, llvm::StringRef Pointee, bool &Changed);
  MemoryNode::Cell &cellNamed(unsigned N, int64_t Offset, llvm::StringRef Pointee, bool &New);
  bool joinNames(PointerTarget Place);
  bool coarsenCells(unsigned N, uint64_t Modulus, std::optional<int64_t> Start);
  void putCell(unsigned N, int64_t Offset, MemoryNode::Cell Cell);
  void unify(unsigned A, unsigned B);
  void drain();
  void mergeAt(PointerTarget A, PointerTarget B);
  void mergeInto(unsigned To, unsigned From, int64_t Shift);
  void shortenAll();
  void findPeriods();
  const PaintedRange &painted(PointerTarget Place, uint64_t Size, WhichFacts Which = {}) const;
  MemoryLayout paintedFor(PointerTarget Place, uint64_t Size, WhichFacts Which = {}) const;
  void reachFrom(unsigned N, llvm::SmallVectorImpl<bool> &Reached) const;
  bool addFact(PointerTarget Place, uint64_t Size, const Fact &T, FactRank Rank);
  std::vector<MemoryNode> Nodes;
  std::vector<unsigned> Parents;
  /// Where byte 0 of a node is in its parent.
  std::vector<int64_t> Shifts;
  llvm::DenseMap<const llvm::Value *, PointerTarget> Targets;
  llvm::DenseMap<const llvm::Value *, unsigned> Objects;
  llvm::DenseMap<const llvm::CallBase *, llvm::SmallVector<CallEffect, 4>> Effects;
  /// Cells that have become one with others, which has to be seen to.
  llvm::SmallVector<std::pair<PointerTarget, MemoryNode::Cell>, 8> Pending;
};

} // namespace isozyme

#endif
