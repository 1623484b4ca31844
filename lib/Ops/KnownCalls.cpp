//===- KnownCalls.cpp - Library functions that move no derivative ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Ops/KnownCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include <algorithm>
#include <functional>
#include <string_view>

using namespace llvm;

namespace isozyme {

namespace {

/// Sorted: looked up by binary search.
constexpr StringLiteral LibraryNames[] = {
    "_Exit", "_Unwind_Resume", "__assert", "__assert_fail", "__assert_func",
    "__assert_perror_fail", "__assert_rtn", "__ctype_b_loc", "__ctype_tolower_loc",
    "__ctype_toupper_loc", "__cxa_allocate_exception", "__cxa_atexit", "__cxa_begin_catch",
    "__cxa_end_catch", "__cxa_free_exception", "__cxa_get_exception_ptr", "__cxa_guard_abort",
    "__cxa_guard_acquire", "__cxa_guard_release", "__cxa_pure_virtual", "__cxa_rethrow",
    "__cxa_throw", "__errno_location", "__error", "__fprintf_chk", "__isoc23_strtol",
    "__isoc23_strtoll", "__isoc23_strtoul", "__isoc23_strtoull", "__overflow", "__printf_chk",
    "__snprintf_chk", "__sprintf_chk", "__stack_chk_fail", "__vfprintf_chk", "__vprintf_chk",
    "__vsnprintf_chk", "__vsprintf_chk", "_exit", "abort", "access", "asctime", "atexit",
    "atof", "atoi", "atol", "atoll", "clearerr", "clock", "clock_getres", "clock_gettime",
    "close", "compress2", "ctime", "difftime", "drand48", "erand48", "exit", "fclose",
    "fdopen", "feclearexcept", "fegetround", "feof", "ferror", "fesetround", "fflush", "fgetc",
    "fgets", "fileno", "fopen", "fprintf", "fputc", "fputc_unlocked", "fputs",
    "fputs_unlocked", "fseek", "fstat", "ftell", "fwrite", "fwrite_unlocked", "getc",
    "getc_unlocked", "getchar", "getcwd", "getenv", "gethostname", "getpagesize", "getpid",
    "gettimeofday", "gmtime", "isalnum", "isalpha", "isatty", "isblank", "iscntrl", "isdigit",
    "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "jrand48",
    "localtime", "lrand48", "lseek", "lstat", "malloc_size", "malloc_usable_size", "memchr",
    "memcmp", "mkdir", "mktime", "mrand48", "nan", "nanf", "nanl", "nanosleep", "nrand48",
    "omp_get_max_threads", "omp_get_num_procs", "omp_get_num_threads", "omp_get_thread_num",
    "omp_get_wtime", "open", "perror", "printf", "putc", "putc_unlocked", "putchar",
    "putchar_unlocked", "puts", "rand", "rand_r", "random", "remove", "rename", "rewind",
    "sched_yield", "setbuf", "setenv", "setlocale", "setvbuf", "sleep", "snprintf", "sprintf",
    "srand", "srand48", "srandom", "stat", "strcasecmp", "strcat", "strchr", "strcmp",
    "strcoll", "strcpy", "strcspn", "strerror", "strftime", "strlen", "strncasecmp", "strncat",
    "strncmp", "strncpy", "strnlen", "strpbrk", "strrchr", "strspn", "strstr", "strtod",
    "strtof", "strtok", "strtol", "strtold", "strtoll", "strtoul", "strtoull", "sysconf",
    "system", "time", "timespec_get", "tmpfile", "tolower", "toupper", "ungetc", "unlink",
    "unsetenv", "usleep", "vfprintf", "vprintf", "vsnprintf", "vsprintf",
};
constexpr std::string_view textOf(const StringLiteral &S) { return {S.data(), S.size()}; }
static_assert(std::ranges::is_sorted(LibraryNames, std::less<>(), textOf));

/// libstdc++, the inline namespace __1 of libc++, Fortran, Rust.
constexpr StringLiteral RuntimePrefixes[] = {
    "_ZNSo",                             // std::ostream
    "_ZNKSo",
    "_ZNSs",                             // std::string of the old ABI
    "_ZNKSs",
    "_ZStls",                            // operator<<(std::ostream &, ...)
    "_ZSt4endl",
    "_ZSt4ends",
    "_ZSt5flush",
    "_ZSt16__ostream_insert",
    "_ZSt9use_facet",
    "_ZSt9has_facet",
    "_ZSt13__check_facet",
    "_ZSt16__throw_bad_cast",
    "_ZSt9terminate",
    "_ZSt11_Hash_bytes",
    "_ZSt17__throw_bad_alloc",
    "_ZSt19__throw_logic_error",
    "_ZSt20__throw_length_error",
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
    "_ZNSt13basic_ostream",
    "_ZNKSt13basic_ostream",
    "_ZNSt14basic_ofstream",
    "_ZNKSt14basic_ofstream",
    "_ZNSt7__cxx1112basic_string",
    "_ZNKSt7__cxx1112basic_string",
    "_ZNSt7__cxx119to_string",
    "_ZNSt7__cxx1115basic_stringbuf",
    "_ZNKSt7__cxx1115basic_stringbuf",
    "_ZNSt7__cxx1118basic_stringstream",
    "_ZNKSt7__cxx1118basic_stringstream",
    "_ZNSt7__cxx1119basic_ostringstream",
    "_ZNKSt7__cxx1119basic_ostringstream",
    "_ZNSt6chrono3_V2",
    "_ZNSt13random_device",
    "_ZNSt8__detail20_Prime_rehash_policy",
    "_ZNKSt8__detail20_Prime_rehash_policy",
    "_ZNSt3__112basic_string",
    "_ZNKSt3__112basic_string",
    "_ZNSt3__19to_string",
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
    "_ZNSt3__1lsB",                      // operator<<, with an ABI tag or without
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
    "_FortranAioBegin",                  // of all input and output; not _FortranAioInput
    "_FortranAioEnd",
    "_FortranAioEnable",
    "_FortranAioOutput",
    "_FortranAioSet",
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

} // namespace

bool isInactiveLibraryName(StringRef Name) {
  return std::binary_search(std::begin(LibraryNames), std::end(LibraryNames), Name,
                            [](StringRef A, StringRef B) { return A < B; });
}

bool isInactiveRuntimeName(StringRef Symbol) {
  return any_of(RuntimePrefixes, [&](StringRef P) { return Symbol.starts_with(P); });
}

bool isInactiveIntrinsic(Intrinsic::ID Id) {
  switch (Id) {
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
  case Intrinsic::sideeffect:
  case Intrinsic::stackrestore:
  case Intrinsic::stacksave:
  case Intrinsic::trap:
  case Intrinsic::type_test:
  case Intrinsic::ubsantrap:
  case Intrinsic::var_annotation:
    return true;
  default:
    return false;
  }
}

bool isKnownInactive(const CallBase &CB) {
  // Nothing comes back from such a call, so no derivative does.
  if (CB.doesNotReturn())
    return true;
  const Function *Callee = CB.getCalledFunction();
  if (!Callee)
    return false;
  if (Callee->isIntrinsic())
    return isInactiveIntrinsic(Callee->getIntrinsicID());
  if (Callee->isDeclaration() && isInactiveLibraryName(Callee->getName()))
    return true;
  return isInactiveRuntimeName(Callee->getName());
}

bool isAllocation(const CallBase &CB, const TargetLibraryInfo &TLI) {
  const Function *Callee = CB.getCalledFunction();
  // The library's own prototype is checked by getLibFunc. It is not asked
  // whether the call may be treated as a builtin: nobuiltin forbids LLVM to
  // remove the call, not to know what it does.
  LibFunc LF;
  if (Callee && Callee->isDeclaration() && TLI.getLibFunc(*Callee, LF) && isAllocationLibFunc(LF))
    return true;
  AllocFnKind Kind = allocKind(CB);
  return (Kind & AllocFnKind::Alloc) != AllocFnKind::Unknown &&
         (Kind & AllocFnKind::Realloc) == AllocFnKind::Unknown;
}

std::optional<AllocationSize> allocationSize(const CallBase &CB, const TargetLibraryInfo &TLI) {
  if (!isAllocation(CB, TLI))
    return std::nullopt;
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

bool isReallocation(const CallBase &CB, const TargetLibraryInfo &TLI) {
  LibFunc Func;
  return getReallocatedOperand(&CB) ||
         (TLI.getLibFunc(CB, Func) && (Func == LibFunc_realloc || Func == LibFunc_reallocf ||
                                       Func == LibFunc_reallocarray));
}

Value *freedPointer(const CallBase &CB, const TargetLibraryInfo &TLI) {
  const Function *Callee = CB.getCalledFunction();
  LibFunc LF;
  if (Callee && Callee->isDeclaration() && TLI.getLibFunc(*Callee, LF) &&
      (LF == LibFunc_free || isLibFreeFunction(Callee, LF)))
    return CB.getArgOperand(0);
  if ((allocKind(CB) & AllocFnKind::Free) != AllocFnKind::Unknown)
    return CB.getArgOperandWithAttribute(Attribute::AllocatedPointer);
  return nullptr;
}

} // namespace isozyme
