//===- KnownCalls.cpp - Library functions that move no derivative ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/KnownCalls.h"
#include "isozyme/Ops/ExceptionCalls.h"
#include "isozyme/Ops/Markings.h"
#include "isozyme/Target/Accelerator.h"
#include "isozyme/Target/TargetModel.h"
#include "isozyme/Values/Origins.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include <tuple>

using namespace llvm;

namespace isozyme {

namespace {

/// Name to shape, as InactiveFunctions.def writes it.
const StringMap<StringRef> &inactiveFunctions() {
  static const StringMap<StringRef> Shapes = [] {
    StringMap<StringRef> Map;
#define IZ_INACTIVE_FUNCTIONS(SHAPE, ...)                                                          \
  for (StringRef Name : {__VA_ARGS__})                                                             \
    Map.try_emplace(Name, SHAPE);
#include "isozyme/Ops/InactiveFunctions.def"
    return Map;
  }();
  return Shapes;
}

bool hasShape(const Type *T, char Letter) {
  switch (Letter) {
  case 'v':
    return T->isVoidTy();
  case 'i':
    return T->isIntegerTy();
  case 'p':
    return T->isPointerTy();
  case 'd':
    return T->isFloatingPointTy();
  }
  llvm_unreachable("no letter of a shape");
}

bool hasShape(const FunctionType *T, StringRef Shape) {
  if (Shape == "?")
    return true;
  const bool TakesMore = Shape.consume_back(".");
  if (!hasShape(T->getReturnType(), Shape.front()))
    return false;
  Shape = Shape.drop_front();
  if (T->isVarArg() && T->getNumParams() == 0)
    return true; // C before 2023: declared without its parameters.
  return T->isVarArg() == TakesMore && T->getNumParams() == Shape.size() &&
         all_of(zip_equal(T->params(), Shape),
                [](auto Pair) { return hasShape(std::get<0>(Pair), std::get<1>(Pair)); });
}

/// Sanitizers, libstdc++, the inline namespace __1 of libc++, Fortran, Rust.
constexpr StringLiteral RuntimePrefixes[] = {
    "__ubsan_", // the sanitizers
    "__asan_",
    "__msan_",
    "__tsan_",
    "__sanitizer_",
    "_ZN11__gnu_debug19_Safe_iterator_base9_M_attach", // libstdc++'s debug mode: what its
    "_ZN11__gnu_debug19_Safe_iterator_base9_M_detach", // library does with lists of iterators
    "_ZN11__gnu_debug19_Safe_iterator_base16_M_",
    "_ZN11__gnu_debug19_Safe_iterator_base12_M_get_mutex",
    "_ZNK11__gnu_debug19_Safe_iterator_base",
    "_ZN11__gnu_debug25_Safe_local_iterator_base9_M_attach",
    "_ZN11__gnu_debug25_Safe_local_iterator_base9_M_detach",
    "_ZN11__gnu_debug25_Safe_local_iterator_base16_M_attach_single",
    "_ZN11__gnu_debug19_Safe_sequence_base12_M_get_mutex",
    "_ZN11__gnu_debug19_Safe_sequence_base13_M_detach_all",
    "_ZN11__gnu_debug19_Safe_sequence_base18_M_detach_singular",
    "_ZN11__gnu_debug19_Safe_sequence_base22_M_revalidate_singular",
    "_ZN11__gnu_debug19_Safe_sequence_base7_M_swap",
    "_ZN11__gnu_debug30_Safe_unordered_container_base13_M_detach_all",
    "_ZN11__gnu_debug30_Safe_unordered_container_base7_M_swap",
    "_ZN11__gnu_debug16_Error_formatter",
    "_ZNK11__gnu_debug16_Error_formatter",
    "_ZNSo", // std::ostream
    "_ZNKSo",
    "_ZNSiC", // std::istream; numbers are read apart
    "_ZNSiD",
    "_ZNSirsERb",
    "_ZNSirsERi",
    "_ZNSirsERj",
    "_ZNSirsERl",
    "_ZNSirsERm",
    "_ZNSirsERs",
    "_ZNSirsERt",
    "_ZNSirsERx",
    "_ZNSirsERy",
    "_ZNSi10_M_extractIb",
    "_ZNSi10_M_extractIj",
    "_ZNSi10_M_extractIl",
    "_ZNSi10_M_extractIm",
    "_ZNSi10_M_extractIt",
    "_ZNSi10_M_extractIx",
    "_ZNSi10_M_extractIy",
    "_ZNSi3get",
    "_ZNSi4peek",
    "_ZNSi5seekg",
    "_ZNSi5tellg",
    "_ZNSi5unget",
    "_ZNSi6ignore",
    "_ZNSi6sentry",
    "_ZNSi7getline",
    "_ZNSi7putback",
    "_ZNKSi6gcount",
    "_ZNSs", // std::string of the old ABI
    "_ZNKSs",
    "_ZStls", // operator<<(std::ostream &, ...)
    "_ZSt4endl",
    "_ZSt4ends",
    "_ZSt5flush",
    "_ZSt16__ostream_insert",
    "_ZSt9use_facet",
    "_ZSt9has_facet",
    "_ZSt13__check_facet",
    "_ZSt16__throw_bad_cast",
    "_ZSt9terminate",
    "_ZSt18uncaught_exception",
    "_ZSt13set_terminate",
    "_ZNSt15__exception_ptr",
    "_ZNSt9exception", // what(), constructors, destructors
    "_ZNKSt9exception",
    "_ZNSt11logic_error",
    "_ZNKSt11logic_error",
    "_ZNSt13runtime_error",
    "_ZNKSt13runtime_error",
    "_ZNSt12domain_error",
    "_ZNSt12length_error",
    "_ZNSt12out_of_range",
    "_ZNSt16invalid_argument",
    "_ZNSt11range_error",
    "_ZNSt14overflow_error",
    "_ZNSt15underflow_error",
    "_ZNSt12system_error",
    "_ZNKSt12system_error",
    "_ZNSt3_V215generic_category",
    "_ZNSt3_V215system_category",
    "_ZSt11_Hash_bytes",
    "_ZSt17__throw_bad_alloc",
    "_ZSt19__throw_logic_error",
    "_ZSt20__throw_length_error",
    "_ZSt25__throw_bad_function_call",
    "_ZSt19__throw_range_error",
    "_ZSt20__throw_domain_error",
    "_ZSt20__throw_system_error",
    "_ZSt19__throw_ios_failure",
    "_ZSt21__throw_bad_exception",
    "_ZSt21__throw_runtime_error",
    "_ZSt22__throw_overflow_error",
    "_ZSt23__throw_underflow_error",
    "_ZSt24__throw_invalid_argument",
    "_ZSt28__throw_bad_array_new_length",
    "_ZSt18__throw_bad_typeid",
    "_ZSt20__throw_out_of_range",
    "_ZSt24__throw_out_of_range_fmt",
    "_ZSt21__glibcxx_assert_fail",
    "_ZNSt8ios_base",
    "_ZNKSt8ios_base",
    "_ZNSt9basic_ios",
    "_ZNKSt9basic_ios",
    "_ZNSt6locale",
    "_ZNKSt6locale",
    "_ZNSt5ctype",
    "_ZNKSt5ctype",
    "_ZNSt15basic_streambuf",
    "_ZNKSt15basic_streambuf",
    "_ZNSt13basic_filebuf",
    "_ZNKSt13basic_filebuf",
    "_ZNSt12__basic_file",
    "_ZNKSt12__basic_file",
    "_ZNSaIcEC", // std::allocator of characters: making and destroying it
    "_ZNSaIcED",
    "_ZNSaIwEC",
    "_ZNSaIwED",
    "_ZNSt13basic_fstream",
    "_ZNKSt13basic_fstream",
    "_ZNSt14basic_ifstream",
    "_ZNKSt14basic_ifstream",
    "_ZNSt14basic_iostream",
    "_ZNSd", // std::iostream
    "_ZNSt13basic_ostream",
    "_ZNKSt13basic_ostream",
    "_ZNSt14basic_ofstream",
    "_ZNKSt14basic_ofstream",
    "_ZNSt7__cxx1112basic_string",
    "_ZNKSt7__cxx1112basic_string",
    "_ZNSt7__cxx119to_string",
    "_ZN9__gnu_cxx12__to_xstring",
    "_ZNSt7__cxx1115basic_stringbuf",
    "_ZNKSt7__cxx1115basic_stringbuf",
    "_ZNSt7__cxx1118basic_stringstream",
    "_ZNKSt7__cxx1118basic_stringstream",
    "_ZNSt7__cxx1119basic_istringstream",
    "_ZNKSt7__cxx1119basic_istringstream",
    "_ZNSt7__cxx1119basic_ostringstream",
    "_ZNKSt7__cxx1119basic_ostringstream",
    "_ZNSt6chrono3_V2",
    "_ZNSt13random_device",
    "_ZNSt8__detail20_Prime_rehash_policy",
    "_ZNKSt8__detail20_Prime_rehash_policy",
    "_ZNSt3__112basic_string",
    "_ZNKSt3__112basic_string",
    "_ZNSt3__19to_string",
    "_ZNSt3__119basic_ostringstream",
    "_ZNSt3__118basic_stringstream",
    "_ZNSt3__114basic_ofstream",
    "_ZNSt3__113basic_fstream",
    "_ZNSt3__114basic_iostream",
    "_ZNSt3__112__next_prime",
    "_ZNSt3__115system_category",
    "_ZNSt3__116generic_category",
    "_ZNSt3__122__libcpp_verbose_abort",
    "_ZNSt3__113basic_ostream",
    "_ZNKSt3__113basic_ostream",
    "_ZNSt3__19basic_ios",
    "_ZNKSt3__19basic_ios",
    "_ZNSt3__18ios_base",
    "_ZNKSt3__18ios_base",
    "_ZNSt3__16locale",
    "_ZNKSt3__16locale",
    "_ZNSt3__15ctype",
    "_ZNKSt3__15ctype",
    "_ZNSt3__1lsB", // operator<<, with an ABI tag or without
    "_ZNSt3__1lsI",
    "_ZNSt3__14endl",
    "_ZNSt3__15flush",
    "_ZNSt3__115basic_streambuf",
    "_ZNKSt3__115basic_streambuf",
    "_ZNSt3__115basic_stringbuf",
    "_ZNSt3__113basic_filebuf",
    "_ZNSt3__124__put_character_sequence",
    "_ZNSt3__16chrono12steady_clock3now",
    "_ZNSt3__16chrono12system_clock3now",
    "_ZNSt3__113random_device",
    "_FortranAioBegin", // of all input and output; not _FortranAioInput
    "_FortranAioEnd",
    "_FortranAioGet", // units, sizes and the like
    "_FortranAioInquire",
    "_FortranAioEnable",
    "_FortranAioOutput",
    "_FortranAioSet",
    "_FortranAAllDim", // integers and logicals of arrays
    "_FortranAAny",
    "_FortranACharacter",
    "_FortranAClassIs", // types of `class` variables
    "_FortranACount",
    "_FortranADotProductInteger",
    "_FortranADotProductLogical",
    "_FortranAIndex1",
    "_FortranAIsAssumedSize",
    "_FortranAIsContiguous",
    "_FortranALbound",
    "_FortranALenTrim",
    "_FortranAMaxvalInteger",
    "_FortranAMinvalInteger",
    "_FortranAPointerIsAssociated",
    "_FortranAExponent", // of numbers, and the distance to the next one
    "_FortranASpacing",
    "_FortranAExtendsTypeOf",
    "_FortranASameTypeAs",
    "_FortranAProductInteger",
    "_FortranAScan1",
    "_FortranAShape",
    "_FortranASize",
    "_FortranASumInteger",
    "_FortranAUbound",
    "_FortranAVerify1",
    "_FortranACpuTime",
    "_FortranADateAndTime",
    "_FortranAProgram",
    "_FortranAReportFatalUserError",
    "_FortranAStop",
    "_FortranASystemClock",
    "_ZN3std2io5stdio6_print",
    "_ZN3std2io5stdio7_eprint",
    "_ZN4core3fmt",
    "_ZN4core9panicking",
    SortHelperPrefix, // Isozyme's own
    SearchHelperPrefix,
};

bool isAllocationLibFunc(LibFunc LF) {
  switch (LF) {
  case LibFunc_malloc:
  case LibFunc_calloc:
  case LibFunc_valloc:
  case LibFunc_pvalloc:
  case LibFunc_aligned_alloc:
  case LibFunc_memalign:
  case LibFunc_Znwj:
  case LibFunc_ZnwjRKSt9nothrow_t:
  case LibFunc_ZnwjSt11align_val_t:
  case LibFunc_ZnwjSt11align_val_tRKSt9nothrow_t:
  case LibFunc_Znwm:
  case LibFunc_Znwm12__hot_cold_t:
  case LibFunc_ZnwmRKSt9nothrow_t:
  case LibFunc_ZnwmRKSt9nothrow_t12__hot_cold_t:
  case LibFunc_ZnwmSt11align_val_t:
  case LibFunc_ZnwmSt11align_val_t12__hot_cold_t:
  case LibFunc_ZnwmSt11align_val_tRKSt9nothrow_t:
  case LibFunc_ZnwmSt11align_val_tRKSt9nothrow_t12__hot_cold_t:
  case LibFunc_Znaj:
  case LibFunc_ZnajRKSt9nothrow_t:
  case LibFunc_ZnajSt11align_val_t:
  case LibFunc_ZnajSt11align_val_tRKSt9nothrow_t:
  case LibFunc_Znam:
  case LibFunc_Znam12__hot_cold_t:
  case LibFunc_ZnamRKSt9nothrow_t:
  case LibFunc_ZnamRKSt9nothrow_t12__hot_cold_t:
  case LibFunc_ZnamSt11align_val_t:
  case LibFunc_ZnamSt11align_val_t12__hot_cold_t:
  case LibFunc_ZnamSt11align_val_tRKSt9nothrow_t:
  case LibFunc_ZnamSt11align_val_tRKSt9nothrow_t12__hot_cold_t:
  case LibFunc_msvc_new_int:
  case LibFunc_msvc_new_int_nothrow:
  case LibFunc_msvc_new_longlong:
  case LibFunc_msvc_new_longlong_nothrow:
  case LibFunc_msvc_new_array_int:
  case LibFunc_msvc_new_array_int_nothrow:
  case LibFunc_msvc_new_array_longlong:
  case LibFunc_msvc_new_array_longlong_nothrow:
    return true;
  default:
    return false;
  }
}

/// The attribute allockind of the call or its callee.
AllocFnKind allocKind(const CallBase &CB) {
  Attribute A = CB.getFnAttr(Attribute::AllocKind);
  return A.isValid() ? A.getAllocKind() : AllocFnKind::Unknown;
}

/// What a registration says of the function called, which may have a body.
std::optional<AllocationLike> registeredAllocator(const CallBase &CB) {
  const Function *Callee = CB.getCalledFunction();
  std::optional<AllocationLike> A = Callee ? allocationLike(*Callee) : std::nullopt;
  if (A && A->SizeArg < CB.arg_size() && CB.getArgOperand(A->SizeArg)->getType()->isIntegerTy())
    return A;
  return std::nullopt;
}

/// The memory that a call of a registered deallocator releases: the place of -1 in the
/// list of what it is called with.
Value *registeredFree(const CallBase &CB) {
  const Function *Callee = CB.getCalledFunction();
  // Few functions are named in metadata: only then is it worth to look for the allocator.
  if (!Callee || !Callee->isUsedByMetadata())
    return nullptr;
  for (const Function &F : *Callee->getParent()) {
    std::optional<AllocationLike> A = allocationLike(F);
    if (!A || A->Free != Callee)
      continue;
    auto Memory = find(A->FreeArgs, -1);
    unsigned Number = Memory - A->FreeArgs.begin();
    if (Memory != A->FreeArgs.end() && Number < CB.arg_size())
      return CB.getArgOperand(Number);
  }
  return nullptr;
}

} // namespace

bool isInactiveLibraryName(StringRef Name) { return inactiveFunctions().contains(Name); }

bool isInactiveLibraryFunction(const Function &F) {
  if (!F.isDeclaration())
    return false;
  auto Found = inactiveFunctions().find(F.getName());
  return Found != inactiveFunctions().end() && hasShape(F.getFunctionType(), Found->second);
}

bool isInactiveRuntimeName(StringRef Symbol) {
  // C++20 tells members of what stays from those of what ends: str() const &, str() &&.
  std::string Unqualified;
  for (auto [Qualified, Plain] : {std::pair("_ZNKRSt", "_ZNKSt"), std::pair("_ZNOSt", "_ZNSt")})
    if (StringRef Rest = Symbol; Rest.consume_front(Qualified))
      Symbol = Unqualified = Plain + Rest.str();
  return any_of(RuntimePrefixes, [&](StringRef P) { return Symbol.starts_with(P); });
}

bool isMemberOfString(const CallBase &CB) {
  static constexpr StringLiteral Prefixes[] = {
      "_ZNSt7__cxx1112basic_stringI", "_ZNKSt7__cxx1112basic_stringI", "_ZNSt3__112basic_stringI",
      "_ZNKSt3__112basic_stringI"};
  const Function *F = CB.getCalledFunction();
  return F && any_of(Prefixes, [&](StringRef P) { return F->getName().starts_with(P); });
}

/// A member of std::string that returns an address: how many bytes are there for sure.
static std::optional<uint64_t> bytesFromString(const CallBase &CB) {
  if (!isMemberOfString(CB) || !CB.getCalledFunction()->getReturnType()->isPointerTy())
    return std::nullopt;
  return CB.getCalledFunction()->getAttributes().getRetDereferenceableBytes();
}

static constexpr uint64_t LargestCharacter = 4;

bool leadsIntoString(const CallBase &CB) {
  std::optional<uint64_t> Bytes = bytesFromString(CB);
  return Bytes && *Bytes <= LargestCharacter && CB.arg_size() &&
         CB.getArgOperand(0)->getType()->isPointerTy();
}

Value *stringItself(const CallBase &CB) {
  std::optional<uint64_t> Bytes = bytesFromString(CB);
  bool IsString = Bytes && *Bytes > LargestCharacter && CB.arg_size() &&
                  CB.getArgOperand(0)->getType() == CB.getType() &&
                  CB.getCalledFunction()->getParamDereferenceableBytes(0) == *Bytes;
  return IsString ? CB.getArgOperand(0) : nullptr;
}

/// Text of the library's own, such as what() of an exception.
static bool returnsLibraryText(const CallBase &CB) {
  const Function *F = CB.getCalledFunction();
  return CB.hasFnAttr(marking::GivesText) ||
         (F && F->getName().starts_with("_ZNKSt") && F->getName().ends_with("4whatEv"));
}

bool returnsText(const CallBase &CB) { return returnsLibraryText(CB) || leadsIntoString(CB); }

bool returnsLibraryMemory(const CallBase &CB) {
  const Function *F = CB.getCalledFunction();
  if (CB.returnDoesNotAlias() || returnsLibraryText(CB))
    return true;
  StringRef Name = F ? F->getName() : StringRef();
  return (Name.starts_with("_ZN11__gnu_debug") && Name.ends_with("12_M_get_mutexEv")) ||
         Name.starts_with("_FortranAioBegin");
}

bool isInactiveRuntimeVariable(StringRef Symbol) {
  static constexpr StringLiteral Prefixes[] = {
      "_ZTV",
      "_ZTI",
      "_ZTS",
      "_ZTT",
      "_ZTC", // tables and names of classes
      "_ZSt3cin",
      "_ZSt4cout",
      "_ZSt4cerr",
      "_ZSt4clog",
      "_ZSt4wcin",
      "_ZSt5wcout",
      "_ZSt5wcerr",
      "_ZSt5wclog",
      "_ZSt7nothrow",
      "_ZStL8__ioinit",
      "_ZNSt3__13cinE",
      "_ZNSt3__14coutE",
      "_ZNSt3__14cerrE",
      "_ZNSt3__14clogE",
  };
  static constexpr StringLiteral Names[] = {
      "stdin",
      "stdout",
      "stderr",
      "__stdinp",
      "__stdoutp",
      "__stderrp",
      "environ",
      "__environ",
      "optarg",
      "optind",
      "opterr",
      "optopt",
      "timezone",
      "daylight",
      "tzname",
      "program_invocation_name",
      "sys_nerr",
      "__dso_handle",
      "__libc_single_threaded",
  };
  return any_of(Prefixes, [&](StringRef P) { return Symbol.starts_with(P); }) ||
         is_contained(Names, Symbol);
}

bool passesPointerOn(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ptr_annotation:
  case Intrinsic::ptrmask:
  case Intrinsic::ssa_copy:
  case Intrinsic::threadlocal_address:
    return true;
  default:
    return false;
  }
}

