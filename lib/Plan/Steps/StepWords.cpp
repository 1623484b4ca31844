//===- StepWords.cpp - What steps are called in printed plans -------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Step.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace isozyme {

StringRef wordFor(TangentStep S) {
  switch (S) {
  case TangentStep::Nothing:
    return "nothing";
  case TangentStep::Zero:
    return "zero";
  case TangentStep::Rule:
    return "rule";
  case TangentStep::Mirror:
    return "mirror";
  case TangentStep::Unite:
    return "unite";
  case TangentStep::MoveAddress:
    return "move address";
  case TangentStep::MoveFloats:
    return "move floats";
  case TangentStep::Join:
    return "join";
  case TangentStep::Reduce:
    return "reduce";
  case TangentStep::Load:
    return "load";
  case TangentStep::MaskedLoad:
    return "masked load";
  case TangentStep::Store:
    return "store";
  case TangentStep::MaskedStore:
    return "masked store";
  case TangentStep::Atomic:
    return "atomic";
  case TangentStep::Copy:
    return "copy";
  case TangentStep::Clear:
    return "clear";
  case TangentStep::Release:
    return "release";
  case TangentStep::Call:
    return "call";
  case TangentStep::Stop:
    return "stop";
  case TangentStep::Return:
    return "return";
  }
  llvm_unreachable("complete switch");
}

StringRef wordFor(ShadowData D) {
  switch (D) {
  case ShadowData::Tangent:
    return "tangents";
  case ShadowData::Number:
    return "integers as they are";
  case ShadowData::Address:
    return "addresses as they are";
  case ShadowData::Companion:
    return "the shadow of a constant";
  case ShadowData::Zero:
    return "zeros";
  }
  llvm_unreachable("complete switch");
}

StringRef wordFor(SweepStep S) {
  switch (S) {
  case SweepStep::Nothing:
    return "nothing";
  case SweepStep::MakeShadow:
    return "make shadow";
  case SweepStep::LoadAddress:
    return "load address";
  case SweepStep::StoreAddress:
    return "store address";
  case SweepStep::CopyAddresses:
    return "copy addresses";
  case SweepStep::ClearAddresses:
    return "clear addresses";
  case SweepStep::Check:
    return "check";
  case SweepStep::Augment:
    return "augment";
  case SweepStep::LeaveOut:
    return "leave out";
  case SweepStep::ReleaseLater:
    return "release later";
  case SweepStep::Stop:
    return "stop";
  case SweepStep::Expect:
    return "expect the result";
  }
  llvm_unreachable("complete switch");
}

StringRef wordFor(AdjointStep S) {
  switch (S) {
  case AdjointStep::Nothing:
    return "nothing";
  case AdjointStep::Seed:
    return "seed";
  case AdjointStep::HandOn:
    return "hand on";
  case AdjointStep::Rule:
    return "rule";
  case AdjointStep::Pass:
    return "pass";
  case AdjointStep::Choose:
    return "choose";
  case AdjointStep::PutBack:
    return "put back";
  case AdjointStep::Load:
    return "load";
  case AdjointStep::Store:
    return "store";
  case AdjointStep::Atomic:
    return "atomic";
  case AdjointStep::Extremum:
    return "extremum";
  case AdjointStep::MaskedLoad:
    return "masked load";
  case AdjointStep::MaskedStore:
    return "masked store";
  case AdjointStep::Copy:
    return "copy";
  case AdjointStep::Clear:
    return "clear";
  case AdjointStep::Call:
    return "call";
  case AdjointStep::HandBack:
    return "hand back";
  case AdjointStep::Wait:
    return "wait";
  case AdjointStep::Release:
    return "release";
  case AdjointStep::ReleaseLocal:
    return "release local";
  case AdjointStep::ReleaseShadow:
    return "release shadow";
  }
  llvm_unreachable("complete switch");
}

StringRef wordFor(ShadowReach R) {
  switch (R) {
  case ShadowReach::None:
    return "none";
  case ShadowReach::Direct:
    return "direct";
  case ShadowReach::Compared:
    return "compared";
  case ShadowReach::Paged:
    return "paged";
  case ShadowReach::Stopped:
    return "stopped";
  }
  llvm_unreachable("complete switch");
}

StringRef wordFor(AdjointSum S) {
  switch (S) {
  case AdjointSum::Plain:
    return "plain";
  case AdjointSum::Atomic:
    return "atomic";
  case AdjointSum::PerWarp:
    return "once for a warp";
  case AdjointSum::PerThread:
    return "per thread";
  }
  llvm_unreachable("complete switch");
}

StringRef wordFor(StepReason R) {
  switch (R) {
  case StepReason::Obvious:
    return "";
  case StepReason::Declared:
    return "the memory may be declared constant";
  case StepReason::Undeclared:
    return "nobody may have made a shadow for the memory";
  case StepReason::TooLarge:
    return "nobody may have made a shadow for the memory, and it does not lie in one page";
  case StepReason::Overlap:
    return "nobody may have made a shadow for the memory, and the two sides may overlap";
  case StepReason::OtherThreads:
    return "other threads may add to it";
  case StepReason::OwnMemory:
    return "the thread's own memory";
  case StepReason::SameStore:
    return "other threads may store there, too";
  case StepReason::SameValue:
    return "one of the threads whose value stands there takes it";
  case StepReason::Promised:
    return "promised: no other thread touches it";
  }
  llvm_unreachable("complete switch");
}

} // namespace isozyme
