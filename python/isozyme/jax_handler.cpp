//===- jax_handler.cpp - Calls of entry points from compiled JAX code -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One handler for all functions. `plan` holds three numbers for each slot of an entry point:
// what it is, which, and how many bytes one call has of it.
//
//===----------------------------------------------------------------------===//
#include "xla/ffi/api/ffi.h"
#include <cstdint>
#include <vector>

namespace ffi = xla::ffi;

namespace {
enum Kind : int64_t { Argument, Result, Integer, Absent };

ffi::Error callEntry(int64_t Entry, int64_t Message, int64_t Batch, ffi::Span<const int64_t> Plan,
                     ffi::RemainingArgs Arguments, ffi::RemainingRets Results) {
  static char
      Empty[16]; // An address for arrays without elements: null means that they are not given.
  std::vector<char *> Slots;
  std::vector<int64_t> Strides;
  for (size_t I = 0; I + 2 < Plan.size(); I += 3) {
    int64_t Which = Plan[I + 1], Bytes = Plan[I + 2];
    char *Data;
    int64_t Size;
    switch (Plan[I]) {
    case Integer:
      Slots.push_back(reinterpret_cast<char *>(Which));
      Strides.push_back(0);
      continue;
    case Absent:
      Slots.push_back(nullptr);
      Strides.push_back(0);
      continue;
    case Argument: {
      ffi::ErrorOr<ffi::AnyBuffer> Found = Arguments.get<ffi::AnyBuffer>(Which);
      if (!Found)
        return Found.error();
      Data = static_cast<char *>(Found->untyped_data());
      Size = static_cast<int64_t>(Found->size_bytes());
      break;
    }
    default: {
      ffi::ErrorOr<ffi::Result<ffi::AnyBuffer>> Found = Results.get<ffi::AnyBuffer>(Which);
      if (!Found)
        return Found.error();
      Data = static_cast<char *>((*Found)->untyped_data());
      Size = static_cast<int64_t>((*Found)->size_bytes());
    }
    }
    Slots.push_back(Data ? Data : Empty);
    // An array without the dimensions of the batch is the same in all calls.
    Strides.push_back(Size > Bytes ? Bytes : 0);
  }
  using EntryPoint = int (*)(int64_t, char *const *, const int64_t *);
  int Status = reinterpret_cast<EntryPoint>(Entry)(Batch, Slots.data(), Strides.data());
  if (Status == 1)
    return ffi::Error(ffi::ErrorCode::kResourceExhausted, "there is no memory for the derivatives");
  if (Status)
    return ffi::Error(ffi::ErrorCode::kInternal, reinterpret_cast<const char *(*)()>(Message)());
  return ffi::Error::Success();
}
} // namespace

extern "C" __attribute__((visibility("default"))) XLA_FFI_Error *
isozyme_call_entry(XLA_FFI_CallFrame *);

XLA_FFI_DEFINE_HANDLER_SYMBOL(isozyme_call_entry, callEntry,
                              ffi::Ffi::Bind()
                                  .Attr<int64_t>("entry")
                                  .Attr<int64_t>("message")
                                  .Attr<int64_t>("batch")
                                  .Attr<ffi::Span<const int64_t>>("plan")
                                  .RemainingArgs()
                                  .RemainingRets());
