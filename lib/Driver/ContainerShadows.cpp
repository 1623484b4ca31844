//===- ContainerShadows.cpp - Shadows of containers are as large ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Driver/ContainerShadows.h"
#include "isozyme/Emit/StopIf.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Support/SymbolNames.h"
#include "isozyme/Support/UserCode.h"
#include "isozyme/Target/Accelerator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

namespace {
/// A container of the standard library that is made of nodes, as it lies in memory.
struct NodeContainer {
  StringRef Name;
  unsigned Elements; ///< Which of its parameters may be numbers.
  unsigned Count;    ///< Where the number of elements is, with libstdc++.
  unsigned CountCxx; ///< The same with libc++.
};
} // namespace
static constexpr NodeContainer NodeContainers[] = {
    {"list", 0, 16, 16},
    {"map", 1, 40, 16},
    {"multimap", 1, 40, 16},
    {"unordered_map", 1, 24, 24},
    {"unordered_multimap", 1, 24, 24},
};

/// The parameters of the template that \p Type is an instance of.
static SmallVector<StringRef, 4> templateParameters(StringRef Type) {
  SmallVector<StringRef, 4> All;
  StringRef Rest = Type.substr(Type.find('<') + 1);
  for (size_t Depth = 0, I = 0, Begin = 0; I < Rest.size(); ++I) {
    if (!Depth && (Rest[I] == ',' || Rest[I] == '>')) {
      All.push_back(Rest.slice(Begin, I).trim());
      Begin = I + 1;
      if (Rest[I] == '>')
        break;
    } else if (StringRef("<([").contains(Rest[I])) {
      ++Depth;
    } else if (StringRef(">)]").contains(Rest[I])) {
      --Depth;
    }
  }
  return All;
}

static bool isOfLibcxx(StringRef Type) { return Type.starts_with("std::__1::"); }

/// Are the parameters of \p Type behind the one with the number \p Elements the library's own?
/// These are empty classes, and take no place in the container.
static bool hasUsualParameters(StringRef Type, unsigned Elements) {
  SmallVector<StringRef, 4> Parameters = templateParameters(Type);
  return Elements < Parameters.size() &&
         all_of(
             drop_begin(Parameters, Elements + 1),
             [](StringRef P) {
               P.consume_front("std::");
               P.consume_front("__1::");
               return is_contained({"allocator", "less", "hash", "equal_to"}, P.split('<').first);
             });
}

static bool isVector(StringRef Type) {
  return (Type.starts_with("std::vector<") || Type.starts_with("std::__1::vector<")) &&
         hasUsualParameters(Type, 0);
}

static const NodeContainer *nodeContainer(StringRef Type) {
  StringRef Name = Type.split('<').first;
  if (!Name.consume_front("std::"))
    return nullptr;
  if (!Name.consume_front("__1::"))
    Name.consume_front("__cxx11::");
  auto *C = find_if(NodeContainers, [&](const NodeContainer &C) { return C.Name == Name; });
  return C != std::end(NodeContainers) && hasUsualParameters(Type, C->Elements) ? C : nullptr;
}

/// Is \p Type a float, or a container of such?
static bool holdsNumbers(StringRef Type) {
  if (is_contained({"double", "float", "long double"}, Type))
    return true;
  if (isVector(Type))
    return holdsNumbers(templateParameters(Type).front());
  const NodeContainer *C = nodeContainer(Type);
  return C && holdsNumbers(templateParameters(Type)[C->Elements]);
}

/// The type that \p Parameter refers to, if it is a constant container of floats, or of
/// containers of them. (A function may give another one new elements.)
static StringRef containerOfNumbers(StringRef Parameter) {
  bool IsReference = Parameter.consume_back(" const&") || Parameter.consume_back(" const*");
  bool IsContainer = isVector(Parameter) || nodeContainer(Parameter);
  return IsReference && IsContainer && holdsNumbers(Parameter) ? Parameter : "";
}

/// How large the container of type \p Type at \p Object is. Both libraries begin a vector with the
/// addresses of the first element and of what is behind the last.
static Value *sizeOf(IRBuilderBase &B, StringRef Type, Value *Object) {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  llvm::Type *Ptr = B.getPtrTy(), *Size = DL.getIntPtrType(Ptr);
  auto at = [&](uint64_t Offset) { return B.CreatePtrAdd(Object, B.getInt64(Offset)); };
  if (const NodeContainer *C = nodeContainer(Type))
    return B.CreateLoad(Size, at(isOfLibcxx(Type) ? C->CountCxx : C->Count), "elements");
  Value *First = B.CreateLoad(Ptr, Object);
  Value *End = B.CreateLoad(Ptr, at(DL.getPointerSize()));
  return B.CreateSub(B.CreatePtrToInt(End, Size), B.CreatePtrToInt(First, Size), "bytes");
}

