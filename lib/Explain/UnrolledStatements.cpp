//===- UnrolledStatements.cpp - Copies by unrolling, told once ------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimiser unrolls a loop of three iterations, and each statement stands there three times:
//
//   dt.adj += x[2].adj * v[2]           dt.adj += x[i].adj * v[i]   // for i = 2, 1
//   v[2].adj += x[2].adj * dt      ->   v[i].adj += x[i].adj * dt   // for i = 2, 1
//   dt.adj += x[1].adj * v[1]
//   v[1].adj += x[1].adj * dt
//
// In: the statements of a line.  Out: the same, shorter. Never: folds what differs in anything
// but indices that move together.
//
//===----------------------------------------------------------------------===//
#include "UnrolledStatements.h"
#include "isozyme/Plan/Source/Polynomial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;

namespace isozyme {

namespace {

/// "x[2].adj * v[3]" as the texts "x[", "].adj * v[", "]" and the numbers 2, 3 between them.
struct Statement {
  std::vector<std::string> Texts{""};
  std::vector<int64_t> Numbers;
};

/// Statements that follow each other, and the copies of them that follow those.
struct Copies {
  size_t Length = 1;             ///< How many statements are one copy.
  std::vector<int64_t> Moves{0}; ///< By how much the indices of each copy differ from the first.
};

} // namespace

static Statement takeApart(StringRef Text) {
  Statement S;
  while (!Text.empty()) {
    size_t Open = Text.find('[');
    S.Texts.back() += Text.take_front(Open == StringRef::npos ? Text.size() : Open + 1);
    Text = Open == StringRef::npos ? "" : Text.drop_front(Open + 1);
    StringRef Rest = Text;
    int64_t Number;
    if (!Rest.consumeInteger(10, Number) && Rest.starts_with("]")) {
      S.Numbers.push_back(Number);
      S.Texts.emplace_back();
      Text = Rest;
    }
  }
  return S;
}

/// By how much the indices differ that are not the same in \p A and \p B. None if all are, if they
/// differ by different amounts, or if anything else differs.
static std::optional<int64_t> moveBetween(ArrayRef<Statement> A, ArrayRef<Statement> B) {
  std::optional<int64_t> Move;
  for (auto [First, Second] : zip_equal(A, B)) {
    if (First.Texts != Second.Texts)
      return std::nullopt;
    for (auto [From, To] : zip_equal(First.Numbers, Second.Numbers)) {
      if (From == To)
        continue;
      if (Move && *Move != To - From)
        return std::nullopt;
      Move = To - From;
    }
  }
  return Move;
}

/// Do the same indices stay where they are between \p A and \p B as between \p A and \p C?
static bool sameMove(ArrayRef<Statement> A, ArrayRef<Statement> B, ArrayRef<Statement> C) {
  for (auto [First, Second, Third] : zip_equal(A, B, C))
    for (auto [From, To, Next] : zip_equal(First.Numbers, Second.Numbers, Third.Numbers))
      if ((From == To) != (From == Next))
        return false;
  return true;
}

/// The copies that \p All begins with: as many statements as can be told by the fewest.
static Copies findCopies(ArrayRef<Statement> All) {
  constexpr size_t LongestCopy = 12;
  Copies Best;
  for (size_t Length = 1; Length <= std::min(LongestCopy, All.size() / 2); ++Length) {
    Copies Found{Length, {0}};
    ArrayRef<Statement> First = All.take_front(Length), Second = All.slice(Length, Length);
    for (size_t At = Length; At + Length <= All.size(); At += Length) {
      ArrayRef<Statement> Here = All.slice(At, Length);
      std::optional<int64_t> Move = moveBetween(First, Here);
      if (!Move || !sameMove(First, Second, Here))
        break;
      Found.Moves.push_back(*Move);
    }
    if (Found.Moves.size() > 1 && Length * Found.Moves.size() > Best.Length * Best.Moves.size())
      Best = std::move(Found);
  }
  return Best;
}

/// Has the user written indices as numbers: `x[0] * x[1]`?
static bool hasNumbersAsIndices(StringRef Source) {
  for (size_t Open = Source.find('['); Open != StringRef::npos; Open = Source.find('[', Open + 1))
    if (StringRef Index = Source.drop_front(Open + 1).ltrim();
        !Index.empty() && isDigit(Index.front()))
      return true;
  return false;
}

/// The names between brackets in the source, which a loop counts.
static std::vector<std::string> indicesIn(StringRef Source) {
  std::vector<std::string> Names;
  for (size_t Open = Source.find('['); Open != StringRef::npos; Open = Source.find('[', Open + 1)) {
    StringRef Name = Source.drop_front(Open + 1).ltrim().take_while(
        [](char C) { return isAlnum(C) || C == '_'; });
    if (!Name.empty() && !isDigit(Name.front()) && !is_contained(Names, Name))
      Names.push_back(Name.str());
  }
  return Names;
}

/// "2, 1, 0", or "9, 8, ..., 0" for many.
static std::string listed(int64_t First, ArrayRef<int64_t> Moves) {
  constexpr size_t MostListed = 4;
  std::vector<std::string> Parts;
  for (int64_t Move : Moves)
    Parts.push_back(std::to_string(First + Move));
  if (Parts.size() > MostListed) {
    Parts.erase(Parts.begin() + 2, Parts.end() - 1);
    Parts.insert(Parts.begin() + 2, "...");
  }
  return join(Parts, ", ");
}

/// \p S with \p Name for the indices that are not the same in \p Other.
static std::string withName(const Statement &S, const Statement &Other, StringRef Name,
                            int64_t Base) {
  std::string Text = S.Texts.front();
  for (size_t I = 0; I < S.Numbers.size(); ++I) {
    int64_t Distance = S.Numbers[I] - Base;
    if (S.Numbers[I] == Other.Numbers[I])
      Text += std::to_string(S.Numbers[I]);
    else
      Text += Name.str() + (Distance > 0   ? " + " + std::to_string(Distance)
                            : Distance < 0 ? " - " + std::to_string(-Distance)
                                           : "");
    Text += S.Texts[I + 1];
  }
  return Text;
}

void tellCopiesOnce(std::vector<std::string> &Statements, StringRef Source) {
  static constexpr StringLiteral Comment = "   // ";
  if (hasNumbersAsIndices(Source))
    return;
  std::vector<Statement> All;
  for (const std::string &Text : Statements)
    All.push_back(takeApart(Text));
  std::vector<std::string> Names = indicesIn(Source);
  llvm::erase_if(Names, [&](const std::string &Name) {
    return any_of(Statements, [&](const std::string &Text) { return hasWord(Text, Name); });
  });
  const bool IsKnown = Names.size() == 1;
  const std::string Name = IsKnown ? Names.front() : "k";
  // Two statements that the user wrote look like that, too.
  const size_t Fewest = IsKnown ? 2 : 3;
  std::vector<std::string> Told;
  for (size_t At = 0; At < All.size();) {
    const ArrayRef<Statement> Rest = ArrayRef(All).drop_front(At);
    const Copies Found = findCopies(Rest);
    if (Found.Moves.size() < Fewest) {
      Told.push_back(Statements[At++]);
      continue;
    }
    std::optional<int64_t> Base;
    for (size_t I = 0; I < Found.Length; ++I)
      for (auto [Number, Other] : zip_equal(Rest[I].Numbers, Rest[Found.Length + I].Numbers))
        if (Number != Other && (!Base || Number < *Base))
          Base = Number;
    for (size_t I = 0; I < Found.Length; ++I) {
      std::string Text = withName(Rest[I], Rest[Found.Length + I], Name, *Base);
      Text += StringRef(Text).contains(Comment) ? ", " : Comment.str();
      Told.push_back(Text + "for " + Name + " = " + listed(*Base, Found.Moves));
    }
    At += Found.Length * Found.Moves.size();
  }
  Statements = std::move(Told);
}

} // namespace isozyme
