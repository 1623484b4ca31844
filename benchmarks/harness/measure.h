//===- measure.h - Time, memory and page faults of a call -------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_BENCHMARKS_HARNESS_MEASURE_H
#define ISOZYME_BENCHMARKS_HARNESS_MEASURE_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

/// Seconds of processor time that one call takes, on the average of \p calls.
template <typename F> double secondsPerCall(F work, int calls) {
  auto now = [] {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
  };
  const double begin = now();
  for (int i = 0; i < calls; ++i)
    work();
  return (now() - begin) / calls;
}

inline rusage usage() {
  rusage result;
  getrusage(RUSAGE_SELF, &result);
  return result;
}

/// Pages that the operating system has to find for the sixth call: those before it have
/// touched what stays in use.
template <typename F> long faultsOf(F work) {
  for (int i = 0; i < 5; ++i)
    work();
  const long before = usage().ru_minflt;
  work();
  return usage().ru_minflt - before;
}

/// MiB by which the memory of a process grows, at its peak, that calls \p work once. It
/// is a child of this one, which must not have released much memory before.
template <typename F> double memoryOf(F work) {
  int ends[2];
  if (pipe(ends) != 0)
    return -1;
  const pid_t child = fork();
  if (child == 0) {
    const long before = usage().ru_maxrss;
    work();
    const long grown = usage().ru_maxrss - before;
    _exit(write(ends[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
  }
  close(ends[1]);
  long grown = 0;
  const bool arrived = read(ends[0], &grown, sizeof grown) == sizeof grown;
  close(ends[0]);
  if (child > 0)
    waitpid(child, nullptr, 0);
  return arrived ? grown / 1024.0 : -1;
}

/// The largest difference of two arrays, in times of the largest number of the second.
inline double largestError(const std::vector<double> &found, const std::vector<double> &right) {
  double error = found.size() == right.size() ? 0 : HUGE_VAL, largest = 1e-300;
  for (std::size_t i = 0; i < right.size() && error < HUGE_VAL; ++i) {
    const double apart = std::fabs(found[i] - right[i]);
    error = apart <= HUGE_VAL ? std::max(error, apart) : HUGE_VAL; // not a number: no agreement
    largest = std::max(largest, std::fabs(right[i]));
  }
  return error / largest;
}

/// Numbers between \p low and \p high, the same everywhere.
inline std::vector<double> numbers(std::size_t count, unsigned seed, double low, double high) {
  std::vector<double> result(count);
  for (double &v : result) {
    seed = seed * 1664525u + 1013904223u;
    v = low + (high - low) * ((seed >> 8) / 16777216.0);
  }
  return result;
}

/// Keeps the compiler from leaving a computation out.
inline void use(double value) { asm volatile("" : : "x"(value) : "memory"); }

#endif
