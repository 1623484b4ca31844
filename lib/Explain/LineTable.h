//===- LineTable.h - Lines of the source, by debug location -----*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_EXPLAIN_LINETABLE_H
#define ISOZYME_LIB_EXPLAIN_LINETABLE_H

#include "SourceFiles.h"
#include "isozyme/Explain/Report.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <map>
#include <memory>
#include <vector>

namespace isozyme {

/// Where code is shown: in a copy of a function, for one way of calls that leads there. What
/// libraries do is shown where the user calls them.
struct ShownPlace {
  const llvm::DISubprogram *Program = nullptr; ///< Null: in the function itself.
  unsigned Line = 0;
  /// The calls that it came by, the innermost first.
  std::vector<const llvm::DILocation *> Calls;
  /// They as text: "f.c:12:3 < g.c:20:7". Empty for the function itself.
  std::string path() const;
};
ShownPlace shownPlace(const llvm::DebugLoc &Loc);

/// Lines, found by debug locations, in blocks of one function each.
class LineTable {
public:
  LineTable(const llvm::Function &Original, SourceFiles &Files);

  /// The line that \p Loc is on; without a location the line of the function.
  ExplainedLine &at(const llvm::DebugLoc &Loc);
  /// Where the source returns, if the compiler says that it is the closing brace.
  ExplainedLine &atReturn(const llvm::DebugLoc &Loc);
  void forEach(llvm::function_ref<void(ExplainedLine &)> Do) {
    for (auto &B : Blocks)
      for (auto &[Number, Line] : B->Lines)
        Do(Line);
  }
  /// With the source text, and with the lines between.
  std::vector<ExplainedBlock> finish();
  /// The function whose code comes first: that of the user which is differentiated.
  const llvm::DISubprogram *mainProgram() const { return Main; }

private:
  struct Block {
    std::map<unsigned, ExplainedLine> Lines;
    ShownPlace Where; ///< Of its first line that was met.
    std::string Path;
  };
  Block &blockOf(const ShownPlace &Where);
  ExplainedBlock finish(Block &B);
  unsigned lastReturn(unsigned From, unsigned To);

  const llvm::Function &Original;
  SourceFiles &Files;
  const llvm::DISubprogram *Main;
  std::vector<std::unique_ptr<Block>> Blocks; ///< The function itself comes first.
  std::map<std::string, Block *> Copies;      ///< The others, by path and function.
};

/// "norm"; of a lambda the variable that holds it, or "the lambda in line 12".
std::string shownName(const llvm::DISubprogram &Program);

/// "sort<...>", where what is between the brackets is long.
std::string shortTemplate(const std::string &Name);

} // namespace isozyme

#endif
