//===- Mutants.cpp - Modules changed at random, and what comes of them ----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In: modules and a seed. Out: a valid mutant, and what Isozyme did with it.
// Never: judges numbers; a mutant is not run.
//
//===----------------------------------------------------------------------===//
#include "Mutants.h"
#include "isozyme/Driver/Pipeline.h"
#include "isozyme/Support/Options.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/FuzzMutate/IRMutator.h"
#include "llvm/FuzzMutate/RandomIRBuilder.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace irfuzz {

namespace {
constexpr size_t LargestModule = 900; // Instructions, blocks and functions.
constexpr size_t Growth = 60;

unsigned draw(std::mt19937 &Random, size_t Below) { return unsigned(Random() % Below); }

bool isMarker(const Function &F) { return F.getName().contains("__enzyme_"); }

/// Takes diagnostics in place of printing them.
struct Listener : DiagnosticHandler {
  Outcome &Result;
  explicit Listener(Outcome &Result) : Result(Result) {}
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() != DS_Error)
      return true;
    ++Result.Errors;
    std::string Text;
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    if (Text.find("IZ9") != std::string::npos)
      Result.Internal = Text;
    return true;
  }
};

/// Changes the arguments of a call that asks for a derivative, as a user would who is wrong.
class CallStrategy : public IRMutationStrategy {
public:
  uint64_t getWeight(size_t, size_t, uint64_t) override { return 8; }
  void mutate(Module &M, RandomIRBuilder &IB) override {
    SmallVector<CallInst *, 16> Calls;
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallInst>(&I);
            Call && Call->getCalledFunction() && isMarker(*Call->getCalledFunction()))
          Calls.push_back(Call);
    if (!Calls.empty())
      change(*Calls[draw(IB.Rand, Calls.size())], IB);
  }
  using IRMutationStrategy::mutate;

private:
  static void change(CallInst &Call, RandomIRBuilder &IB);
};

/// Puts a constant, or another value of the same type, in the place of an operand.
class OperandStrategy : public IRMutationStrategy {
public:
  uint64_t getWeight(size_t, size_t, uint64_t) override { return 6; }
  void mutate(Instruction &I, RandomIRBuilder &IB) override;
  using IRMutationStrategy::mutate;
};
} // namespace

