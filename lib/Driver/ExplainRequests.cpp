//===- ExplainRequests.cpp - Ask for what is to be explained --------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   define double @f(double %x, ptr %p)
// ->
//   define double @isozyme.explain.f(double %x, ptr %p, ptr %p.shadow) {
//     %r = call double @__enzyme_autodiff.explain.f(ptr @f, double %x, ptr %p, ptr %p.shadow)
//     ret double %r
//   }
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/ExplainRequests.h"
#include "isozyme/Explain/Explainer.h"
#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Support/Options.h"
#include "isozyme/Support/TypeContents.h"
#include "isozyme/Support/UserCode.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

static bool isMadeUp(const Function &F) { return F.getName().contains(ExplainPrefix); }

/// What a call without markers returns: gradients by value, or the tangent.
static Type *resultOf(const Function &F, ArrayRef<Type *> Gradients, bool Forward) {
  if (Forward)
    return isFloatLike(F.getReturnType()) || F.getReturnType()->isPointerTy()
               ? F.getReturnType()
               : Type::getVoidTy(F.getContext());
  if (Gradients.empty())
    return Type::getVoidTy(F.getContext());
  return Gradients.size() == 1 ? Gradients.front() : StructType::get(F.getContext(), Gradients);
}

static void addRequest(Function &F, bool Forward) {
  Module &M = *F.getParent();
  SmallVector<Type *, 8> Parameters, Gradients;
  for (const Argument &A : F.args()) {
    DiffMode Mode = Forward ? DiffMode::Forward : DiffMode::Reverse;
    // Of a result in memory, the call passes the shadow alone, if the sweep starts from it.
    if (A.hasStructRetAttr()) {
      if (!Forward && defaultActivity(A.getParamStructRetType(), Mode) != ArgActivity::Const)
        Parameters.push_back(A.getType());
      continue;
    }
    ArgActivity Activity = defaultActivity(A.getType(), Mode);
    bool HasShadow = Activity == ArgActivity::Dup;
    Parameters.append(HasShadow ? 2 : 1, A.getType());
    if (Activity == ArgActivity::Active)
      Gradients.push_back(A.getType());
  }
  Type *Result = resultOf(F, Gradients, Forward);
  std::string Suffix = (ExplainPrefix + F.getName()).str();
  auto *Caller = Function::Create(FunctionType::get(Result, Parameters, false),
                                  GlobalValue::ExternalLinkage, Suffix, M);
  // The optimiser leaves it alone: there is nothing to gain.
  Caller->addFnAttr(Attribute::NoInline);
  SmallVector<Type *, 8> Operands{PointerType::getUnqual(M.getContext())};
  append_range(Operands, Parameters);
  FunctionCallee Marker = M.getOrInsertFunction(
      std::string(Forward ? "__enzyme_fwddiff." : "__enzyme_autodiff.") + Suffix,
      FunctionType::get(Result, Operands, false));
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", Caller));
  SmallVector<Value *, 8> Arguments{&F};
  for (Argument &A : Caller->args())
    Arguments.push_back(&A);
  CallInst *Call = B.CreateCall(Marker, Arguments);
  if (Result->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

/// "; did you mean 'f' or 'g'?"
static std::string nearNames(const Module &M, StringRef Name) {
  SmallVector<std::pair<unsigned, std::string>, 16> Known;
  std::string All;
  unsigned Count = 0;
  for (const Function &F : M) {
    if (F.isDeclaration() || isMadeUp(F))
      continue;
    std::string Qualified = qualifiedNames(F).front();
    StringRef Short = Qualified;
    unsigned Distance = Name.edit_distance(Short);
    bool IsPart = Short.contains_insensitive(Name) || Name.contains_insensitive(Short);
    if (IsPart || Distance <= std::max<size_t>(2, Name.size() / 3))
      Known.push_back({IsPart ? 0 : Distance, Short.str()});
    if (++Count <= 6)
      All += (All.empty() ? " '" : ", '") + Short.str() + "'";
  }
  if (Known.empty())
    return Count ? "; it has" + All + (Count > 6 ? " and others" : "")
                 : "; it defines no function at all";
  llvm::sort(Known);
  Known.erase(llvm::unique(Known), Known.end());
  std::string Text = "; did you mean '" + Known[0].second + "'";
  for (unsigned N = 1; N < std::min<size_t>(Known.size(), 3); ++N)
    Text += " or '" + Known[N].second + "'";
  return Text + "?";
}

/// Is \p F code of a header that the user has not written, such as enzyme::detail::run?
static bool isInHeaderOfLibrary(const Function &F) {
  const DISubprogram *Source = F.getSubprogram();
  return Source ? isLibraryFile(Source->getFilename()) : isLibraryCode(F);
}

bool addExplainRequest(Module &M) {
  StringRef Name = options().ExplainFunction;
  if (Name.empty() || options().Explain.empty() || any_of(M, isMadeUp))
    return false;
  SmallVector<Function *, 2> Meant;
  for (Function &F : M)
    if (!F.isDeclaration() && isNamed(F, Name))
      Meant.push_back(&F);
  if (Meant.empty()) {
    M.getContext().emitError("no function '" + Name + "' in " + M.getSourceFileName() +
                             nearNames(M, Name) + " [" + diagnosticName(DiagId::NoSuchFunction) +
                             "]");
    return false;
  }
  // The user's own, where a function of a library has the same name.
  if (!all_of(Meant, [](const Function *F) { return isInHeaderOfLibrary(*F); }))
    erase_if(Meant, [](const Function *F) { return isInHeaderOfLibrary(*F); });
  for (Function *F : Meant)
    addRequest(*F, options().ExplainMode == "forward");
  return true;
}

void eraseExplainRequests(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (F.getName().starts_with(ExplainPrefix))
      F.eraseFromParent();
  for (Function &F : make_early_inc_range(M))
    if (isMadeUp(F) && F.isDeclaration() && F.use_empty())
      F.eraseFromParent();
}

PreservedAnalyses ExplainRequestPass::run(Module &M, ModuleAnalysisManager &) {
  if (LoadOptions)
    LoadOptions();
  return addExplainRequest(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace isozyme
