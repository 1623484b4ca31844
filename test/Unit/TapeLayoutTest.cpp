//===- TapeLayoutTest.cpp - Shapes and places of tape slots ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Tape/TapeLayout.h"
#include "PlanFixture.h"

using namespace llvm;
using namespace isozyme;

namespace {

class TapeLayoutTest : public PlanFixture {
protected:
  /// Two loops around each other; %inner and %outer are the numbers of iterations.
  void parseNest(StringRef Outer, StringRef Inner) {
    parse(("define void @f(ptr %p, i64 %n) {\n"
           "entry:\n"
           "  br label %row\n"
           "row:\n"
           "  %i = phi i64 [ 0, %entry ], [ %i.next, %row.end ]\n"
           "  br label %col\n"
           "col:\n"
           "  %j = phi i64 [ 0, %row ], [ %j.next, %col ]\n"
           "  %v = load volatile double, ptr %p\n"
           "  %j.next = add nuw nsw i64 %j, 1\n"
           "  %more = icmp ult i64 %j.next, " +
           Inner +
           "\n"
           "  br i1 %more, label %col, label %row.end\n"
           "row.end:\n"
           "  %w = load volatile double, ptr %p\n"
           "  %i.next = add nuw nsw i64 %i, 1\n"
           "  %again = icmp ult i64 %i.next, " +
           Outer +
           "\n"
           "  br i1 %again, label %row, label %done\n"
           "done:\n"
           "  ret void\n"
           "}")
              .str());
  }
  static bool mayChange(const LoadInst &, const Loop &) { return true; }
  Type *real() { return Type::getDoubleTy(Context); }
  const TapeRegion &regionOf(unsigned Slot) {
    return Layout.regions()[Layout.slots()[Slot].Region];
  }
  unsigned add(StringRef Name, StringRef Block, bool MayUseStack = true) {
    return Layout.add(prepared(), {value(Name), Part::Primal}, real(), loopOf(Block), MayUseStack,
                      mayChange);
  }

