//===- members.hpp - The members of a struct ---------------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A struct that holds vectors, strings and the like is differentiated member by member. C++ does
// not tell how many members there are: it takes as many empty braces to initialise them.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_CXX_MEMBERS_HPP
#define ISOZYME_CXX_MEMBERS_HPP

#include <tuple>
#include <type_traits>

namespace isozyme::detail {

/// Initialises nothing but a base of T, which structured bindings cannot take apart.
template <typename T> struct base_of {
  template <typename B>
    requires(std::is_base_of_v<B, T> && !std::is_same_v<B, T>)
  operator B() const;
};

/// How many members an aggregate has; 0 for what is none, has a base, or has more than 16.
template <typename T> constexpr int member_count() {
  if constexpr (!std::is_class_v<T> || !std::is_aggregate_v<T> || !std::is_copy_constructible_v<T>)
    return 0;
  else if constexpr (requires { T{base_of<T>()}; })
    return 0;
  else if constexpr (requires {
                       T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                     })
    return 0;
  else if constexpr (requires {
                       T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
                     })
    return 16;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 15;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 14;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 13;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 12;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 11;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 10;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; })
    return 9;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; })
    return 8;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}}; })
    return 7;
  else if constexpr (requires { T{{}, {}, {}, {}, {}, {}}; })
    return 6;
  else if constexpr (requires { T{{}, {}, {}, {}, {}}; })
    return 5;
  else if constexpr (requires { T{{}, {}, {}, {}}; })
    return 4;
  else if constexpr (requires { T{{}, {}, {}}; })
    return 3;
  else if constexpr (requires { T{{}, {}}; })
    return 2;
  else if constexpr (requires { T{{}}; })
    return 1;
  else
    return 0;
}

/// References to the members of \p x.
template <typename T> constexpr auto members(T &x) {
  constexpr int count = member_count<std::remove_const_t<T>>();
  if constexpr (count == 1) {
    auto &[a] = x;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto &[a, b] = x;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto &[a, b, c] = x;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto &[a, b, c, d] = x;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto &[a, b, c, d, e] = x;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto &[a, b, c, d, e, f] = x;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto &[a, b, c, d, e, f, g] = x;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto &[a, b, c, d, e, f, g, h] = x;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto &[a, b, c, d, e, f, g, h, i] = x;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto &[a, b, c, d, e, f, g, h, i, j] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto &[a, b, c, d, e, f, g, h, i, j, k] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (count == 16) {
    auto &[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else {
    return std::tuple<>();
  }
}

} // namespace isozyme::detail

#endif
