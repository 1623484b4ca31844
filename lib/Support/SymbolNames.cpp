//===- SymbolNames.cpp - Symbols as the source has them -------------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "isozyme/Support/SymbolNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace isozyme {

/// Names are in lower case, and a capital letter in front of each says what it is: `M`
/// a module, `S` a submodule, `F` a procedure that contains what follows, `P` a procedure,
/// `E` a variable. A file's main program is one without a name.
std::string fortranName(StringRef Symbol) {
  if (Symbol == "_QQmain")
    return "the main program";
  if (!Symbol.consume_front("_Q"))
    return {};
  SmallVector<std::string, 4> Around;
  std::string Name;
  auto IsCapital = [](char C) { return C >= 'A' && C <= 'Z'; };
  while (!Symbol.empty()) {
    char Kind = Symbol.front();
    if (!is_contained({'M', 'S', 'F', 'P', 'E'}, Kind) || !Name.empty())
      return {};
    Symbol = Symbol.drop_front();
    StringRef Part = Symbol.take_until(IsCapital);
    Symbol = Symbol.drop_front(Part.size());
    // What Isozyme has made of it: `.simplified`, `.real8`.
    Part = Part.take_until([](char C) { return C == '.'; });
    if (Kind == 'P' || Kind == 'E')
      Name = Part.str();
    else if (Kind == 'F')
      Around.push_back(Part.empty() ? "the main program" : "in " + Part.str());
    else
      Around.push_back((Kind == 'M' ? "module " : "submodule ") + Part.str());
  }
  if (Name.empty())
    return {};
  return Around.empty() ? Name : Name + " (" + join(reverse(Around), ", ") + ")";
}

std::string nameInSource(StringRef Symbol) {
  if (std::string Name = fortranName(Symbol); !Name.empty())
    return Name;
  std::string Name = demangle(Symbol);
  if (Name.size() <= 80)
    return Name;
  std::string Short;
  unsigned Depth = 0; // Of template arguments and parameters.
  for (char C : StringRef(Name)) {
    bool Opens = C == '<' || C == '(', Closes = C == '>' || C == ')';
    if (Closes && Depth == 1)
      Short += "...";
    Depth -= Closes && Depth;
    if (Depth == 0)
      Short += C;
    Depth += Opens;
  }
  if (Depth) // operator< and the like: it does not come out even.
    return Name;
  // Templates have their result in front: void std::sort<...>(...)
  StringRef Front = StringRef(Short).take_until([](char C) { return C == '('; });
  size_t Space = Front.contains("operator") ? StringRef::npos : Front.rfind(' ');
  return Space == StringRef::npos ? Short : Short.substr(Space + 1);
}

bool isFortran(const Function &F) {
  return F.getName().starts_with("_Q") ||
         (F.getParent() && F.getParent()->getModuleIdentifier() == "FIRModule");
}

std::string mangledName(const Function &F) { return F.getName().split('.').first.str(); }

SmallVector<std::string, 8> parameterTypes(const Function &F) {
  const std::string Mangled = mangledName(F);
  ItaniumPartialDemangler Name;
  if (Name.partialDemangle(Mangled.c_str()))
    return {};
  size_t Size = 0;
  std::unique_ptr<char, decltype(&std::free)> Text(Name.getFunctionParameters(nullptr, &Size),
                                                   &std::free);
  if (!Text)
    return {};
  SmallVector<std::string, 8> Types;
  StringRef Rest = StringRef(Text.get()).drop_front();
  for (size_t Depth = 0, I = 0, Begin = 0; I < Rest.size(); ++I) {
    if (StringRef("<([{").contains(Rest[I]))
      ++Depth;
    bool Ends = !Depth && (Rest[I] == ',' || Rest[I] == ')');
    if (Ends) {
      Types.push_back(Rest.slice(Begin, I).trim().str());
      Begin = I + 1;
    } else if (StringRef(">)]}").contains(Rest[I])) {
      --Depth;
    }
  }
  return Types;
}

} // namespace isozyme