bool isInactiveIntrinsic(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::addressofreturnaddress:
  case Intrinsic::annotation:
  case Intrinsic::assume:
  case Intrinsic::codeview_annotation:
  case Intrinsic::dbg_assign:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_label:
  case Intrinsic::dbg_value:
  case Intrinsic::debugtrap:
  case Intrinsic::donothing:
  case Intrinsic::eh_typeid_for:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::fake_use:
  case Intrinsic::frameaddress:
  case Intrinsic::get_rounding:
  case Intrinsic::instrprof_increment:
  case Intrinsic::instrprof_increment_step:
  case Intrinsic::instrprof_value_profile:
  case Intrinsic::invariant_end:
  case Intrinsic::invariant_start:
  case Intrinsic::is_constant:
  case Intrinsic::lifetime_end:
  case Intrinsic::lifetime_start:
  case Intrinsic::objectsize:
  case Intrinsic::prefetch:
  case Intrinsic::pseudoprobe:
  case Intrinsic::public_type_test:
  case Intrinsic::readcyclecounter:
  case Intrinsic::readsteadycounter:
  case Intrinsic::returnaddress:
  case Intrinsic::sideeffect:
  case Intrinsic::sponentry:
  case Intrinsic::stackrestore:
  case Intrinsic::stacksave:
  case Intrinsic::trap:
  case Intrinsic::type_test:
  case Intrinsic::ubsantrap:
  case Intrinsic::var_annotation:
  case Intrinsic::x86_sse_ldmxcsr: // How floats are rounded: a number beside them.
  case Intrinsic::x86_sse_stmxcsr:
  case Intrinsic::xray_customevent:
  case Intrinsic::xray_typedevent:
    return true;
  default:
    return isDeviceQuery(Id) || isDeviceMeeting(Id);
  }
}

