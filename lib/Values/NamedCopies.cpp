//===- NamedCopies.cpp - Records that are passed by value -----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Values/NamedCopies.h"
#include "isozyme/Values/DeclaredRecords.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace isozyme {

namespace {

/// Alias metadata for the members of records, next to that which clang has written.
class MemberTags {
public:
  MemberTags(MDNode &Char, const DataLayout &DL) : Char(Char), DL(DL), MD(Char.getContext()) {}

  /// Null if \p T holds no floats, or has members that cannot be told apart, or too many.
  MDNode *of(StructType &T) {
    Fields.clear();
    HasFloats = false;
    return collect(&T, 0) && HasFloats ? MD.createTBAAStructNode(Fields) : nullptr;
  }

  MDNode *tagOf(const Type &T) {
    MDNode *Scalar = scalar(T);
    return MD.createTBAAStructTagNode(Scalar, Scalar, 0);
  }

private:
  static constexpr unsigned MaxFields = 64;

  bool collect(Type *T, uint64_t At) {
    if (auto *Record = dyn_cast<StructType>(T)) {
      if (Record->hasName() && Record->getName().starts_with("union."))
        return add(At, DL.getTypeAllocSize(T), &Char);
      const StructLayout *Layout = DL.getStructLayout(Record);
      for (auto [K, Element] : enumerate(Record->elements()))
        if (!collect(Element, At + Layout->getElementOffset(K).getFixedValue()))
          return false;
      return true;
    }
    auto *Array = dyn_cast<ArrayType>(T);
    if (Array && !Array->getElementType()->isIntegerTy(8)) {
      uint64_t Step = DL.getTypeAllocSize(Array->getElementType());
      for (uint64_t K = 0; K != Array->getNumElements(); ++K)
        if (!collect(Array->getElementType(), At + K * Step))
          return false;
      return true;
    }
    HasFloats |= T->isFloatingPointTy();
    return add(At, DL.getTypeStoreSize(T).getFixedValue(), scalar(*T));
  }

  /// The type as clang calls it; of integers there are too many names.
  MDNode *scalar(const Type &T) {
    if (T.isDoubleTy())
      return MD.createTBAAScalarTypeNode("double", &Char);
    if (T.isFloatTy())
      return MD.createTBAAScalarTypeNode("float", &Char);
    if (T.isPointerTy())
      return MD.createTBAAScalarTypeNode("any pointer", &Char);
    return &Char;
  }

  bool add(uint64_t At, uint64_t Size, MDNode *Scalar) {
    Fields.push_back({At, Size, MD.createTBAAStructTagNode(Scalar, Scalar, 0)});
    return Fields.size() <= MaxFields;
  }

  MDNode &Char;
  const DataLayout &DL;
  MDBuilder MD;
  SmallVector<MDBuilder::TBAAStructField, 16> Fields;
  bool HasFloats = false;
};

} // namespace

/// The type of characters, which all others of the language are made of; null if \p F has no alias
/// metadata.
static MDNode *characterType(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
    if (!Tag || Tag->getNumOperands() < 3)
      continue;
    auto *T = dyn_cast_or_null<MDNode>(Tag->getOperand(1));
    while (T && T->getNumOperands() >= 2) {
      auto *Name = dyn_cast_or_null<MDString>(T->getOperand(0));
      if (Name && Name->getString() == "omnipotent char")
        return T;
      T = dyn_cast_or_null<MDNode>(T->getOperand(1));
    }
  }
  return nullptr;
}

static void copyBefore(CallInst &Call, unsigned K, MDNode &Fields) {
  const DataLayout &DL = Call.getDataLayout();
  Type *T = Call.getParamByValType(K);
  uint64_t Size = DL.getTypeAllocSize(T);
  Align Alignment = Call.getParamAlign(K).value_or(DL.getABITypeAlign(T));
  Value *From = Call.getArgOperand(K);
  IRBuilder<> B(&*Call.getFunction()->getEntryBlock().getFirstInsertionPt());
  AllocaInst *Named = B.CreateAlloca(T, nullptr, "named");
  Named->setAlignment(Alignment);
  B.SetInsertPoint(&Call);
  B.CreateLifetimeStart(Named);
  CallInst *Copy = B.CreateMemCpy(Named, Alignment, From, Alignment, Size);
  Copy->setMetadata(LLVMContext::MD_tbaa_struct, &Fields);
  Call.setArgOperand(K, Named);
  B.SetInsertPoint(Call.getNextNode());
  B.CreateLifetimeEnd(Named);
}

