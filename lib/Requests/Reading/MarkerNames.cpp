//===- MarkerNames.cpp - The words of Enzyme's calling convention ---------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two tables and their lookups. A word that is in a table but not supported is
// reported as such; a word that is in no table is either not ours (functions)
// or misspelt (markers).
//
//===----------------------------------------------------------------------===//
#include "isozyme/Requests/MarkerNames.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace llvm;

namespace isozyme {

namespace {
struct EntryName {
  StringLiteral Text;
  EntryPoint Kind;
};
struct MarkerName {
  StringLiteral Text;
  Marker Kind;
};
} // namespace

// In the order in which they are tried.
static constexpr EntryName EntryNames[] = {
    {"__enzyme_autodiff", EntryPoint::Autodiff},
    {"__enzyme_fwddiff", EntryPoint::Fwddiff},
    {"__isozyme_dependence", EntryPoint::Dependence},
    {"__enzyme_error_estimate", EntryPoint::NotSupported},
    {"__enzyme_fwdsplit", EntryPoint::Fwdsplit},
    {"__enzyme_augmentfwd", EntryPoint::Augmentfwd},
    {"__enzyme_augmentsize", EntryPoint::Augmentsize},
    {"__enzyme_reverse", EntryPoint::Reverse},
    {"__enzyme_virtualreverse", EntryPoint::VirtualReverse},
    {"__enzyme_batch", EntryPoint::Batch},
    {"__enzyme_truncate_mem_func", EntryPoint::NotSupported},
    {"__enzyme_truncate_op_func", EntryPoint::NotSupported},
    {"__enzyme_truncate_mem_value", EntryPoint::NotSupported},
    {"__enzyme_expand_mem_value", EntryPoint::NotSupported},
    {"__enzyme_likelihood", EntryPoint::NotSupported},
    {"__enzyme_trace", EntryPoint::NotSupported},
    {"__enzyme_condition", EntryPoint::NotSupported},
    {"__enzyme_sample", EntryPoint::NotSupported},
    {"__enzyme_observe", EntryPoint::NotSupported},
    {"__enzyme_call_inactive", EntryPoint::CallInactive},
    {"__enzyme_todense", EntryPoint::Todense},
    {"__enzyme_post_sparse_todense", EntryPoint::Todense},
    {"__enzyme_product", EntryPoint::NotSupported},
    {"__enzyme_sum", EntryPoint::NotSupported},
    {"__enzyme_iter", EntryPoint::Iter},
    {"__enzyme_context", EntryPoint::NotSupported},
    {"__enzyme_shadow", EntryPoint::NotSupported},
    {"__enzyme_zero_shadows", EntryPoint::NotSupported},
    {"__enzyme_checkpoint_for", EntryPoint::NotSupported},
    {"__enzyme_checkpoint_while", EntryPoint::NotSupported},
    {"__enzyme_fixed_point", EntryPoint::NotSupported},
    {"__enzyme_set_fixed_point", EntryPoint::NotSupported},
    {"__enzyme_ptr_size_hint", EntryPoint::NotSupported},
};

static constexpr MarkerName MarkerNames[] = {
    {"enzyme_const", Marker::Const},
    {"enzyme_dup", Marker::Dup},
    {"enzyme_dupnoneed", Marker::DupNoNeed},
    {"enzyme_out", Marker::Out},
    {"enzyme_dupv", Marker::DupStrided},
    {"enzyme_dupnoneedv", Marker::DupNoNeedStrided},
    {"enzyme_not_overwritten", Marker::NotOverwritten},
    {"isozyme_unshared", Marker::Unshared},
    {"enzyme_byref", Marker::ByRef},
    {"enzyme_width", Marker::Width},
    {"enzyme_primal_return", Marker::PrimalReturn},
    {"enzyme_noret", Marker::NoReturn},
    {"enzyme_const_return", Marker::ConstReturn},
    {"enzyme_active_return", Marker::ActiveReturn},
    {"enzyme_dup_return", Marker::DupReturn},
    {"enzyme_strong_zero", Marker::StrongZero},
    {"enzyme_interleave", Marker::Interleave},
    {"enzyme_allocated", Marker::Allocated},
    {"enzyme_tape", Marker::Tape},
    {"enzyme_nofree", Marker::NoFree},
    {"enzyme_runtime_activity", Marker::RuntimeActivity},
    {"enzyme_nocache", Marker::NotSupported},
    {"enzyme_context", Marker::NotSupported},
    {"enzyme_trace", Marker::NotSupported},
    {"enzyme_duptrace", Marker::NotSupported},
    {"enzyme_likelihood", Marker::NotSupported},
    {"enzyme_duplikelihood", Marker::NotSupported},
    {"enzyme_observations", Marker::NotSupported},
    {"enzyme_interface", Marker::NotSupported},
    {"enzyme_active_rand_var", Marker::NotSupported},
    {"enzyme_scalar", Marker::Scalar},
    {"enzyme_vector", Marker::Vector},
    {"enzyme_buffer", Marker::Buffer},
};

bool isConventionName(StringRef Name) {
  return Name.contains("__enzyme_") || Name.contains("__isozyme_");
}

static const EntryName *findEntry(StringRef FunctionName) {
  // Most names in a module have no part in this.
  if (!isConventionName(FunctionName))
    return nullptr;
  const EntryName *E = find_if(
      EntryNames, [&](const EntryName &Entry) { return FunctionName.contains(Entry.Text); });
  return E == std::end(EntryNames) ? nullptr : E;
}

std::optional<EntryPoint> entryPoint(StringRef FunctionName) {
  if (const EntryName *E = findEntry(FunctionName))
    if (E->Kind != EntryPoint::Iter || FunctionName == E->Text)
      return E->Kind;
  return std::nullopt;
}

StringRef entryPointText(StringRef FunctionName) {
  const EntryName *E = findEntry(FunctionName);
  return E ? StringRef(E->Text) : StringRef();
}

namespace {

/// A word of other tools and papers, and the name that means the same here.
struct OtherWord {
  StringLiteral Start;
  StringLiteral Meant;
};

} // namespace

static constexpr OtherWord OtherEntries[] = {
    {"grad", "__enzyme_autodiff"},         {"vjp", "__enzyme_autodiff"},
    {"autogradient", "__enzyme_autodiff"}, {"backward", "__enzyme_autodiff"},
    {"jvp", "__enzyme_fwddiff"},           {"forward", "__enzyme_fwddiff"},
    {"fwd", "__enzyme_fwddiff"},           {"augment", "__enzyme_augmentfwd"},
};

static constexpr OtherWord OtherMarkers[] = {
    {"active", "enzyme_out"},         {"inactive", "enzyme_const"}, {"nodiff", "enzyme_const"},
    {"shadow", "enzyme_dup"},         {"batch", "enzyme_width"},    {"lanes", "enzyme_width"},
    {"vector_width", "enzyme_width"}, {"output", "enzyme_out"},
};

static StringRef meantBy(StringRef Word, ArrayRef<OtherWord> Words) {
  const OtherWord *W =
      find_if(Words, [&](const OtherWord &O) { return Word.starts_with(O.Start); });
  return W == Words.end() ? StringRef() : StringRef(W->Meant);
}

StringRef nearestEntryPoint(StringRef FunctionName) {
  constexpr StringLiteral Prefix = "__enzyme_";
  size_t At = FunctionName.find(Prefix);
  if (At == StringRef::npos || findEntry(FunctionName))
    return "";
  StringRef Word = FunctionName.substr(At), Nearest;
  unsigned Best = 3; // Two letters wrong are a slip; in a short word they are another word.
  for (const EntryName &E : EntryNames) {
    size_t Length = E.Text.size();
    if (E.Kind == EntryPoint::NotSupported || !E.Text.starts_with(Prefix))
      continue;
    unsigned Limit = std::min(Best, Length < Prefix.size() + 7 ? 2u : 3u);
    for (size_t Taken = Length - 2; Taken <= Length + 2; ++Taken)
      if (unsigned Distance = Word.take_front(Taken).edit_distance(E.Text, true, Limit);
          Distance < Limit) {
        Limit = Best = Distance;
        Nearest = E.Text;
      }
  }
  return Nearest.empty() ? meantBy(Word.drop_front(Prefix.size()), OtherEntries) : Nearest;
}

bool isMarkerName(StringRef Name) {
  return Name.starts_with("enzyme_") || markerByName(Name).has_value();
}

std::optional<Marker> markerByName(StringRef Name) {
  const MarkerName *M = find_if(MarkerNames, [&](const MarkerName &N) { return N.Text == Name; });
  if (M == std::end(MarkerNames))
    return std::nullopt;
  return M->Kind;
}

StringRef nearestMarkerName(StringRef Name) {
  // All share the prefix; more than half of the rest wrong is another word.
  Name.consume_front("enzyme_");
  constexpr unsigned Slip = 2; // Letters. Where more differ, what the words start with counts.
  unsigned Best = unsigned(Name.size()) / 2 + 1;
  StringRef Nearest, Start, Whole;
  for (const MarkerName &N : MarkerNames) {
    if (N.Kind == Marker::NotSupported)
      continue;
    StringRef Known = N.Text.drop_front(N.Text.find('_') + 1);
    unsigned Distance = Name.edit_distance(Known, /*AllowReplacements=*/true, Best);
    if (Distance < Best) {
      Best = Distance;
      Nearest = N.Text;
    }
    // "duplicated": the longest name that it starts with.
    if (Name.starts_with(Known) && N.Text.size() > Start.size())
      Start = N.Text;
    // "primal": a part of one.
    if (Name.size() >= 5 && Known.starts_with(Name))
      Whole = N.Text;
  }
  if (!Nearest.empty() && Best <= Slip)
    return Nearest;
  if (!Start.empty())
    return Start;
  StringRef Meant = meantBy(Name, OtherMarkers);
  if (!Meant.empty())
    return Meant;
  return Whole.empty() ? Nearest : Whole;
}

} // namespace isozyme