void CallStrategy::change(CallInst &Call, RandomIRBuilder &IB) {
  if (!Call.getFunctionType()->isVarArg() || Call.arg_size() < 2)
    return;
  SmallVector<Value *, 16> Args(Call.args());
  unsigned Fixed = Call.getFunctionType()->getNumParams();
  size_t Free = Args.size() - Fixed;
  Function *Caller = Call.getFunction();
  unsigned At = Fixed + (Free ? draw(IB.Rand, Free) : 0);
  static const char *const Words[] = {"enzyme_const", "enzyme_dup",   "enzyme_dupnoneed",
                                      "enzyme_out",   "enzyme_width", "enzyme_primal_return"};
  switch (draw(IB.Rand, 6)) {
  case 0:
    if (Free)
      Args.erase(Args.begin() + At);
    break;
  case 1:
    Args.insert(Args.begin() + At, Args[draw(IB.Rand, Args.size())]);
    break;
  case 2:
    if (Free)
      std::swap(Args[At], Args[Fixed + draw(IB.Rand, Free)]);
    break;
  case 3:
    Args.insert(Args.begin() + At,
                Caller->getParent()->getOrInsertGlobal(Words[draw(IB.Rand, std::size(Words))],
                                                       Type::getInt32Ty(Call.getContext())));
    break;
  case 4:
    if (!Caller->arg_empty())
      Args.insert(Args.begin() + At, Caller->getArg(draw(IB.Rand, Caller->arg_size())));
    break;
  default:
    for (Function &F : *Call.getModule())
      if (!F.isIntrinsic() && draw(IB.Rand, 3) == 0 && Args[0]->getType() == F.getType())
        Args[0] = &F;
  }
  CallInst *New = CallInst::Create(Call.getFunctionType(), Call.getCalledOperand(), Args, "",
                                   Call.getIterator());
  New->setDebugLoc(Call.getDebugLoc());
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

void OperandStrategy::mutate(Instruction &I, RandomIRBuilder &IB) {
  SmallVector<Use *, 8> Uses;
  for (Use &U : I.operands())
    if (!isa<BasicBlock>(U) && !U->getType()->isMetadataTy() && !U->getType()->isTokenTy() &&
        !U->getType()->isLabelTy() && !(isa<CallBase>(I) && cast<CallBase>(I).isCallee(&U)))
      Uses.push_back(&U);
  if (Uses.empty())
    return;
  Use &U = *Uses[draw(IB.Rand, Uses.size())];
  Type *T = U->getType();
  switch (draw(IB.Rand, 5)) {
  case 0:
    U.set(UndefValue::get(T));
    break;
  case 1:
    U.set(PoisonValue::get(T));
    break;
  case 2:
    U.set(Constant::getNullValue(T));
    break;
  case 3:
    if (T->isIntegerTy())
      U.set(ConstantInt::get(T, draw(IB.Rand, 2) ? -1 : draw(IB.Rand, 70)));
    else if (T->isFloatingPointTy())
      U.set(ConstantFP::get(T, draw(IB.Rand, 2) ? -0.0 : INFINITY));
    break;
  default:
    for (Argument &A : I.getFunction()->args())
      if (A.getType() == T && draw(IB.Rand, 2))
        U.set(&A);
  }
}

static IRMutator &mutator() {
  static IRMutator *Made = [] {
    std::vector<TypeGetter> Types = {
        Type::getInt1Ty,
        Type::getInt8Ty,
        Type::getInt32Ty,
        Type::getInt64Ty,
        Type::getFloatTy,
        Type::getDoubleTy,
        Type::getDoubleTy,
        [](LLVMContext &C) -> Type * { return PointerType::getUnqual(C); },
        [](LLVMContext &C) -> Type * { return FixedVectorType::get(Type::getDoubleTy(C), 2); },
        [](LLVMContext &C) -> Type * {
          return StructType::get(Type::getDoubleTy(C), Type::getInt64Ty(C));
        }};
    std::vector<std::unique_ptr<IRMutationStrategy>> Strategies;
    Strategies.push_back(std::make_unique<InjectorIRStrategy>());
    Strategies.push_back(std::make_unique<InstDeleterIRStrategy>());
    Strategies.push_back(std::make_unique<InstModificationIRStrategy>());
    Strategies.push_back(std::make_unique<InsertFunctionStrategy>());
    Strategies.push_back(std::make_unique<InsertCFGStrategy>());
    Strategies.push_back(std::make_unique<InsertPHIStrategy>());
    Strategies.push_back(std::make_unique<SinkInstructionStrategy>());
    Strategies.push_back(std::make_unique<ShuffleBlockStrategy>());
    Strategies.push_back(std::make_unique<CallStrategy>());
    Strategies.push_back(std::make_unique<OperandStrategy>());
    return new IRMutator(std::move(Types), std::move(Strategies));
  }();
  return *Made;
}

std::vector<Source> readCorpus(ArrayRef<std::string> Folders) {
  std::vector<std::string> Paths;
  for (const std::string &Folder : Folders) {
    std::error_code Error;
    for (sys::fs::recursive_directory_iterator I(Folder, Error), End; I != End && !Error;
         I.increment(Error))
      if (StringRef Path = I->path(); Path.ends_with(".ll") || Path.ends_with(".bc"))
        Paths.push_back(Path.str());
  }
  llvm::sort(Paths);
  std::vector<Source> Corpus;
  for (const std::string &Path : Paths) {
    LLVMContext Context;
    SMDiagnostic Ignored;
    std::unique_ptr<Module> M = parseIRFile(Path, Ignored, Context);
    if (!M || verifyModule(*M) || IRMutator::getModuleSize(*M) > LargestModule)
      continue;
    Source S;
    S.Name = Path;
    raw_svector_ostream OS(S.Bitcode);
    WriteBitcodeToFile(*M, OS);
    Corpus.push_back(std::move(S));
  }
  return Corpus;
}

void mutate(Module &M, std::mt19937 &Random) {
  unsigned Times = 1 + draw(Random, 2) * draw(Random, 8);
  for (unsigned I = 0; I < Times; ++I)
    mutator().mutateModule(M, int(Random()), IRMutator::getModuleSize(M) + Growth);
}

namespace {
/// Writes one function that asks for one derivative of another.
class Caller {
public:
  Caller(Function &F, std::mt19937 &Random)
      : F(F), M(*F.getParent()), C(F.getContext()), Random(Random) {}
  void write();

private:
  void add(StringRef Word) { Operands.push_back(M.getOrInsertGlobal(Word, Type::getInt32Ty(C))); }
  void addOperand(Argument &A);
  FunctionCallee marker(StringRef Name, Type *Result);
  Type *lanes(Type *T) { return Width == 1 ? T : ArrayType::get(T, Width); }

  Function &F;
  Module &M;
  LLVMContext &C;
  std::mt19937 &Random;
  enum { Reverse, Forward, Split } How = Reverse;
  unsigned Width = 1;
  SmallVector<Type *, 8> Gradients;
  SmallVector<Value *, 16> Operands;
  Function *Made = nullptr;
  unsigned Next = 0;
};
} // namespace

FunctionCallee Caller::marker(StringRef Name, Type *Result) {
  FunctionType *T = FunctionType::get(Result, {PointerType::getUnqual(C)}, true);
  Function *Marker = Function::Create(T, GlobalValue::ExternalLinkage, Name, M);
  return {T, Marker};
}

void Caller::addOperand(Argument &A) {
  Type *T = A.getType();
  bool Carries = T->isPointerTy() || T->isFPOrFPVectorTy();
  if (!Carries || draw(Random, 6) == 0) {
    add("enzyme_const");
    Operands.push_back(Made->getArg(Next++));
    return;
  }
  bool Out = How != Forward && !T->isPointerTy();
  add(Out ? "enzyme_out" : "enzyme_dup");
  Operands.push_back(Made->getArg(Next++));
  if (Out) {
    Gradients.push_back(lanes(T));
    return;
  }
  for (unsigned Lane = 0; Lane < Width; ++Lane)
    Operands.push_back(Made->getArg(Next++));
}

void Caller::write() {
  How = decltype(How)(draw(Random, 3));
  Width = draw(Random, 3) ? 1 : 1 + draw(Random, 3);
  SmallVector<Type *, 16> Params;
  for (Argument &A : F.args())
    Params.append(1 + Width, A.getType());
  Type *R = F.getReturnType();
  bool Seeded = R->isFPOrFPVectorTy();
  if (Seeded)
    Params.push_back(lanes(R));
  Made = Function::Create(FunctionType::get(Type::getVoidTy(C), Params, false),
                          GlobalValue::ExternalLinkage, "drive", M);
  IRBuilder<> B(BasicBlock::Create(C, "", Made));
  Operands.push_back(&F);
  if (Width > 1) {
    add("enzyme_width");
    Operands.push_back(B.getInt32(Width));
  }
  for (Argument &A : F.args())
    addOperand(A);
  Type *Result = Gradients.empty() ? B.getVoidTy() : StructType::get(C, Gradients);
  if (How == Forward) {
    Type *Tangent = Seeded ? lanes(R) : B.getVoidTy();
    B.CreateCall(marker("__enzyme_fwddiff", Tangent), Operands);
  } else if (How == Reverse) {
    B.CreateCall(marker("__enzyme_autodiff", Result), Operands);
  } else {
    Value *Tape = B.CreateCall(marker("__enzyme_augmentfwd", B.getPtrTy()), Operands);
    if (Seeded)
      Operands.push_back(Made->getArg(unsigned(Made->arg_size()) - 1));
    Operands.push_back(Tape);
    B.CreateCall(marker("__enzyme_reverse", Result), Operands);
  }
  B.CreateRetVoid();
}

void addCalls(Module &M, std::mt19937 &Random) {
  SmallVector<Function *, 16> Bodies;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.isVarArg() && F.arg_size() < 12)
      Bodies.push_back(&F);
  if (Bodies.empty())
    return;
  for (unsigned I = 0, E = 1 + draw(Random, 2); I < E; ++I)
    Caller(*Bodies[draw(Random, Bodies.size())], Random).write();
}