bool isKnownInactive(const CallBase &CB) {
  // Nothing comes back from such a call, so no derivative does.
  if (CB.doesNotReturn() || isMarkedInactive(CB))
    return true;
  const Function *Callee = CB.getCalledFunction();
  if (CB.hasMetadata(marking::Active) || CB.hasFnAttr(marking::Active))
    return false;
  if (!Callee)
    return false;
  if (Callee->isIntrinsic())
    return isInactiveIntrinsic(Callee->getIntrinsicID());
  if (isInactiveLibraryFunction(*Callee))
    return true;
  if (Callee->hasFnAttribute(marking::OnlyPrints))
    return true;
  return isInactiveRuntimeName(Callee->getName());
}

/// The operand of the run time's function \p F that is such a function.
static std::optional<unsigned> functionForRuntime(const Function &F) {
  if (exceptionCallOf(F) == ExceptionCall::Throw)
    return 2;
  bool AtExit = is_contained({"atexit", "at_quick_exit", "__cxa_atexit", "__cxa_thread_atexit",
                              "__cxa_thread_atexit_impl"},
                             F.getName());
  return F.isDeclaration() && AtExit ? std::optional(0u) : std::nullopt;
}

bool isForRuntime(const Use &U) {
  SmallVector<const Use *, 4> Work = {&U};
  SmallPtrSet<const Argument *, 4> Seen;
  while (!Work.empty()) {
    auto *Call = dyn_cast<CallBase>(Work.back()->getUser());
    const Function *F = Call ? Call->getCalledFunction() : nullptr;
    if (!F || !Call->isArgOperand(Work.back()))
      return false;
    unsigned K = Call->getArgOperandNo(Work.pop_back_val());
    if (functionForRuntime(*F) == K)
      continue;
    if (!F->hasLocalLinkage() || K >= F->arg_size())
      return false;
    if (Seen.insert(F->getArg(K)).second)
      for (const Use &Inner : F->getArg(K)->uses())
        Work.push_back(&Inner);
  }
  return true;
}

