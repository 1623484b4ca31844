//===- WriteOrder.cpp - Do later writes go elsewhere? ---------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many loops write each element once, and read it only behind that:
//
//   for (i = 0..n-1) for (j = 0..i) {
//     for (k = 0..j-1) use(l[i*n + k]);       each later write has i' > i, or i' = i and j' >= j
//     l[i*n + j] = ...;
//   }
//
// A write comes after a read in the same iteration of all loops around both, if the code says so,
// or in a later one: then there is a loop whose counter is larger, and the counters of the loops
// around that one are equal. For each of these cases the distance of the two addresses is a
// polynomial of the counters, and has to be at least the size of an element.
//
// What wraps is the risk. The address on the far side has to be exact: operations without
// overflow, inside of the object. On the near side more is allowed than is there: an unsigned
// operation that wraps gives less than the polynomial, and so an address still farther away.
//
//===----------------------------------------------------------------------===//
#include "WriteOrder.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace isozyme {

/// Operations that an index consists of, at most.
constexpr unsigned MaxDepth = 12;
/// No loop runs so often. A counter plus a smaller constant thus does not overflow.
constexpr int64_t BeyondCounters = int64_t(1) << 62;
/// No loop runs so long: at a nanosecond each, these are two years.
constexpr int64_t MostIterations = int64_t(1) << 56;
/// Two addresses that are so far from an object, at most, are where they seem to be.
constexpr uint64_t MaxReach = uint64_t(1) << 61;

SmallVector<const Loop *, 4> WriteOrder::loopsAround(const Instruction &At) const {
  SmallVector<const Loop *, 4> Loops;
  for (const Loop *L = P.loops().getLoopFor(At.getParent()); L; L = L->getParentLoop())
    Loops.push_back(L);
  return Loops;
}

/// Is \p N a number, up to some counters? Then it is less than 2^64 away from any counter, and if
/// it is one modulo 2^64, it is that one.
static bool isNearANumber(const CounterPolynomial &N) {
  constexpr int64_t MostCounters = 16;
  unsigned Numbers = 0;
  for (Symbol S : N.symbols()) {
    std::optional<CounterPolynomial> Factor = N.factorOf(S);
    if (!Factor || !Factor->symbols().empty())
      return false;
    Numbers += S.K == Symbol::Number;
    if (std::abs(Factor->constant()) > (S.K == Symbol::Number ? 1 : MostCounters))
      return false;
  }
  return Numbers <= 1 && std::abs(N.constant()) < MostIterations;
}

WriteOrder::Integer WriteOrder::lastOf(const Loop *L) {
  auto [It, New] = Last.insert({L, std::nullopt}); // Unknown while it is being asked for.
  if (!New)
    return It->second;
  Value *Known = P.canonical(L).LastIV, *X;
  const Instruction &At = *L->getHeader()->getTerminator();
  const APInt *Moved;
  if (!Known)
    return std::nullopt;
  // It is a number that the counter comes to. So x - 1 does not overflow.
  if (match(Known, m_Add(m_Value(X), m_APInt(Moved))) && Moved->abs().ult(BeyondCounters)) {
    Integer N = exact(X, At);
    return Last[L] = N ? Integer(*N + CounterPolynomial(Moved->getSExtValue())) : std::nullopt;
  }
  Integer N = exact(Known, At);
  const bool IsOpaque = N && *N == CounterPolynomial(Symbol{Known, Symbol::Number});
  if ((!N || IsOpaque) && Known->getType()->isIntegerTy(64))
    if (Integer Modulo = congruent(*Known, At, 0); Modulo && isNearANumber(*Modulo))
      N = Modulo;
  return Last[L] = N;
}

/// LLVM walks to the beginning of the function for each question.
bool WriteOrder::isNaturalBefore(const Loop &L, const Value &Number) {
  auto [It, New] = NaturalBefore.try_emplace({&L, &Number}, false);
  if (New) {
    ScalarEvolution &SE = P.scalarEvolution();
    const SCEV *S = SE.getSCEV(const_cast<Value *>(&Number));
    It->second = SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_SGE, S, SE.getZero(S->getType()));
  }
  return It->second;
}

