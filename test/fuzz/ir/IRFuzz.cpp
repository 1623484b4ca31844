//===- IRFuzz.cpp - Differentiates mutants until something breaks ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   ir-fuzz --corpus=DIR [--corpus=DIR ...] [--count=N] [--minutes=M] [--seed=S|fresh]
//           [--save=DIR] [--internal]
//   ir-fuzz --corpus=DIR --one=SEED        in this process, for a debugger
//
// Mutants are made and differentiated in a process of their own. One that dies, or that
// works on one mutant for too long, costs only that mutant: it is saved as DIR/SEED.ll,
// and another process goes on. Fails if there was such a mutant, or one whose derivatives
// are not valid IR. Errors that Isozyme reports are fine; --internal makes those that
// it takes for its own mistakes (IZ9xx) failures, too.
//
//===----------------------------------------------------------------------===//
#include "Mutants.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <map>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace irfuzz;
using Clock = std::chrono::steady_clock;

namespace {

constexpr uint64_t PerProcess = 3000;
constexpr double TooLong = 20; // Seconds of processor time.
constexpr rlim_t Memory = rlim_t(6) << 30;

struct Settings {
  std::vector<std::string> Folders;
  std::string Save = "ir-fuzz-failures";
  uint64_t Count = UINT64_MAX, Seed = 0;
  double Minutes = 0;
  bool Internal = false, One = false;
};

/// Shared with the process that works.
struct Progress {
  std::atomic<uint64_t> Seed, Mutating;
  std::atomic<uint64_t> Mutants, Invalid, Changed, Errors, Internal, Broken;
  char Text[400];
};

constexpr StringLiteral InvalidIR = "invalid IR: ";
enum ExitCode { Done = 0, FoundBroken = 3, FoundInternal = 4 };

class Fuzzer {
public:
  Fuzzer(const Settings &S, std::vector<Source> Corpus) : S(S), Corpus(std::move(Corpus)) {
    void *Memory =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    P = new (Memory) Progress();
  }
  int run();
  int one();

private:
  [[noreturn]] void work(uint64_t First, uint64_t Last);
  /// What became of the process; empty if all went well.
  std::string watch(pid_t Child);
  void save(uint64_t Seed);
  /// Some passes of LLVM make valid IR invalid, as where offsets wrap.
  bool isBrokenByLLVM(uint64_t Seed);
  bool timeIsUp() const {
    return S.Minutes > 0 && Clock::now() - Start > std::chrono::duration<double>(60 * S.Minutes);
  }

