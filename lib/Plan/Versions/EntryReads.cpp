//===- EntryReads.cpp - Words that are read before all else ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Plan/Versions/EntryReads.h"
#include "isozyme/Activity/ActivityResult.h"
#include "isozyme/Plan/Source/SourceText.h"
#include "isozyme/Prepare/PreparedFunction.h"
#include "isozyme/Support/DebugTypes.h"
#include "isozyme/Support/InternalCopy.h"
#include "isozyme/Types/TypeResult.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

/// More words are no handful of arrays.
static constexpr unsigned MostReads = 24;

namespace {

/// A place that a load reads, as it is known before the function runs.
struct Word {
  const Value *Base;
  int64_t Offset;
};

/// A structure in memory: where it begins, and its declared type.
using Object = std::tuple<const Value *, int64_t, const MDNode *>;

} // namespace

static Word wordAt(const Value *Ptr, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  Ptr = Ptr->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  return {Ptr, Offset.getSExtValue()};
}

SmallVector<EntryRead, 8> findEntryReads(const PreparedFunction &P, const DiffRequest &R,
                                         const TypeResult &Types, const ActivityResult &Activity) {
  const Function &F = P.function();
  const DataLayout &DL = F.getDataLayout();
  SourceText Names(P);
  SmallVector<EntryRead, 8> Reads;
  DenseMap<const Value *, unsigned> ParameterOf; // Of pointers that the copy is given.
  for (const Argument &A : F.args())
    ParameterOf[&A] = A.getArgNo();
  for (const BasicBlock *BB : ReversePostOrderTraversal<const Function *>(&F))
    for (const Instruction &I : *BB) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() || Reads.size() == MostReads)
        continue;
      Type *T = Load->getType();
      ConcreteType::Kind Kind = Types.typeOf(Load).kind();
      bool IsAddress = T->isPointerTy() && Activity.checkOf(Load) == ShadowCheck::None &&
                       !Activity.isOwnShadow(Load);
      bool IsCount = T->isIntegerTy() && Kind == ConcreteType::Integer;
      if ((!IsAddress && !IsCount) || Activity.isActiveValue(Load) > IsAddress)
        continue;
      Word W = wordAt(Load->getPointerOperand(), DL);
      auto Base = ParameterOf.find(W.Base);
      if (Base == ParameterOf.end())
        continue;
      unsigned Number = Base->second;
      auto *Known = find_if(Reads, [&](const EntryRead &Read) {
        return Read.Base == Number && Read.Offset == W.Offset && Read.Type == T;
      });
      if (Known == Reads.end()) {
        Reads.push_back({Number, W.Offset, T});
        Known = &Reads.back();
        if (P.original().getSubprogram())
          Known->Name = Names.address(Load, ""), Known->Declared = Names.declaredType(Load);
      }
      Known->HasShadow |= Activity.isActiveValue(Load);
      if (IsAddress)
        ParameterOf[Load] = F.arg_size() + (Known - Reads.begin());
    }
  // What has no shadow itself leads to none.
  for (EntryRead &Read : Reads)
    Read.HasShadow &= Read.Base < F.arg_size() ? R.hasShadow(Read.Base)
                                               : Reads[Read.Base - F.arg_size()].HasShadow;
  return Reads;
}

namespace {

/// Replaces loads in a function that has parameters for what they read.
class ReadReplacer {
public:
  ReadReplacer(Function &Copy, unsigned Own, ArrayRef<EntryRead> Reads)
      : Copy(Copy), Own(Own), Reads(Reads), Read(Reads.size()), Safe(Reads.size()) {}
  void run();
  bool isRead(unsigned N) const { return Read[N]; }
  bool isSafe(unsigned N) const { return Safe[N]; }

private:
  std::optional<unsigned> numberOf(const LoadInst &Load) const;
  bool isSureToRun(const Instruction &I) const;
  void findObjects();
  bool isInSureObject(const LoadInst &Load, Word W) const;