  TapeLayout Layout;
};

TEST_F(TapeLayoutTest, HasOneTopRegionAndNoTapeAtFirst) {
  EXPECT_TRUE(Layout.empty());
  EXPECT_EQ(Layout.regions().size(), 1u);
  EXPECT_EQ(Layout.tapeType(Context), nullptr);
}

TEST_F(TapeLayoutTest, PutsValuesOutsideLoopsInTheTopRegion) {
  parseNest("%n", "%n");
  unsigned Slot =
      Layout.add(prepared(), {value("v"), Part::Primal}, real(), nullptr, false, mayChange);
  EXPECT_EQ(Layout.slots()[Slot].Region, 0u);
  EXPECT_EQ(Layout.tapeType(Context), StructType::get(Context, ArrayRef<Type *>(real())));
  EXPECT_TRUE(Layout.loopsOf(Layout.slots()[Slot]).empty());
  EXPECT_EQ(Layout.sizeOf(prepared(), Layout.slots()[Slot]), "8 bytes");
}

TEST_F(TapeLayoutTest, GivesARectangularNestOneArray) {
  parseNest("%n", "%n");
  unsigned Slot = add("v", "col");
  const TapeRegion &R = regionOf(Slot);
  EXPECT_EQ(R.Shape, TapeShape::Array);
  EXPECT_EQ(R.Group.size(), 2u);
  EXPECT_EQ(R.Memory, TapeMemory::Heap);
  EXPECT_FALSE(R.KnownCount);
  // The tape of a split pair is the base address.
  EXPECT_EQ(Layout.slots()[R.BaseSlot].Region, 0u);
  EXPECT_EQ(Layout.tapeType(Context),
            StructType::get(Context, ArrayRef<Type *>(PointerType::get(Context, 0))));
}

TEST_F(TapeLayoutTest, GivesATriangularNestAnArrayPerOuterIteration) {
  parseNest("%n", "%i.next");
  unsigned Slot = add("v", "col");
  const TapeRegion &Inner = regionOf(Slot);
  ASSERT_EQ(Inner.Group.size(), 1u);
  EXPECT_EQ(Inner.Group[0], loopOf("col"));
  const TapeRegion &Outer = regionOf(Inner.BaseSlot);
  EXPECT_EQ(Outer.Shape, TapeShape::Array);
  EXPECT_EQ(Outer.Group[0], loopOf("row.end"));
  EXPECT_EQ(Layout.loopsOf(Layout.slots()[Slot]).size(), 2u);
}

TEST_F(TapeLayoutTest, PutsSmallConstantArraysOnTheStackOfOneFrameOnly) {
  parseNest("8", "16");
  unsigned Here = add("v", "col"), Split = add("v", "col", /*MayUseStack=*/false);
  EXPECT_EQ(regionOf(Here).KnownCount, std::optional<uint64_t>(128));
  EXPECT_EQ(regionOf(Here).Memory, TapeMemory::Stack);
  EXPECT_EQ(regionOf(Split).Memory, TapeMemory::Heap);
  EXPECT_EQ(Layout.sizeOf(prepared(), Layout.slots()[Here]), "8 bytes * 8 * 16");
}

TEST_F(TapeLayoutTest, PutsLargeConstantArraysOnTheHeap) {
  parseNest("8", "1000");
  EXPECT_EQ(regionOf(add("v", "col")).Memory, TapeMemory::Heap);
}

TEST_F(TapeLayoutTest, PutsArraysOfOneNestAndTypeInOneBlockOfTheThread) {
  parseNest("%n", "%i.next");
  Layout = TapeLayout(TapeMemory::Thread);
  unsigned V = add("v", "col"), W = add("w", "row.end"), Again = add("v", "col");
  unsigned Float = Layout.add(prepared(), {value("v"), Part::Primal}, Type::getFloatTy(Context),
                              loopOf("col"), true, mayChange);
  unsigned Block = Layout.slots()[V].Region;
  EXPECT_EQ(regionOf(V).SharedWith, -1);
  EXPECT_EQ(regionOf(Again).SharedWith, int(Block));
  EXPECT_EQ(regionOf(W).SharedWith, -1);     // Made at another place.
  EXPECT_EQ(regionOf(Float).SharedWith, -1); // Of another size.
  // Only the first one's address is kept.
  EXPECT_EQ(regionOf(Again).BaseSlot, -1);
  EXPECT_EQ(Layout.placeInBlock(Layout.slots()[Again].Region), 1u);
  EXPECT_EQ(Layout.sizeOf(prepared(), Layout.slots()[Again]),
            Layout.sizeOf(prepared(), Layout.slots()[V]));
  EXPECT_EQ(Layout.blockOf(Block), (SmallVector<unsigned, 4>{Block, Layout.slots()[Again].Region}));
  EXPECT_TRUE(Layout.blockOf(Layout.slots()[Again].Region).empty());
  // What is made once is not: nothing is saved.
  add("w", "row.end");
  EXPECT_EQ(regionOf(add("w", "row.end")).SharedWith, -1);
}

TEST_F(TapeLayoutTest, KeepsAddressesInBlocksOfSizesThatTakeSeveralTripCounts) {
  parseNest("%n", "%n");
  Layout = TapeLayout(TapeMemory::Thread);
  add("v", "col", /*MayUseStack=*/false);
  unsigned Again = add("v", "col", /*MayUseStack=*/false);
  EXPECT_GE(regionOf(Again).SharedWith, 0);
  EXPECT_GE(regionOf(Again).BaseSlot, 0);
}

TEST_F(TapeLayoutTest, KeepsNoAddressesInBlocksOfConstantSizes) {
  parseNest("30", "20");
  Layout = TapeLayout(TapeMemory::Thread);
  add("v", "col", /*MayUseStack=*/false);
  unsigned Again = add("v", "col", /*MayUseStack=*/false);
  EXPECT_GE(regionOf(Again).SharedWith, 0);
  EXPECT_EQ(regionOf(Again).BaseSlot, -1);
}

TEST_F(TapeLayoutTest, LeavesEachEndOfWhatMallocGives) {
  parseNest("%n", "%n");
  add("v", "col");
  EXPECT_EQ(regionOf(add("v", "col")).SharedWith, -1);
}

TEST_F(TapeLayoutTest, SharesTheRecordsOfAGrowableLoop) {
  parse(R"(
    define void @f(ptr %p) {
    entry:
      br label %loop
    loop:
      %v = load volatile double, ptr %p
      %w = load volatile double, ptr %p
      %more = fcmp olt double %v, 0.0
      br i1 %more, label %loop, label %done
    done:
      ret void
    })");
  unsigned V = add("v", "loop"), W = add("w", "loop");
  EXPECT_EQ(Layout.slots()[V].Region, Layout.slots()[W].Region);
  EXPECT_EQ(Layout.slots()[V].Field, 0u);
  EXPECT_EQ(Layout.slots()[W].Field, 1u);
  const TapeRegion &R = regionOf(V);
  EXPECT_EQ(R.Shape, TapeShape::Growable);
  EXPECT_EQ(Layout.recordType(R, Context), StructType::get(Context, {real(), real()}));
}

} // namespace