/// The innermost record that the address \p Ptr is a step into, as the front end has written it.
static std::optional<DeclaredMember> memberAt(const Value *Ptr, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(Ptr->getType()), 0);
  auto IsRecord = [](Type *T) {
    auto *Record = dyn_cast<StructType>(T);
    return Record && Record->hasName() && !Record->getName().starts_with("union.");
  };
  while (auto *GEP = dyn_cast<GEPOperator>(Ptr)) {
    if (IsRecord(GEP->getResultElementType()))
      return DeclaredMember{cast<StructType>(GEP->getResultElementType()), Offset.getSExtValue(),
                            false};
    if (!GEP->accumulateConstantOffset(DL, Offset))
      return std::nullopt;
    auto *Start = dyn_cast<ConstantInt>(*GEP->idx_begin());
    if (IsRecord(GEP->getSourceElementType()) && Start && Start->isZero())
      return DeclaredMember{cast<StructType>(GEP->getSourceElementType()), Offset.getSExtValue(),
                            false};
    Ptr = GEP->getPointerOperand();
  }
  auto *Local = dyn_cast<AllocaInst>(Ptr);
  if (Local && IsRecord(Local->getAllocatedType()))
    return DeclaredMember{cast<StructType>(Local->getAllocatedType()), Offset.getSExtValue(),
                          false};
  return std::nullopt;
}

namespace {

/// The records that alias metadata of a module tells apart from others. A record that is declared
/// to alias anything (may_alias) has no name there, or is accessed as characters.
class RecordsWithNames {
public:
  explicit RecordsWithNames(const Module &M) : DL(M.getDataLayout()) {
    for (const Function &F : M)
      for (const Instruction &I : instructions(F))
        if (const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa); Tag && isTag(*Tag))
          note(I, *cast<MDNode>(Tag->getOperand(0)), *cast<MDNode>(Tag->getOperand(1)));
  }

  bool contains(const StructType &T) const {
    if (Characters.contains(&T) || !(Names.contains(nameOf(T)) || hasNamelessLike(T)))
      return false;
    return all_of(T.elements(), [&](Type *Element) {
      while (auto *Array = dyn_cast<ArrayType>(Element))
        Element = Array->getElementType();
      auto *Inner = dyn_cast<StructType>(Element);
      return !Inner || Inner->isLiteral() || Inner->getName().starts_with("union.") ||
             contains(*Inner);
    });
  }

private:
  static bool isTag(const MDNode &Tag) {
    return Tag.getNumOperands() >= 3 && isa<MDNode>(Tag.getOperand(0)) &&
           isa<MDNode>(Tag.getOperand(1));
  }

  static StringRef nameIn(const MDNode &T) {
    auto *Name = T.getNumOperands() ? dyn_cast<MDString>(T.getOperand(0)) : nullptr;
    return Name ? Name->getString() : "";
  }

  /// "struct.Box.5" and "class.ns::Box" are Box and ns::Box.
  static StringRef nameOf(const StructType &T) {
    StringRef Name = T.hasName() ? T.getName().split('.').second : "";
    auto [Front, Number] = Name.rsplit('.');
    return !Number.empty() && all_of(Number, isDigit) ? Front : Name;
  }

  void note(const Instruction &I, const MDNode &Base, const MDNode &Accessed) {
    if (&Base != &Accessed && Bases.insert(&Base).second) {
      std::string Name = demangle(nameIn(Base));
      StringRef Short = StringRef(Name).split('<').first;
      Short.consume_front("typeinfo name for ");
      if (Short.empty())
        Nameless.push_back(&Base);
      else
        Names.insert(Short);
    }
    const Value *Ptr = getLoadStorePointerOperand(&I);
    if (Ptr && nameIn(Accessed) == "omnipotent char" && !getLoadStoreType(&I)->isIntegerTy(8))
      if (auto Member = memberAt(Ptr, DL))
        Characters.insert(Member->Record);
  }

  /// C has records without a name of their own: there the places of members decide.
  bool hasNamelessLike(const StructType &T) const {
    const StructLayout *Layout = DL.getStructLayout(const_cast<StructType *>(&T));
    return any_of(Nameless, [&](const MDNode *Base) {
      if (Base->getNumOperands() != 2 * T.getNumElements() + 1)
        return false;
      for (unsigned K = 0; K != T.getNumElements(); ++K) {
        auto *At = mdconst::dyn_extract<ConstantInt>(Base->getOperand(2 * K + 2));
        if (!At || At->getZExtValue() != Layout->getElementOffset(K))
          return false;
      }
      return true;
    });
  }

  const DataLayout &DL;
  SmallPtrSet<const MDNode *, 16> Bases;
  SmallVector<const MDNode *, 4> Nameless;
  StringSet<> Names;
  SmallPtrSet<const StructType *, 8> Characters;
};

} // namespace