bool makesArrays(const Function &F) {
  return is_contained({"malloc", "calloc", "aligned_alloc", "_Znam"}, F.getName());
}

bool isAllocation(const CallBase &CB, const TargetLibraryInfo &TLI) {
  const Function *Callee = CB.getCalledFunction();
  // The library's own prototype is checked by getLibFunc. It is not asked
  // whether the call may be treated as a builtin: nobuiltin forbids LLVM to
  // remove the call, not to know what it does.
  LibFunc LF;
  if (Callee && Callee->isDeclaration() && TLI.getLibFunc(*Callee, LF) && isAllocationLibFunc(LF))
    return true;
  if (registeredAllocator(CB))
    return true;
  AllocFnKind Kind = allocKind(CB);
  return (Kind & AllocFnKind::Alloc) != AllocFnKind::Unknown &&
         (Kind & AllocFnKind::Realloc) == AllocFnKind::Unknown;
}

std::optional<AllocationSize> allocationSize(const CallBase &CB, const TargetLibraryInfo &TLI) {
  if (!isAllocation(CB, TLI))
    return std::nullopt;
  if (std::optional<AllocationLike> A = registeredAllocator(CB))
    return AllocationSize{A->SizeArg, std::nullopt, false};
  bool Zeroed = (allocKind(CB) & AllocFnKind::Zeroed) != AllocFnKind::Unknown;
  if (Attribute A = CB.getFnAttr(Attribute::AllocSize); A.isValid()) {
    auto [Bytes, Count] = A.getAllocSizeArgs();
    return AllocationSize{Bytes, Count, Zeroed};
  }
  LibFunc LF;
  const Function *Callee = CB.getCalledFunction();
  if (!Callee || !TLI.getLibFunc(*Callee, LF) || !isAllocationLibFunc(LF))
    return std::nullopt;
  switch (LF) {
  case LibFunc_calloc:
    return AllocationSize{0, 1, true};
  case LibFunc_aligned_alloc:
  case LibFunc_memalign:
    return AllocationSize{1, std::nullopt, false};
  default:
    return AllocationSize{0, std::nullopt, false};
  }
}

