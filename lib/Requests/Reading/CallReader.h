//===- CallReader.h - Reads one marker call ----------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state while a marker call is read: the operands not yet consumed and the
// request as far as it is known.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_LIB_REQUESTS_CALLREADER_H
#define ISOZYME_LIB_REQUESTS_CALLREADER_H

#include "isozyme/Requests/MarkerCalls.h"
#include "isozyme/Requests/MarkerNames.h"
#include "llvm/IR/InstrTypes.h"

namespace isozyme {

class CallReader {
public:
  /// \p Records: a first half whose arguments are those of a forward derivative.
  CallReader(llvm::CallBase &Call, EntryPoint Entry, bool Records = false);

  llvm::Expected<MarkerCall> read();

private:
  /// An operand of the call: a marker, or (Kind empty) a value.
  struct Operand {
    llvm::Value *V;
    unsigned Number; ///< As the user counts the call's arguments, from 1.
    std::optional<Marker> Kind;
    llvm::StringRef Text;
  };
  /// What the markers before a value say about it.
  struct Modifiers {
    std::optional<ArgActivity> Activity;
    llvm::StringRef Last; ///< The last marker read; empty if none.
    llvm::Value *Stride = nullptr;
    bool Strided = false;
    bool NotOverwritten = false;
    bool Unshared = false;
    std::optional<uint64_t> ByRefSize;
  };

  // The function and the flags that are about the whole call.
  llvm::Error readFunction();
  llvm::Error splitOperands();
  bool isMemberAdjustment(unsigned I) const;
  llvm::Error checkNoMarkerIn(const Operand &O) const;
  llvm::Error readFlag(const Operand &Flag, unsigned &I, llvm::ArrayRef<Operand> All);
  llvm::Error readWidth(unsigned &I, llvm::ArrayRef<Operand> All);
  llvm::Error readTapeFlag(const Operand &Flag, unsigned &I, llvm::ArrayRef<Operand> All);

  // One parameter after the other.
  llvm::Error readArguments();
  void keepReadMemory();
  llvm::Error readStructReturn(unsigned Param);
  ArgActivity structReturnActivity(unsigned Param) const;
  static std::optional<ArgActivity> activityOf(Marker Kind);
  llvm::Error readArgument(unsigned Param);
  unsigned piecesFrom(unsigned Param, const Operand &O) const;
  llvm::Error readPiece(unsigned Param);
  llvm::Error readModifiers(unsigned Param, Modifiers &M);
  llvm::Error readShadows(unsigned Param);
  llvm::Error readInterleaved();
  llvm::Error chooseActivity(unsigned Param, const Modifiers &M);
  llvm::Error checkOperand(unsigned Param, const Operand &O, bool IsShadow);
  llvm::Error checkShape(unsigned Param, const Operand &O, bool IsShadow) const;
  bool isMisplacedMarker() const;
  bool isStructInMemory(const llvm::Value *Primal) const;
  bool couldBeRest(unsigned Param, unsigned At) const;
  std::optional<unsigned> parameterMeant(unsigned Param, const Operand &O) const;
  std::string shadowMisfitFix(unsigned Param, const Operand &O) const;
  bool isInPlaceOfMarker(unsigned Param, const Operand &O) const;
  std::string misfitFix(unsigned Param, const Operand &O, bool IsShadow) const;
  llvm::Error checkNumberForPointer(unsigned Param, const Operand &O) const;

  llvm::Error checkNothingLeft() const;

  // Split modes (ReadTape.cpp).
  llvm::Error readActivities();
  llvm::Error readSeedAndTape();
  llvm::Error readSeed(unsigned TapeOperands);
  llvm::Error readTape();
  bool takeSeed();
  unsigned valuesLeft() const { return unsigned(Items.size()) - Next; }
  llvm::Type *tapePointer() const;

  // What comes back.
  llvm::Error readReturn();

  const Operand *peek() const { return Next < Items.size() ? &Items[Next] : nullptr; }
  /// The next operand, if it is a value.
  const Operand *takeValue();
  llvm::Error fail(DiagId Id, const llvm::Twine &What, const llvm::Twine &Fix) const;
  std::string parameter(unsigned Number) const;

  llvm::CallBase &Call;
  EntryPoint Entry;
  MarkerCall Result;
  DiffRequest &R;
  /// The operands behind the function, without flags.
  llvm::SmallVector<Operand, 16> Items;
  unsigned Next = 0;
  bool RuntimeActivity = false; ///< Shadows may be the memory itself.
  bool Interleaved = false, PrimalReturn = false;
  std::optional<Operand> ForcedReturn;
  /// A struct in memory that the function takes in registers.
  struct {
    llvm::Value *Address = nullptr;
    uint64_t Offset = 0;
    unsigned Left = 0;
    Modifiers M;
  } Pieces;
  /// Takes shadow operands although they are not needed (an integer marked dup).
  llvm::SmallVector<bool, 8> TakesShadow;
};

/// On a machine of many threads: notes which arguments, with their shadows, are the same for all
/// threads of a warp (DiffRequest::Common).
void noteCommonArguments(MarkerCall &M);

} // namespace isozyme

#endif