/// The verifier asks nothing of a landing pad's clauses; LLVM's reader does.
static bool hasValidClauses(const LandingPadInst &Pad) {
  for (unsigned I = 0; I < Pad.getNumClauses(); ++I)
    if (!isa<Constant>(Pad.getClause(I)))
      return false;
  return true;
}

bool isValid(const Module &M) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (auto *Pad = dyn_cast<LandingPadInst>(&I); Pad && !hasValidClauses(*Pad))
        return false;
  return !verifyModule(M);
}

std::unique_ptr<Module> makeMutant(ArrayRef<Source> Corpus, uint64_t Seed, LLVMContext &Context) {
  std::seed_seq Words{uint32_t(Seed), uint32_t(Seed >> 32)};
  std::mt19937 Random(Words);
  const Source &S = Corpus[draw(Random, Corpus.size())];
  auto M = parseBitcodeFile(MemoryBufferRef(StringRef(S.Bitcode.data(), S.Bitcode.size()), S.Name),
                            Context);
  if (!M) {
    consumeError(M.takeError());
    return nullptr;
  }
  mutate(**M, Random);
  bool Asks = any_of(**M, [](const Function &F) { return isMarker(F) && !F.use_empty(); });
  if (!Asks || draw(Random, 2))
    addCalls(**M, Random);
  if (!isValid(**M))
    return nullptr;
  return std::move(*M);
}

bool isOptimized(uint64_t Seed) { return Seed % 8 == 5; }

Outcome differentiate(Module &M, uint64_t Seed, bool Optimize) {
  Outcome Result;
  M.getContext().setDiagnosticHandler(std::make_unique<Listener>(Result));
  isozyme::Options O;
  O.VerifyEach = true;
  O.Keep = Seed % 4 == 1   ? isozyme::KeepPolicy::Cache
           : Seed % 4 == 2 ? isozyme::KeepPolicy::Recompute
                           : isozyme::KeepPolicy::Plan;
  isozyme::setOptions(O);
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  isozyme::registerIsozyme(PB, nullptr);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager MPM;
  cantFail(PB.parsePassPipeline(MPM, Optimize ? "autodiff" : "autodiff<no-cleanup>"));
  Result.Changed = !MPM.run(M, MAM).areAllPreserved();
  raw_string_ostream OS(Result.Broken);
  if (!verifyModule(M, &OS))
    Result.Broken.clear();
  else if (Result.Broken.empty())
    Result.Broken = "broken";
  return Result;
}

} // namespace irfuzz