  const Settings &S;
  std::vector<Source> Corpus;
  Progress *P = nullptr;
  Clock::time_point Start = Clock::now();
};

void Fuzzer::work(uint64_t First, uint64_t Last) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // Nobody would see what is found.
  rlimit Limit{Memory, Memory};
  setrlimit(RLIMIT_AS, &Limit);
  rlimit NoCore{0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  for (uint64_t Seed = First; Seed < Last && !timeIsUp(); ++Seed) {
    P->Seed = Seed;
    P->Mutating = 1;
    LLVMContext Context;
    std::unique_ptr<Module> M = makeMutant(Corpus, Seed, Context);
    P->Mutating = 0;
    if (!M) {
      ++P->Invalid;
      continue;
    }
    ++P->Mutants;
    Outcome R = differentiate(*M, Seed, isOptimized(Seed));
    P->Changed += R.Changed;
    P->Errors += R.Errors != 0;
    P->Internal += !R.Internal.empty();
    std::string &Text = R.Broken.empty() ? R.Internal : R.Broken;
    snprintf(P->Text, sizeof P->Text, "%s", Text.c_str());
    if (!R.Broken.empty()) {
      ++P->Broken;
      _exit(FoundBroken);
    }
    if (S.Internal && !R.Internal.empty())
      _exit(FoundInternal);
  }
  _exit(Done);
}

/// In seconds, so far. Time of the clock also passes while other work has the processor.
static double processorTime(pid_t Process) {
  clockid_t Its;
  timespec Time{};
  if (!clock_getcpuclockid(Process, &Its))
    clock_gettime(Its, &Time);
  return double(Time.tv_sec) + double(Time.tv_nsec) / 1e9;
}

std::string Fuzzer::watch(pid_t Child) {
  uint64_t Seen = UINT64_MAX;
  double Since = 0;
  for (int Status = 0;;) {
    if (waitpid(Child, &Status, WNOHANG) == Child) {
      if (WIFSIGNALED(Status))
        return "dies of signal " + std::to_string(WTERMSIG(Status));
      if (WEXITSTATUS(Status) == FoundBroken)
        return (InvalidIR + P->Text).str();
      if (WEXITSTATUS(Status) == FoundInternal)
        return P->Text;
      return WEXITSTATUS(Status) == Done ? "" : "exits with " + std::to_string(WEXITSTATUS(Status));
    }
    uint64_t Now = P->Seed;
    if (Now != Seen) {
      Seen = Now;
      Since = processorTime(Child);
    } else if (processorTime(Child) - Since > TooLong) {
      kill(Child, SIGKILL);
      waitpid(Child, &Status, 0);
      return "takes too long";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void Fuzzer::save(uint64_t Seed) {
  sys::fs::create_directories(S.Save);
  LLVMContext Context;
  if (std::unique_ptr<Module> M = makeMutant(Corpus, Seed, Context)) {
    std::error_code Error;
    raw_fd_ostream OS(S.Save + "/" + std::to_string(Seed) + ".ll", Error);
    if (!Error)
      M->print(OS, nullptr);
  }
}

bool Fuzzer::isBrokenByLLVM(uint64_t Seed) {
  if (!isOptimized(Seed))
    return false;
  pid_t Child = fork();
  if (Child == 0) {
    LLVMContext Context;
    std::unique_ptr<Module> M = makeMutant(Corpus, Seed, Context);
    _exit(M && differentiate(*M, Seed, false).Broken.empty() ? Done : FoundBroken);
  }
  int Status = 0;
  return Child > 0 && waitpid(Child, &Status, 0) == Child && WIFEXITED(Status) &&
         WEXITSTATUS(Status) == Done;
}

int Fuzzer::run() {
  outs() << "first seed: " << S.Seed << ", " << Corpus.size() << " modules\n";
  outs().flush();
  uint64_t Mutators = 0, Passes = 0, Total = 0;
  uint64_t Last = S.Count == UINT64_MAX ? UINT64_MAX : S.Seed + S.Count;
  for (uint64_t Next = S.Seed; Next < Last && !timeIsUp();) {
    uint64_t End = std::min(Last, Next + PerProcess);
    pid_t Child = fork();
    if (Child < 0)
      return 1;
    if (Child == 0)
      work(Next, End);
    std::string What = watch(Child);
    if (What.empty()) {
      Next = End;
      continue;
    }
    uint64_t Seed = P->Seed;
    Next = Seed + 1;
    if (P->Mutating) {
      ++Mutators; // FuzzMutate or the verifier, not Isozyme.
      continue;
    }
    if (StringRef(What).starts_with(InvalidIR) && isBrokenByLLVM(Seed)) {
      ++Passes;
      outs() << "seed " << Seed << ": LLVM's own passes make it invalid\n";
      outs().flush();
      continue;
    }
    ++Total;
    outs() << "seed " << Seed << ": " << What << "\n  " << S.Save << "/" << Seed << ".ll\n";
    outs().flush();
    if (pid_t Saver = fork(); Saver == 0) {
      save(Seed);
      _exit(0);
    } else if (Saver > 0) {
      waitpid(Saver, nullptr, 0);
    }
  }
  double Seconds = std::chrono::duration<double>(Clock::now() - Start).count();
  outs() << P->Mutants.load() << " mutants in " << int(Seconds) << " s, "
         << int(double(P->Mutants) / std::max(Seconds, 0.1)) << " per second; " << P->Invalid.load()
         << " more were not valid IR, " << Mutators << " broke the mutator, " << Passes
         << " LLVM's passes\n"
         << P->Changed.load() << " changed, " << P->Errors.load() << " with errors, "
         << P->Internal.load() << " of them internal; " << Total << " failures\n";
  return Total != 0;
}

int Fuzzer::one() {
  LLVMContext Context;
  std::unique_ptr<Module> M = makeMutant(Corpus, S.Seed, Context);
  if (!M) {
    outs() << "not valid IR\n";
    return 0;
  }
  M->print(outs(), nullptr);
  Outcome R = differentiate(*M, S.Seed, isOptimized(S.Seed));
  outs() << "; " << R.Errors << " errors " << R.Internal << R.Broken << "\n";
  return !R.Broken.empty();
}

bool parse(int Argc, char **Argv, Settings &S) {
  for (int I = 1; I < Argc; ++I) {
    StringRef Arg = Argv[I];
    if (Arg.consume_front("--corpus="))
      S.Folders.push_back(Arg.str());
    else if (Arg.consume_front("--save="))
      S.Save = Arg.str();
    else if (Arg.consume_front("--count=")) {
      if (Arg.getAsInteger(10, S.Count))
        return false;
    } else if (Arg.consume_front("--minutes=")) {
      if (Arg.getAsDouble(S.Minutes))
        return false;
    } else if (Arg == "--seed=fresh")
      S.Seed = std::random_device()() * uint64_t(1000);
    else if (Arg.consume_front("--seed=")) {
      if (Arg.getAsInteger(10, S.Seed))
        return false;
    } else if (Arg.consume_front("--one=")) {
      S.One = true;
      if (Arg.getAsInteger(10, S.Seed))
        return false;
    } else if (Arg == "--internal")
      S.Internal = true;
    else
      return false;
  }
  return !S.Folders.empty();
}

} // namespace

int main(int Argc, char **Argv) {
  Settings S;
  if (!parse(Argc, Argv, S)) {
    errs() << "usage: ir-fuzz --corpus=DIR [--count=N] [--minutes=M] [--seed=S|fresh] [--save=DIR] "
              "[--internal] [--one=SEED]\n";
    return 2;
  }
  std::vector<Source> Corpus = readCorpus(S.Folders);
  if (Corpus.empty()) {
    errs() << "ir-fuzz: no modules\n";
    return 2;
  }
  Fuzzer F(S, std::move(Corpus));
  return S.One ? F.one() : F.run();
}