std::optional<int64_t> WriteOrder::guardedLeast(const Loop &L, const Value &Number) {
  auto [It, New] = GuardedLeast.try_emplace({&L, &Number});
  if (New) {
    ScalarEvolution &SE = P.scalarEvolution();
    const SCEV *S = SE.applyLoopGuards(SE.getSCEV(const_cast<Value *>(&Number)), &L);
    APInt Least = SE.getSignedRangeMin(S);
    if (Least.getBitWidth() <= 64 && Least.getSExtValue() > INT64_MIN / 2)
      It->second = Least.getSExtValue();
  }
  return It->second;
}

/// \p Running: loops with at least one iteration, whose last counters are not negative.
std::optional<int64_t> WriteOrder::leastOf(const Value *Number, ArrayRef<const Loop *> Running) {
  ScalarEvolution &SE = P.scalarEvolution();
  const SCEV *S = SE.getSCEV(const_cast<Value *>(Number));
  std::optional<int64_t> Least;
  auto atLeast = [&](int64_t Bound) { Least = Least ? std::max(*Least, Bound) : Bound; };
  APInt Range = SE.getSignedRangeMin(S);
  if (Range.getBitWidth() <= 64 && Range.getSExtValue() > INT64_MIN / 2)
    atLeast(Range.getSExtValue());
  if (Natural.contains(Number))
    atLeast(0);
  for (const Loop *L : Running) {
    int64_t Factor;
    Integer Known = lastOf(L);
    if (Known && Known->isLinearIn({Number, Symbol::Number}, Factor) && Factor == 1)
      atLeast(-Known->constant());
    // What leads to a loop leads to those in it, too.
    if (none_of(Running, [&](const Loop *M) { return M != L && L->contains(M); }))
      if (std::optional<int64_t> Guarded = guardedLeast(*L, *Number))
        atLeast(*Guarded);
    if (!L->getParentLoop() && (!Least || *Least < 0) && isNaturalBefore(*L, *Number))
      atLeast(0);
  }
  return Least;
}

bool WriteOrder::isNatural(const Integer &N, const Instruction &At) {
  return N && isNeverLess(*N, 0, At);
}

bool WriteOrder::isNeverLess(const CounterPolynomial &N, int64_t Bound, const Instruction &At) {
  SmallVector<const Loop *, 4> Around = loopsAround(At);
  SmallVector<Counted, 8> Domain;
  for (const Loop *L : Around) {
    Domain.push_back({{P.canonical(L).IV, Symbol::Counter}, {}});
    if (Integer Most = lastOf(L))
      Domain.back().Most.push_back(*Most);
  }
  return isAtLeast(N, Bound, Domain, [&](const Value *V) { return leastOf(V, Around); });
}

/// A counter that is moved by a constant, as in x[i - 1]?
static bool isCounter(const CounterPolynomial &N) {
  SmallVector<Symbol, 8> Symbols = N.symbols();
  int64_t Factor = 0;
  return Symbols.size() == 1 && Symbols[0].K == Symbol::Counter &&
         N.isLinearIn(Symbols[0], Factor) && Factor == 1 && std::abs(N.constant()) < MostIterations;
}

/// What \p I computes of \p A and \p B if it does not wrap.
static std::optional<CounterPolynomial> combined(const Instruction &I, const CounterPolynomial &A,
                                                 const CounterPolynomial &B) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Or:
    return A + B;
  case Instruction::Sub:
    return A - B;
  case Instruction::Mul:
    return A * B;
  case Instruction::Shl:
    if (auto *Bits = dyn_cast<ConstantInt>(I.getOperand(1)); Bits && Bits->getValue().ult(62))
      return A * CounterPolynomial(int64_t(1) << Bits->getZExtValue());
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Does \p I compute with integers modulo a power of two?
static bool isRingOperation(const Instruction &I) {
  auto *Disjoint = dyn_cast<PossiblyDisjointInst>(&I);
  return isa<BinaryOperator>(I) &&
         (isa<OverflowingBinaryOperator>(I) || (Disjoint && Disjoint->isDisjoint()));
}