/// Records that are passed in registers are read from memory without alias metadata, too.
static bool nameFloatsIn(Function &F, const RecordsWithNames &Records) {
  const DataLayout &DL = F.getDataLayout();
  SmallVector<Instruction *> Unnamed;
  for (Instruction &I : instructions(F)) {
    if (!isa<LoadInst, StoreInst>(I) || I.hasMetadata(LLVMContext::MD_tbaa) || I.isVolatile())
      continue;
    Type *T = getLoadStoreType(&I);
    if (!T->isDoubleTy() && !T->isFloatTy())
      continue;
    auto Member = memberAt(getLoadStorePointerOperand(&I), DL);
    if (Member && Member->scalar(DL) == T && Records.contains(*Member->Record))
      Unnamed.push_back(&I);
  }
  MDNode *Char = Unnamed.empty() ? nullptr : characterType(F);
  if (!Char)
    return false;
  MemberTags Tags(*Char, DL);
  for (Instruction *I : Unnamed)
    I->setMetadata(LLVMContext::MD_tbaa, Tags.tagOf(*getLoadStoreType(I)));
  return true;
}

/// Does \p Call copy a record as its argument \p K, to a local of the called function?
static bool copiesRecord(const CallInst &Call, unsigned K) {
  return isa_and_nonnull<StructType>(Call.getParamByValType(K)) &&
         Call.getArgOperand(K)->getType()->getPointerAddressSpace() ==
             Call.getDataLayout().getAllocaAddrSpace();
}

static bool nameCopies(CallBase &Any, function_ref<bool(const StructType &)> MayName) {
  auto *Call = dyn_cast<CallInst>(&Any);
  if (!Call || Call->isMustTailCall())
    return false;
  bool Changed = false;
  for (unsigned K = 0; K != Call->arg_size(); ++K) {
    if (!copiesRecord(*Call, K))
      continue;
    auto *Record = cast<StructType>(Call->getParamByValType(K));
    MDNode *Char = MayName(*Record) ? characterType(*Call->getFunction()) : nullptr;
    if (!Char)
      continue;
    MemberTags Tags(*Char, Call->getDataLayout());
    if (MDNode *Fields = Tags.of(*Record)) {
      Call->setTailCall(false);
      copyBefore(*Call, K, *Fields);
      Changed = true;
    }
  }
  return Changed;
}

/// Does so for \p Call, where its function has alias metadata and the records hold floats.
static bool nameCopiesByValue(CallBase &Call) {
  return nameCopies(Call, [](const StructType &) { return true; });
}

/// The fields that a copy into \p Local names. Null: none does.
static MDNode *fieldsNamedIn(const AllocaInst &Local) {
  for (const User *U : Local.users()) {
    auto *Copy = dyn_cast<MemCpyInst>(U);
    MDNode *Fields = Copy ? Copy->getMetadata(LLVMContext::MD_tbaa_struct) : nullptr;
    if (Fields && Copy->getDest() == &Local)
      return Fields;
  }
  return nullptr;
}

/// Copies of all of \p Local hold what \p Fields says.
static void nameCopiesOf(const AllocaInst &Local, MDNode &Fields) {
  TypeSize Size = Local.getDataLayout().getTypeAllocSize(Local.getAllocatedType());
  for (const User *U : Local.users()) {
    auto *Copy = dyn_cast<MemCpyInst>(const_cast<User *>(U));
    auto *Length = Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
    if (Length && Copy->getSource() == &Local && Length->getValue() == Size.getFixedValue() &&
        !Copy->hasMetadata(LLVMContext::MD_tbaa_struct))
      Copy->setMetadata(LLVMContext::MD_tbaa_struct, &Fields);
  }
}

bool inlineWithNames(CallBase &Call, InlineFunctionInfo &Info, bool InsertLifetime) {
  SmallVector<std::pair<AllocaInst *, MDNode *>, 2> Named;
  if (nameCopiesByValue(Call))
    for (Value *Operand : Call.args())
      if (auto *Local = dyn_cast<AllocaInst>(Operand))
        if (MDNode *Fields = fieldsNamedIn(*Local))
          Named.push_back({Local, Fields});
  if (!InlineFunction(Call, Info, /*MergeAttributes=*/true, /*CalleeAAR=*/nullptr, InsertLifetime)
           .isSuccess())
    return false;
  for (auto [Local, Fields] : Named)
    nameCopiesOf(*Local, *Fields);
  return true;
}

bool nameMembers(Module &M) {
  bool Changed = false;
  RecordsWithNames Records(M);
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasOptNone())
      continue;
    Changed |= nameFloatsIn(F, Records);
    SmallVector<CallBase *> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !Call->isNoInline())
        Calls.push_back(Call);
    for (CallBase *Call : Calls)
      Changed |= nameCopies(*Call, [&](const StructType &T) { return Records.contains(T); });
  }
  return Changed;
}

} // namespace isozyme
