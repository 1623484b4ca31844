//===- Derivatives.h - Every derivative of a module, once --------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns requests into functions and remembers them. Runs the stages in order,
// callees before callers. A request that fails leaves nothing behind.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_DRIVER_DERIVATIVES_H
#define ISOZYME_DRIVER_DERIVATIVES_H

#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Emit/Recording.h"
#include "isozyme/Emit/SplitEntries.h"
#include "isozyme/Needs/CalleeEffects.h"
#include "isozyme/Plan/Checkpoint/CheckpointPlan.h"
#include "isozyme/Plan/DerivativePlan.h"
#include "isozyme/Types/TypeAnalysis.h"
#include <functional>
#include <optional>

namespace isozyme {

class Explainer;
class PlanFile;

class Derivatives {
public:
  /// \p BeforeLink: a module to which the linker adds others.
  Derivatives(llvm::Module &M, llvm::FunctionAnalysisManager &FAM, bool BeforeLink = false)
      : M(M), FAM(FAM), BeforeLink(BeforeLink), Effects(FAM) {}

  /// The derivative function for a forward or combined reverse request.
  llvm::Expected<llvm::Function *> get(const DiffRequest &R);
  /// The same for what the user has not asked for: without warnings and remarks. \p Made:
  /// all functions that did not exist before.
  llvm::Expected<llvm::Function *> getQuietly(const DiffRequest &R,
                                              llvm::SmallVectorImpl<llvm::Function *> &Made);
  /// A half of a split derivative as users call it. \p Check is asked about the tape by
  /// value (null: it is empty); when it complains, nothing has been made.
  llvm::Expected<llvm::Function *> getHalf(const DiffRequest &R, TapeForm Form,
                                           llvm::function_ref<llvm::Error(llvm::Type *)> Check);
  /// What runs the function of \p R and returns its result, if any, and a record. Of
  /// the activities only DupNoNeed counts.
  llvm::Expected<llvm::Function *> getRecording(const DiffRequest &R);
  /// The derivative for a forward request, from a record that comes last and is kept or
  /// released. \p Check is told whether anything is read from it; when it complains,
  /// nothing has been made.
  llvm::Expected<llvm::Function *> getReplay(const DiffRequest &R, bool Keep,
                                             llvm::function_ref<llvm::Error(bool)> Check);
  /// Plans the recording of \p F and hands the plan to \p Look (for printers).
  llvm::Error inspectRecord(llvm::Function &F, llvm::function_ref<void(const RecordPlan &)> Look);
  /// Every plan of a loop that is run in parts is handed to \p Look as well (for printers).
  void lookAtCheckpoints(std::function<void(const CheckpointPlan &)> Look) {
    LookAtParts = std::move(Look);
  }
  /// Plans a reverse request, hands the plan to \p Look, and leaves the module as
  /// it was (for printers).
  llvm::Error inspectPlan(const DiffRequest &R,
                          llvm::function_ref<void(const DerivativePlan &)> Look);
  /// The same of a forward request.
  llvm::Error inspectForward(const DiffRequest &R,
                             llvm::function_ref<void(const ForwardPlan &)> Look);

  /// Everything that is decided from now on is told to \p E as well.
  void explainTo(Explainer *E) { Explain = E; }
  /// \p File overrides decisions of plans, and notes plans.
  void planWith(PlanFile *File) { Plans = File; }
  const WatchReport &watched() const { return Watched; }

  /// To be called when a function has changed that others call.
  void forgetCallees() {
    Types.clear();
    Effects.clear();
  }

  /// What has been differentiated runs in its prepared form from now on. Nothing can be derived
  /// after it.
  void runPrepared();

private:
  /// What is known of a function whatever is asked of it.
  struct Source {
    std::unique_ptr<PreparedFunction> P;
    std::optional<TypeResult> Types;
  };
  /// What is known of one request.
  struct Analysis {
    const PreparedFunction *P;
    const TypeResult *Types;
    ActivityResult Activity;
    CallPlanSet Calls;
    UnreadMemory Unread;
    LateStores Late;
    std::unique_ptr<MemoryAvailability> Memory; ///< Of reverse derivatives.
  };
  struct Single {
    DiffRequest Request;
    llvm::Function *Fn;
  };
  struct Pair {
    DiffRequest Request;
    SplitPair Functions;
    std::unique_ptr<DerivativePlan> Plan;      ///< Null while in progress.
    llvm::Function *KeepingFromTape = nullptr; ///< A second half that keeps the tape, if made.
  };
  /// A half as users call it.
  struct Entry {
    DiffRequest Request;
    TapeForm Form;
    llvm::Function *Fn;
  };

  /// A forward derivative from a record.
  struct Replay {
    DiffRequest Request;
    llvm::Function *Fn;
    llvm::Function *StandIn; ///< Called in its place while callers are emitted.
  };

  /// What is done to global variables by a derivative: by itself, and by others.
  struct GlobalUse {
    DiffRequest Request;
    llvm::SmallVector<llvm::GlobalVariable *, 2> Own;
    llvm::SmallVector<DiffRequest, 4> Callees;
  };