/// A function that looks whether a vector inside of the vector of type \p Type at its second
/// argument has more elements than the one with its number at the first, or one inside of that:
///
///   i1 isozyme.smaller.rows(ptr shadow, ptr primal)
///
/// A function, so that the caller keeps its blocks, of which other analyses know.
static Function &anySmallerInside(Module &M, StringRef Type) {
  const StringRef Element = templateParameters(Type).front();
  const bool IsDeeper = isVector(templateParameters(Element).front());
  const std::string Name = "isozyme.smaller.rows." + Type.str();
  if (Function *F = M.getFunction(Name))
    return *F;
  LLVMContext &C = M.getContext();
  llvm::Type *Ptr = PointerType::get(C, 0), *Size = M.getDataLayout().getIntPtrType(C);
  auto *F = Function::Create(FunctionType::get(llvm::Type::getInt1Ty(C), {Ptr, Ptr}, false),
                             GlobalValue::InternalLinkage, Name, M);
  F->setDoesNotThrow();
  F->setOnlyReadsMemory();
  F->addFnAttr(marking::Inactive);
  auto block = [&](const char *Name) { return BasicBlock::Create(C, Name, F); };
  BasicBlock *Entry = block("entry"), *Head = block("head"), *Row = block("row"),
             *Next = block("next"), *Smaller = block("smaller"), *Fine = block("fine");
  IRBuilder<> B(Entry);
  constexpr uint64_t AddressesInVector = 3; // Of the first element, the end, and the room's end.
  const uint64_t RowSize = AddressesInVector * M.getDataLayout().getPointerSize();
  Value *Bytes = sizeOf(B, Type, F->getArg(1));
  Value *FirstShadow = B.CreateLoad(Ptr, F->getArg(0)), *First = B.CreateLoad(Ptr, F->getArg(1));
  B.CreateBr(Head);
  B.SetInsertPoint(Head);
  PHINode *Offset = B.CreatePHI(Size, 2, "offset");
  Offset->addIncoming(ConstantInt::get(Size, 0), Entry);
  B.CreateCondBr(B.CreateICmpULT(Offset, Bytes), Row, Fine);
  B.SetInsertPoint(Row);
  Value *Shadow = B.CreatePtrAdd(FirstShadow, Offset), *Primal = B.CreatePtrAdd(First, Offset);
  Value *IsSmaller = B.CreateICmpULT(sizeOf(B, Element, Shadow), sizeOf(B, Element, Primal));
  if (IsDeeper) {
    BasicBlock *Inside = block("inside");
    B.CreateCondBr(IsSmaller, Smaller, Inside);
    B.SetInsertPoint(Inside);
    IsSmaller = B.CreateCall(&anySmallerInside(M, Element), {Shadow, Primal});
  }
  B.CreateCondBr(IsSmaller, Smaller, Next);
  B.SetInsertPoint(Next);
  Offset->addIncoming(B.CreateAdd(Offset, ConstantInt::get(Size, RowSize)), Next);
  B.CreateBr(Head);
  B.SetInsertPoint(Smaller);
  B.CreateRet(B.getTrue());
  B.SetInsertPoint(Fine);
  B.CreateRet(B.getFalse());
  return *F;
}

/// Ends the program where the container of type \p Type at \p Shadow is too small for that at
/// \p Primal. The nodes of a shadow are found by those of the argument: there are as many.
static void compareSizes(IRBuilderBase &B, StringRef Type, Value *Shadow, Value *Primal,
                         const DILocation *Loc, const std::string &Which) {
  Value *There = sizeOf(B, Type, Shadow), *Wanted = sizeOf(B, Type, Primal);
  if (isVector(Type)) {
    emitStop(B, B.CreateICmpULT(There, Wanted), Loc,
             "the shadow of " + Which +
                 " has fewer elements than the argument; give it as many [IZ309]");
    if (isVector(templateParameters(Type).front()))
      emitStop(
          B,
          B.CreateCall(&anySmallerInside(*B.GetInsertBlock()->getModule(), Type), {Shadow, Primal}),
          Loc,
          "a vector in the shadow of " + Which +
              " has fewer elements than its counterpart in the argument; give it as many "
              "[IZ309]");
  } else {
    emitStop(B, B.CreateICmpNE(There, Wanted), Loc,
             "the shadow of " + Which +
                 " has another number of elements than the argument; let it be a copy of the "
                 "argument, with zeros for the numbers [IZ309]");
  }
}

void compareContainerSizes(CallBase &New, const MarkerCall &M) {
  const DiffRequest &R = M.Request;
  SmallVector<std::string, 8> Types = parameterTypes(*R.Fn);
  // By the time of a second half the vectors may be gone; those of a recording have no shadow.
  if (R.Mode == DiffMode::FromTape || M.Records || M.FromRecord ||
      Types.size() != R.Fn->arg_size() || acceleratorOf(*New.getModule()))
    return;
  IRBuilder<> B(&New);
  for (unsigned Param = 0, Position = 0; Param < Types.size(); ++Param) {
    Value *Primal = New.getArgOperand(Position++);
    for (unsigned Lane = 0; R.hasShadow(Param) && Lane < R.Width; ++Lane) {
      Value *Shadow = New.getArgOperand(Position++);
      if (StringRef Type = containerOfNumbers(Types[Param]); !Type.empty())
        compareSizes(B, Type, Shadow, Primal, userLocation(New.getDebugLoc()),
                     describeParameter(*R.Fn, Param));
    }
  }
}

} // namespace isozyme