WriteOrder::Integer WriteOrder::exactOperation(Instruction &I, const Instruction &At,
                                               unsigned Depth) {
  auto operand = [&](unsigned Number) { return exact(I.getOperand(Number), At, Depth + 1); };
  if (isa<SExtInst>(I))
    return operand(0);
  if (auto *Trunc = dyn_cast<TruncInst>(&I))
    return Trunc->hasNoSignedWrap() ? operand(0) : std::nullopt;
  if (isa<ZExtInst>(I)) {
    if (I.hasNonNeg() && !isa<Instruction>(I.getOperand(0)))
      Natural.insert(I.getOperand(0));
    Integer N = operand(0);
    return I.hasNonNeg() || isNatural(N, At) ? N : std::nullopt;
  }
  if (!isRingOperation(I))
    return std::nullopt;
  if (!isa<OverflowingBinaryOperator>(I) || I.hasNoSignedWrap()) {
    Integer A = operand(0), B = A ? operand(1) : std::nullopt;
    return B ? combined(I, *A, *B) : std::nullopt;
  }
  Integer N = congruent(I, At, Depth);
  if (N && I.getOpcode() == Instruction::Add && I.getType()->isIntegerTy(64) && isCounter(*N))
    if (Integer A = operand(isa<ConstantInt>(I.getOperand(0)) ? 1 : 0); A && isCounter(*A))
      return N;
  return N && fits(*N, I.getType()->getIntegerBitWidth(), At) ? N : std::nullopt;
}

WriteOrder::Integer WriteOrder::congruent(Value &V, const Instruction &At, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(&V);
  bool IsRing = I && isRingOperation(*I);
  if (Depth > MaxDepth || !I || (!IsRing && !isa<TruncInst>(I)) ||
      (isa<OverflowingBinaryOperator>(I) && I->hasNoSignedWrap()))
    return exact(&V, At, Depth);
  Integer A = congruent(*I->getOperand(0), At, Depth + 1);
  if (!A || !IsRing)
    return A;
  Integer B = congruent(*I->getOperand(1), At, Depth + 1);
  return B ? combined(*I, *A, *B) : std::nullopt;
}

WriteOrder::Integer WriteOrder::exact(Value *V, const Instruction &At, unsigned Depth) {
  if (!V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() > 64 || Depth > MaxDepth)
    return std::nullopt;
  if (auto *C = dyn_cast<ConstantInt>(V))
    return CounterPolynomial(C->getSExtValue());
  auto *I = dyn_cast<Instruction>(V);
  const Loop *In = I ? P.loops().getLoopFor(I->getParent()) : nullptr;
  if (In && P.canonical(In).IV == I)
    return In->contains(&At) ? Integer(CounterPolynomial({I, Symbol::Counter})) : std::nullopt;
  if (I)
    if (Integer N = exactOperation(*I, At, Depth))
      return N;
  // It runs once, and is the same wherever it is used; or once while all that is compared runs.
  bool IsFixed = !In || (Compared && In != Compared && In->contains(Compared));
  if (IsFixed && !isa<Constant>(V))
    return CounterPolynomial({V, Symbol::Number});
  return std::nullopt;
}

