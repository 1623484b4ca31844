//===- Attributes.cpp - enzyme_... attributes in C and C++ ----------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang loads by -fplugin=IsozymeClang.so. Without it, clang warns of attributes
// that it does not know and drops them, and derivatives are others.
//
//   __attribute__((enzyme_function_like("log1p"))) double g(double);
//   => __attribute__((annotate("enzyme_function_like=log1p"))) double g(double);
//
// In: declarations with such attributes. Out: the annotations that the pass plugin reads
// (lib/Requests/Annotations). Never: decides what they mean.
//
//===----------------------------------------------------------------------===//
#include "../plugin/HostVersion.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace {

/// Before the constructors that register attributes.
__attribute__((constructor(101))) void checkHost() { checkHostVersion(); }

/// An attribute of functions, or of functions and global variables.
class EnzymeAttribute : public ParsedAttrInfo {
protected:
  /// As GNU writes it, as a standard attribute, and in the namespaces of both compilers.
  struct Names {
    Spelling All[9];
  };
  static constexpr Names spell(const char *Name, const char *InEnzyme, const char *Full,
                               const char *InClang) {
    return {{{ParsedAttr::AS_GNU, Name},
             {ParsedAttr::AS_C23, Name},
             {ParsedAttr::AS_C23, InEnzyme},
             {ParsedAttr::AS_C23, Full},
             {ParsedAttr::AS_C23, InClang},
             {ParsedAttr::AS_CXX11, Name},
             {ParsedAttr::AS_CXX11, InEnzyme},
             {ParsedAttr::AS_CXX11, Full},
             {ParsedAttr::AS_CXX11, InClang}}};
  }
  EnzymeAttribute(const Names &N, StringRef Text, bool OfVariables, unsigned Operands)
      : Text(Text), OfVariables(OfVariables) {
    NumArgs = Operands;
    Spellings = N.All;
  }

  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &Attribute, const Decl *D) const override {
    auto *Variable = dyn_cast<VarDecl>(D);
    if (isa<FunctionDecl>(D) || (OfVariables && Variable && Variable->hasGlobalStorage()))
      return true;
    S.Diag(Attribute.getLoc(), diag::warn_attribute_wrong_decl_type_str)
        << Attribute << Attribute.isRegularKeywordAttribute()
        << (OfVariables ? "functions and global variables" : "functions");
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &Attribute) const override {
    std::string Annotation = Text.str();
    if (NumArgs) {
      StringRef Operand;
      if (!S.checkStringLiteralArgumentAttr(Attribute, 0, Operand))
        return AttributeNotApplied;
      Annotation += "=" + Operand.str();
    }
    D->addAttr(AnnotateAttr::Create(S.Context, Annotation, nullptr, 0, Attribute.getRange()));
    return AttributeApplied;
  }

private:
  StringRef Text;
  bool OfVariables;
};

#define ENZYME_ATTRIBUTE(CLASS, NAME, OF_VARIABLES, OPERANDS)                                      \
  class CLASS : public EnzymeAttribute {                                                           \
    static constexpr Names Written =                                                               \
        spell("enzyme_" NAME, "enzyme::" NAME, "enzyme::enzyme_" NAME, "clang::enzyme_" NAME);     \
                                                                                                   \
  public:                                                                                          \
    CLASS() : EnzymeAttribute(Written, "enzyme_" NAME, OF_VARIABLES, OPERANDS) {}                  \
  };                                                                                               \
  ParsedAttrInfoRegistry::Add<CLASS> Add##CLASS("enzyme_" NAME, "for derivatives");

ENZYME_ATTRIBUTE(Inactive, "inactive", true, 0)
ENZYME_ATTRIBUTE(NoFree, "nofree", false, 0)
ENZYME_ATTRIBUTE(FunctionLike, "function_like", false, 1)
ENZYME_ATTRIBUTE(ShouldRecompute, "shouldrecompute", false, 0)
ENZYME_ATTRIBUTE(SparseAccumulate, "sparse_accumulate", false, 0)

} // namespace