/// The function of the C library that \p CB calls.
static std::optional<LibFunc> libraryFunction(const CallBase &CB, const TargetLibraryInfo &TLI) {
  const Function *Callee = CB.getCalledFunction();
  LibFunc LF;
  if (Callee && Callee->isDeclaration() && TLI.getLibFunc(*Callee, LF))
    return LF;
  return std::nullopt;
}

std::optional<Reallocation> libraryReallocation(const CallBase &CB, const TargetLibraryInfo &TLI) {
  std::optional<LibFunc> LF = libraryFunction(CB, TLI);
  if (LF == LibFunc_realloc)
    return Reallocation{0, 1, std::nullopt};
  if (LF == LibFunc_reallocarray)
    return Reallocation{0, 1, 2};
  return std::nullopt;
}

std::optional<LibraryCallback> libraryCallback(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  if (!F || !F->isDeclaration() || F->isIntrinsic() ||
      F->getFunctionType() != Call.getFunctionType())
    return std::nullopt;
  auto Takes = [&](StringRef Kinds) { // p: a pointer, n: a size
    return Call.arg_size() == Kinds.size() && all_of(enumerate(Call.args()), [&](auto Arg) {
             Type *T = Arg.value()->getType();
             return Kinds[Arg.index()] == 'p' ? T->isPointerTy() : T->isIntegerTy();
           });
  };
  if (F->getName() == "qsort" && Takes("pnnp"))
    return LibraryCallback{true, 3, std::nullopt};
  // glibc's and musl's form; the BSDs have the last two the other way round.
  const bool OnLinux = TargetModel(*F->getParent()).isLinux();
  if (F->getName() == "qsort_r" && OnLinux && Takes("pnnpp"))
    return LibraryCallback{true, 3, 4};
  if (F->getName() == "bsearch" && Takes("ppnnp"))
    return LibraryCallback{false, 4, std::nullopt};
  return std::nullopt;
}