  Function &Copy;
  const unsigned Own;
  ArrayRef<EntryRead> Reads;
  SmallVector<bool, 8> Read, Safe;
  /// The instructions in front of this one run whenever the function does.
  const Instruction *FirstUnsure = nullptr;
  SmallPtrSet<const BasicBlock *, 4> SureBlocks;
  /// Those that are accessed whenever the function runs.
  SmallSet<Object, 4> Objects;
};

} // namespace

/// The structure that \p I accesses a member of, as its declared type says: where it begins.
static std::optional<Object> objectOf(const Instruction &I, Word W) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag || Tag->getNumOperands() < 3)
    return std::nullopt;
  auto *Type = dyn_cast_or_null<MDNode>(Tag->getOperand(0));
  auto *Offset = mdconst::dyn_extract_or_null<ConstantInt>(Tag->getOperand(2));
  if (!Type || !Offset || Type == Tag->getOperand(1))
    return std::nullopt;
  return Object(W.Base, W.Offset - Offset->getSExtValue(), Type);
}

/// From the beginning on, while nothing may leave the function or branch.
void ReadReplacer::findObjects() {
  const DataLayout &DL = Copy.getDataLayout();
  SureBlocks.clear();
  for (const BasicBlock *BB = &Copy.getEntryBlock(); BB && SureBlocks.insert(BB).second;
       BB = BB->getSingleSuccessor())
    for (const Instruction &I : *BB) {
      if (const Value *Ptr = getLoadStorePointerOperand(&I))
        if (auto Object = objectOf(I, wordAt(Ptr, DL)))
          Objects.insert(*Object);
      if (!isGuaranteedToTransferExecutionToSuccessor(&I)) {
        FirstUnsure = &I;
        return;
      }
    }
}

bool ReadReplacer::isSureToRun(const Instruction &I) const {
  if (!SureBlocks.contains(I.getParent()))
    return false;
  return !FirstUnsure || FirstUnsure->getParent() != I.getParent() || I.comesBefore(FirstUnsure) ||
         &I == FirstUnsure;
}

bool ReadReplacer::isInSureObject(const LoadInst &Load, Word W) const {
  auto Object = objectOf(Load, W);
  return Object && Objects.contains(*Object);
}

std::optional<unsigned> ReadReplacer::numberOf(const LoadInst &Load) const {
  Word W = wordAt(Load.getPointerOperand(), Copy.getDataLayout());
  auto *Base = dyn_cast<Argument>(W.Base);
  if (!Load.isSimple() || !Base)
    return std::nullopt;
  auto *Known = find_if(Reads, [&](const EntryRead &Each) {
    return Each.Base == Base->getArgNo() && Each.Offset == W.Offset && Each.Type == Load.getType();
  });
  if (Known == Reads.end())
    return std::nullopt;
  return Known - Reads.begin();
}

void ReadReplacer::run() {
  const DataLayout &DL = Copy.getDataLayout();
  SmallVector<LoadInst *, 16> Replaced;
  findObjects();
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&Copy))
    for (Instruction &I : *BB) {
      auto *Load = dyn_cast<LoadInst>(&I);
      std::optional<unsigned> N = Load ? numberOf(*Load) : std::nullopt;
      if (!N)
        continue;
      const Value *Ptr = Load->getPointerOperand();
      Word W = wordAt(Ptr, DL);
      Safe[*N] |= isSureToRun(*Load) || isInSureObject(*Load, W) ||
                  isDereferenceablePointer(Ptr, Load->getType(), DL,
                                           &*Copy.getEntryBlock().getFirstNonPHIOrDbg());
      Read[*N] = true;
      Load->replaceAllUsesWith(Copy.getArg(Own + *N));
      Replaced.push_back(Load);
      // Members of what an address leads to are found when it is a parameter.
      findObjects();
    }
  for (LoadInst *Load : Replaced)
    Load->eraseFromParent();
}

