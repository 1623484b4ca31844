//===- memory.h - How much memory a call takes ------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_BENCHMARKS_MEMORY_H
#define ISOZYME_BENCHMARKS_MEMORY_H

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/// MiB by which the memory of a process grows, at its peak, that calls \p work once. It
/// is a child of this one, which must not have released much memory before.
template <typename F> double memoryOf(F work) {
  int ends[2];
  if (pipe(ends) != 0)
    return -1;
  auto peak = [] {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const pid_t child = fork();
  if (child == 0) {
    const long before = peak();
    work();
    const long grown = peak() - before;
    _exit(write(ends[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
  }
  close(ends[1]);
  long grown = 0;
  const bool read_ = read(ends[0], &grown, sizeof grown) == sizeof grown;
  close(ends[0]);
  if (child > 0)
    waitpid(child, nullptr, 0);
  return read_ ? grown / 1024.0 : -1;
}

#endif