bool isPlainMalloc(const CallBase &CB, const TargetLibraryInfo &TLI) {
  return libraryFunction(CB, TLI) == LibFunc_malloc;
}

bool isPosixMemalign(const CallBase &CB, const TargetLibraryInfo &TLI) {
  return libraryFunction(CB, TLI) == LibFunc_posix_memalign;
}

/// glibc, musl, the BSDs and Android call it one way, macOS another.
static constexpr StringLiteral BlockSizeName = "malloc_usable_size",
                               BlockSizeNameOnMac = "malloc_size";

FunctionCallee blockSizeFunction(Module &M, Type *SizeType) {
  StringRef Name = TargetModel(M).isDarwin() ? BlockSizeNameOnMac : BlockSizeName;
  return M.getOrInsertFunction(
      Name, FunctionType::get(SizeType, {PointerType::get(M.getContext(), 0)}, false));
}

bool isLimitedByBlockSize(const MemTransferInst &Copy) {
  auto MadeOf = [](const Value *V) {
    auto *Min = dyn_cast<IntrinsicInst>(V);
    if (Min && Min->getIntrinsicID() == Intrinsic::umin)
      return Operands{Min->getArgOperand(0), Min->getArgOperand(1)};
    return isa<SelectInst>(V) ? choicesOf(V) : Operands();
  };
  return comesFrom(Copy.getLength(), MadeOf, [&](const Value *V) {
    auto *Call = dyn_cast<CallBase>(V);
    const Function *F = Call ? Call->getCalledFunction() : nullptr;
    return F && (F->getName() == BlockSizeName || F->getName() == BlockSizeNameOnMac) &&
           Call->arg_size() == 1 && Call->getArgOperand(0) == Copy.getRawSource();
  });
}