/// Remarks call the parameter what the source calls the word.
static void nameAsInSource(Argument &A, const EntryRead &Read) {
  DISubprogram *In = A.getParent()->getSubprogram();
  if (!In || Read.Name.empty())
    return;
  DIBuilder Debug(*A.getParent()->getParent(), /*AllowUnresolved=*/false, In->getUnit());
  unsigned Bits = A.getParent()->getDataLayout().getTypeSizeInBits(A.getType());
  auto *Type = const_cast<DIType *>(Read.Declared);
  if (A.getType()->isPointerTy() && !pointeeType(Type))
    Type = Debug.createPointerType(nullptr, Bits);
  else if (!Type)
    Type = Debug.createBasicType("int", Bits, dwarf::DW_ATE_signed);
  DILocalVariable *Variable =
      Debug.createAutoVariable(In, Read.Name, In->getFile(), In->getLine(), Type);
  Debug.insertDbgValueIntrinsic(&A, Variable, Debug.createExpression(),
                                DILocation::get(A.getContext(), In->getLine(), 0, In),
                                A.getParent()->getEntryBlock().getFirstNonPHIIt());
}

/// The same function with parameters more.
static Function *withParameters(Function &F, ArrayRef<EntryRead> Reads) {
  SmallVector<Type *, 16> Params(F.getFunctionType()->params());
  for (const EntryRead &Read : Reads)
    Params.push_back(Read.Type);
  auto *T = FunctionType::get(F.getReturnType(), Params, F.isVarArg());
  auto *Copy = Function::Create(T, GlobalValue::InternalLinkage, F.getAddressSpace(),
                                F.getName() + ".given", F.getParent());
  ValueToValueMapTy Map;
  for (auto [Old, New] : zip_first(F.args(), Copy->args())) {
    Map[&Old] = &New;
    New.setName(Old.getName());
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  becomeInternal(*Copy);
  for (auto [N, Read] : enumerate(Reads)) {
    Argument *Word = Copy->getArg(F.arg_size() + N);
    Word->setName(Copy->getArg(Read.Base)->getName() + "." + Twine(Read.Offset));
    nameAsInSource(*Word, Read);
  }
  return Copy;
}

Function *copyThatIsGiven(SmallVectorImpl<EntryRead> &Reads, Function &F) {
  const unsigned Own = F.arg_size();
  while (!Reads.empty()) {
    Function *Copy = withParameters(F, Reads);
    ReadReplacer Replacer(*Copy, Own, Reads);
    Replacer.run();
    unsigned First = 0;
    while (First < Reads.size() && Replacer.isRead(First) && Replacer.isSafe(First))
      ++First;
    if (First == Reads.size())
      return Copy;
    Copy->eraseFromParent();
    // What is behind an address that is not given is not given either.
    SmallVector<bool, 8> Stays(Reads.size());
    SmallVector<unsigned, 8> NewNumber(Reads.size());
    SmallVector<EntryRead, 8> Left;
    for (auto [N, Read] : enumerate(Reads)) {
      Stays[N] =
          Replacer.isRead(N) && Replacer.isSafe(N) && (Read.Base < Own || Stays[Read.Base - Own]);
      NewNumber[N] = Own + Left.size();
      if (!Stays[N])
        continue;
      Left.push_back(Read);
      if (Read.Base >= Own)
        Left.back().Base = NewNumber[Read.Base - Own];
    }
    Reads.assign(Left.begin(), Left.end());
  }
  return nullptr;
}

DiffRequest requestForCopy(const DiffRequest &R, Function &Copy, ArrayRef<EntryRead> Reads) {
  DiffRequest Given = R;
  Given.Fn = &Copy;
  auto append = [](SmallVectorImpl<bool> &Facts, bool Fact) {
    if (!Facts.empty())
      Facts.push_back(Fact);
  };
  for (const EntryRead &Read : Reads) {
    Given.Args.push_back(Read.HasShadow ? ArgActivity::Dup : ArgActivity::Const);
    append(Given.MayOverwrite, true);
    append(Given.Apart, false);
    append(Given.Fresh, false);
    append(Given.Unshared, false);
    if (!Given.Checks.empty())
      Given.Checks.push_back(ShadowCheck::None);
  }
  return Given;
}

} // namespace isozyme