  void noteGlobals(const DiffRequest &R, const Analysis &A);
  llvm::SmallVector<llvm::GlobalVariable *, 4> touchedGlobals(const DiffRequest &R) const;
  llvm::Function *withStart(llvm::Function &F, const DiffRequest &R);
  llvm::Expected<Source *> source(llvm::Function &F);
  llvm::Expected<Analysis> analyze(const DiffRequest &R);
  llvm::Error deriveCallees(const Analysis &A);
  llvm::Expected<llvm::Function *> derive(const DiffRequest &R);
  llvm::Error fill(llvm::Function &Shell, const DiffRequest &R);
  llvm::Error derivePair(const DiffRequest &R);
  llvm::Error fillByRule(llvm::Function &Shell, const DiffRequest &R);
  llvm::Error emitPair(Pair &Self);
  llvm::Error adoptPair(Pair &Self);
  llvm::Error cutPair(Pair &Self);
  llvm::Error deriveKeeping(Pair &Self);
  SplitPair halvesOf(const DiffRequest &R, bool KeepTape);
  llvm::Expected<llvm::Function *> deriveHalf(const DiffRequest &R, TapeForm Form,
                                              llvm::function_ref<llvm::Error(llvm::Type *)> Check);
  llvm::Function *declareCounter(llvm::Function &Primal);
  llvm::Expected<llvm::Function *> counterFor(const DerivativePlan &Plan,
                                              llvm::Function *Declared = nullptr,
                                              const SplitPair &Self = {});
  llvm::Error emitCounted(llvm::Function &Shell, const DerivativePlan &Plan);
  llvm::Error countInEntry(llvm::Function &Entry, const Pair &Self, TapeForm Form);
  /// Verifies and simplifies \p F, which is made for the derivative of \p Of.
  llvm::Error finish(llvm::Function &F, const llvm::Function &Of);
  bool putsOffReleases(const CallPlanSet &Calls);
  bool marksMemory(const DerivativePlan &Plan);
  llvm::Expected<std::unique_ptr<DerivativePlan>> planFrom(const DiffRequest &R, Analysis &A);
  bool hasCallees(const CallPlanSet &Calls);
  std::unique_ptr<DerivativePlan> planQuietly(const DiffRequest &R);
  std::unique_ptr<VersionPlan> rangesBehindReads(const DerivativePlan &Any, const Analysis &A);
  std::unique_ptr<VersionPlan> rangesBehindTables(const DerivativePlan &Any, VersionPlan &Before);
  void planVersions(DerivativePlan &Any, const Analysis &A);
  void eraseGiven(VersionPlan &V);
  void dropVersions(DerivativePlan &Any);
  void eraseCopy(llvm::Function &Copy);
  llvm::Error emitVersions(llvm::Function &Shell, const DerivativePlan &Any);
  llvm::Expected<std::unique_ptr<ForwardPlan>> forwardPlanFrom(const DiffRequest &R,
                                                               const Analysis &A, bool IsReplay);
  template <typename MakePlan, typename LookAt>
  llvm::Error inspect(const DiffRequest &R, MakePlan Make, LookAt Look);
  Pair *findPair(const DiffRequest &R);
  CalleeReads readsOf(const CallPlan &C);
  llvm::Function *declare(const DiffRequest &R, llvm::Type *Tape);
  bool mayReachItself(llvm::Function &F);
  llvm::Function *create(const llvm::Function &Like, llvm::FunctionType *T, const llvm::Twine &Name,
                         llvm::GlobalValue::LinkageTypes L = llvm::GlobalValue::InternalLinkage);
  llvm::Expected<llvm::Function *> recordingOf(llvm::Function &F, llvm::ArrayRef<ArgActivity> Args);
  llvm::Expected<Replay> replayOf(const DiffRequest &R);
  bool keepsNothing(llvm::Function &F);
  bool readsRecord(llvm::Function &F);
  RecordPlan recordPlan(const Source &S);
  void eraseStandIns();
  struct Mark {
    size_t Functions, Singles, Pairs, Entries, Recordings, Replays;
  };
  Mark mark() const {
    return {Created.size(), Singles.size(),    Pairs.size(),
            Entries.size(), Recordings.size(), Replays.size()};
  }
  void rollBack(const Mark &To);
  llvm::Error verify(const llvm::Function &F, const llvm::Function &Of, llvm::StringRef Stage);

  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  Explainer *Explain = nullptr;
  PlanFile *Plans = nullptr;
  WatchReport Watched;
  const bool BeforeLink;
  std::function<void(const CheckpointPlan &)> LookAtParts;
  /// While the derivative of a part is made: the plan of the loop.
  CheckpointPlan *Cutting = nullptr;
  bool IsQuiet = false;   ///< Nobody is told what is found out.
  bool IsVersion = false; ///< What is planned is a version of something else.
  TypeSummaries Types;    ///< Of functions that are called.
  CalleeEffects Effects;
  llvm::MapVector<llvm::Function *, std::unique_ptr<Source>> Sources;
  llvm::SmallVector<Single, 8> Singles;
  llvm::SmallVector<std::unique_ptr<Pair>, 8> Pairs;
  llvm::SmallVector<Entry, 4> Entries;
  /// What runs a function and makes a record. Args: Const, or DupNoNeed where nobody needs
  /// the memory.
  struct Recording {
    llvm::Function *Of;
    llvm::SmallVector<ArgActivity, 8> Args;
    llvm::Function *Fn;
  };
  llvm::SmallVector<Recording, 4> Recordings, RecordingEntries;
  llvm::SmallVector<Replay, 4> Replays;
  llvm::DenseMap<const llvm::Function *, bool> RecordFree; ///< See keepsNothing.
  llvm::SmallVector<GlobalUse, 8> GlobalUses;
  llvm::DenseMap<const llvm::Function *, llvm::Function *> Starts; ///< See withStart.
  llvm::SmallVector<llvm::Function *, 8> Created;
};

} // namespace isozyme

#endif