/// What \p V calls, by name; "" if that is not known.
static StringRef nameOfCallee(const Value *V) {
  auto *Call = dyn_cast<CallBase>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F ? F->getName() : "";
}

bool isUninitializedAllocation(const Value *V) {
  return is_contained({"malloc", "_Znwm", "_Znam", "aligned_alloc"}, nameOfCallee(V));
}

bool isZeroedAllocation(const Value *V) { return nameOfCallee(V) == "calloc"; }

bool isPlainRelease(const CallBase &Call) { return nameOfCallee(&Call) == "free"; }

Value *reallocatedPointer(const CallBase &CB, const TargetLibraryInfo &TLI) {
  if (Value *Old = getReallocatedOperand(&CB))
    return Old;
  LibFunc Func; // At -O0 its declaration says nothing of what it does.
  bool IsKnown = TLI.getLibFunc(CB, Func) && (Func == LibFunc_realloc || Func == LibFunc_reallocf ||
                                              Func == LibFunc_reallocarray);
  return IsKnown ? CB.getArgOperand(0) : nullptr;
}

Value *freedPointer(const CallBase &CB, const TargetLibraryInfo &TLI) {
  const Function *Callee = CB.getCalledFunction();
  LibFunc LF;
  if (Callee && Callee->isDeclaration() && TLI.getLibFunc(*Callee, LF) &&
      (LF == LibFunc_free || isLibFreeFunction(Callee, LF)))
    return CB.getArgOperand(0);
  if ((allocKind(CB) & AllocFnKind::Free) != AllocFnKind::Unknown)
    return CB.getArgOperandWithAttribute(Attribute::AllocatedPointer);
  if (Callee && Callee->hasFnAttribute(marking::ReleasesLater))
    return CB.getArgOperand(0);
  return registeredFree(CB);
}

} // namespace isozyme