WriteOrder::Integer WriteOrder::most(Value *V, const Instruction &At, unsigned Depth) {
  if (Integer N = exact(V, At, Depth); isNatural(N, At))
    return N;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth || !I->getType()->isIntegerTy())
    return std::nullopt;
  auto operand = [&](unsigned Number) { return most(I->getOperand(Number), At, Depth + 1); };
  switch (I->getOpcode()) {
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::LShr:
  case Instruction::UDiv:
  case Instruction::URem:
    return operand(0);
  case Instruction::And:
    return isa<ConstantInt>(I->getOperand(1)) ? operand(0) : std::nullopt;
  case Instruction::Add:
  case Instruction::Mul:
  case Instruction::Or: {
    Integer A = operand(0), B = A ? operand(1) : std::nullopt;
    if (!B)
      return std::nullopt;
    return I->getOpcode() == Instruction::Mul ? *A * *B : *A + *B;
  }
  case Instruction::Shl:
    if (auto *Bits = dyn_cast<ConstantInt>(I->getOperand(1)); Bits && Bits->getValue().ult(62))
      if (Integer A = operand(0))
        return *A * CounterPolynomial(int64_t(1) << Bits->getZExtValue());
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// An index of 64 bits that was meant as it is computed: its last operation must not overflow.
static bool isMeant(const Value *Index) {
  auto *I = dyn_cast<OverflowingBinaryOperator>(Index);
  return I && I->hasNoSignedWrap() && I->getType()->isIntegerTy(64);
}

/// As a signed number \p Index, which is \p N, is at most that far from zero. No array is so long
/// that an index which counters and flags make were larger than any counter.
uint64_t WriteOrder::reachOf(Value *Index, const Integer &N) const {
  ScalarEvolution &SE = P.scalarEvolution();
  ConstantRange Range = SE.getSignedRange(SE.getSCEV(Index));
  uint64_t Most =
      APIntOps::umax(Range.getSignedMin().abs(), Range.getSignedMax().abs()).getLimitedValue();
  return N && (isCounter(*N) || isMeant(Index)) ? std::min(Most, uint64_t(MostIterations)) : Most;
}

WriteOrder::Offset WriteOrder::offsetOf(const Value *Ptr, const Value *Object,
                                        const Instruction &At) {
  const DataLayout &DL = At.getDataLayout();
  Offset Sum = {CounterPolynomial(0), CounterPolynomial(0)};
  bool StaysInside = true;
  uint64_t Reach = 0;
  auto add = [](Integer &To, const Integer &N, const CounterPolynomial &Times) {
    To = To && N ? Integer(*To + *N * Times) : std::nullopt;
  };
  for (; Ptr != Object; Ptr = cast<GEPOperator>(Ptr)->getPointerOperand()) {
    auto *GEP = dyn_cast<GEPOperator>(Ptr);
    unsigned Bits = GEP ? DL.getIndexTypeSizeInBits(GEP->getType()) : 0;
    SmallMapVector<Value *, APInt, 4> Indices;
    APInt Constant(64, 0);
    if (Bits != 64 || !GEP->collectOffset(DL, Bits, Indices, Constant))
      return {};
    StaysInside &= GEP->isInBounds();
    Reach = SaturatingAdd(Reach, Constant.abs().getZExtValue());
    if (Constant.isNegative())
      Sum.Most = std::nullopt;
    add(Sum.Exact, CounterPolynomial(Constant.getSExtValue()), CounterPolynomial(1));
    add(Sum.Most, CounterPolynomial(Constant.getSExtValue()), CounterPolynomial(1));
    for (auto &[Index, Scale] : Indices) {
      CounterPolynomial Times(Scale.getSExtValue());
      Integer N = exact(Index, At);
      Reach = SaturatingMultiplyAdd(reachOf(Index, N), Scale.abs().getZExtValue(), Reach);
      add(Sum.Exact, N, Times);
      // A narrow index is extended by its sign, which makes it less where it is negative.
      auto *Extended = dyn_cast<SExtInst>(Index);
      Value *Narrow = Extended ? Extended->getOperand(0) : Index;
      add(Sum.Most, Scale.isNegative() ? std::nullopt : most(Narrow, At), Times);
    }
  }
  // What may leave the object, between the two accesses or for good, must not come round to it.
  if (!StaysInside && Reach > MaxReach)
    Sum.Exact = std::nullopt;
  if (Sum.Exact)
    Sum.Most = Sum.Exact;
  return Sum;
}

/// Is there a way from the load to the store within one iteration of \p Common?
bool WriteOrder::followsInIteration(const StoreInst &S, const LoadInst &L,
                                    const Loop *Common) const {
  const BasicBlock *Here = L.getParent(), *There = S.getParent();
  if (Here == There)
    return P.numberOf(&L) < P.numberOf(&S);
  if (!Common)
    return true;
  BasicBlock *Next = Common->getHeader();
  if (There == Next)
    return false;
  SmallPtrSet<BasicBlock *, 1> EndsHere = {Next};
  auto leadsThere = [&](const BasicBlock *From) {
    return From != Next &&
           isPotentiallyReachable(From, There, &EndsHere, &P.dominators(), &P.loops());
  };
  return Here == Next ? any_of(successors(Here), leadsThere) : leadsThere(Here);
}

/// For all pairs in which the counter of \p Advances is larger when \p S runs; null: in which
/// all counters of loops around both are equal.
bool WriteOrder::isApart(const Instruction &S, const Instruction &L, const Offset &Read,
                         const Offset &Written, const Loop *Advances, Case Where) {
  SmallVector<const Loop *, 4> AroundRead = loopsAround(L), AroundWrite = loopsAround(S);
  auto isCommon = [&](const Loop *M) { return M->contains(&L) && M->contains(&S); };
  auto isFree = [&](const Loop *M) { // Nothing is known of the two counters of this loop.
    return !isCommon(M) || (Advances && Advances != M && Advances->contains(M));
  };
  auto counter = [&](const Loop *M, Symbol::Kind K) { return Symbol{P.canonical(M).IV, K}; };
  // The write's counters in terms of the read's, where there is a relation.
  auto related = [&](CounterPolynomial N) {
    N = N.with(Symbol::Counter, Symbol::Later);
    for (const Loop *M : AroundWrite) {
      CounterPolynomial Same(counter(M, Symbol::Counter));
      if (M == Advances)
        Same = Same + CounterPolynomial(1) + CounterPolynomial(counter(M, Symbol::Gap));
      if (!isFree(M))
        N = N.with(counter(M, Symbol::Later), Same);
    }
    return N;
  };
  SmallVector<Counted, 8> Domain;
  for (const Loop *M : AroundWrite)
    if (isFree(M))
      Domain.push_back({counter(M, Symbol::Later), map_to_vector<2>(mostOf(M, S), related)});
  for (const Loop *M : AroundRead) {
    Symbol Here = counter(M, Symbol::Counter);
    if (M == Where.L) {
      const CounterPolynomial Last = *lastOf(M);
      Domain.push_back({Here, {Where.IsLast ? Last : Last - CounterPolynomial(1)}, Where.IsLast});
      continue;
    }
    if (M != Advances) {
      Domain.push_back({Here, mostOf(M, L)});
      continue;
    }
    Domain.append({{counter(M, Symbol::Gap), {}}, {Here, {}}});
    if (Integer Last = lastOf(M)) {
      CounterPolynomial Most = *Last - CounterPolynomial(1); // There is an iteration behind it.
      Domain.end()[-2].Most.push_back(Most - CounterPolynomial(Here));
      Domain.back().Most.push_back(Most);
    }
  }
  SmallVector<const Loop *, 4> Running(AroundRead);
  append_range(Running, AroundWrite);
  auto isBehind = [&](const CounterPolynomial &Far, const CounterPolynomial &Near, Type *Size) {
    return isAtLeast(Far - Near, L.getDataLayout().getTypeStoreSize(Size).getFixedValue(), Domain,
                     [&](const Value *V) { return leastOf(V, Running); });
  };
  return (Written.Exact && Read.Most &&
          isBehind(related(*Written.Exact), *Read.Most, getLoadStoreType(&L))) ||
         (Read.Exact && Written.Most &&
          isBehind(*Read.Exact, related(*Written.Most), getLoadStoreType(&S)));
}

bool WriteOrder::writesElsewhere(const StoreInst &S, const LoadInst &L, const Value *Object) {
  if (!S.isSimple() || L.getType()->isScalableTy() ||
      S.getValueOperand()->getType()->isScalableTy())
    return false;
  Last.clear();
  Conditions.clear();
  Natural.clear(); // Both accesses run, so that what leads to them is no poison.
  Offset Read = offsetOf(L.getPointerOperand(), Object, L);
  Offset Written = offsetOf(S.getPointerOperand(), Object, S);
  const Loop *Common = P.loops().getLoopFor(L.getParent());
  while (Common && !Common->contains(&S))
    Common = Common->getParentLoop();
  if (followsInIteration(S, L, Common) && !isApart(S, L, Read, Written, nullptr))
    return false;
  for (const Loop *M = Common; M; M = M->getParentLoop())
    if (!isApart(S, L, Read, Written, M))
      return false;
  return true;
}

bool WriteOrder::areApart(const Instruction &A, const Instruction &B, const Value *Object,
                          const Loop &In) {
  if (getLoadStoreType(&A)->isScalableTy() || getLoadStoreType(&B)->isScalableTy())
    return false;
  Last.clear();
  Conditions.clear();
  Natural.clear();
  SaveAndRestore Within(Compared, &In);
  Offset OfA = offsetOf(getLoadStorePointerOperand(&A), Object, A);
  Offset OfB = offsetOf(getLoadStorePointerOperand(&B), Object, B);
  auto AreApart = [&](Case Where) {
    return isApart(A, B, OfB, OfA, &In, Where) && (&A == &B || isApart(B, A, OfA, OfB, &In, Where));
  };
  // Rows i and j of a triangle, where j comes to i: in its last iteration they are one row, and
  // otherwise one is behind the other.
  auto EndsAtCounter = [&](const Loop *M) {
    Integer Most = lastOf(M);
    return Most && any_of(Most->symbols(), [](Symbol S) { return S.K == Symbol::Counter; });
  };
  if (AreApart({nullptr, false}))
    return true;
  for (const Loop *M = In.getParentLoop(); M; M = M->getParentLoop())
    if (EndsAtCounter(M) && AreApart({M, true}) && AreApart({M, false}))
      return true;
  return false;
}

} // namespace isozyme
