//===- torch.hpp - Functions of tensors of PyTorch ---------------*- C++ -*-===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   #include <isozyme/torch.hpp>
//   double energy(const double *x, int n, double stiffness);
//
//   at::Tensor chain_energy(at::Tensor x, at::Tensor stiffness) {
//     return isozyme::on_tensors<energy>(x, x.numel(), stiffness);
//   }
//
// A function of plain memory becomes one of tensors, through which PyTorch differentiates. For
// extensions in C++, and programs that use libtorch. See docs/python.md.
//
//===----------------------------------------------------------------------===//
#ifndef ISOZYME_TORCH_HPP
#define ISOZYME_TORCH_HPP

/// \file
/// isozyme::on_tensors: a function of pointers and numbers as one of at::Tensor.

#include <ATen/ATen.h>
#include <array>
#include <enzyme/enzyme>
#include <torch/csrc/autograd/custom_function.h>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace isozyme {

/// Stands for a tensor that the function writes: on_tensors makes one of this shape, with zeros,
/// and returns it.
struct result {
  std::vector<int64_t> shape;
  result(at::IntArrayRef shape) : shape(shape.vec()) {}
  result(std::initializer_list<int64_t> shape) : shape(shape) {}
};

namespace detail::tensors {

/// What a parameter is: memory that is read, memory that is written, a number, or a constant.
enum class role { input, result, number, constant };

template <typename P> using element = std::remove_cv_t<std::remove_pointer_t<P>>;

template <typename P> constexpr role role_of() {
  if (std::is_floating_point_v<P>)
    return role::number;
  if (!std::is_pointer_v<P> || !std::is_floating_point_v<element<P>>)
    return role::constant;
  return std::is_const_v<std::remove_pointer_t<P>> ? role::input : role::result;
}
/// Is it a tensor that carries a derivative, or makes one?
template <typename P> constexpr bool is_active = role_of<P>() != role::constant;
/// A tensor that comes in.
template <typename P> constexpr bool is_read = is_active<P> && role_of<P>() != role::result;

/// As what functions that are differentiated take a parameter: numbers by their address.
template <typename P> using passed = std::conditional_t<role_of<P>() == role::number, const P *, P>;
/// What belongs to a parameter besides: the address of a shadow.
template <typename P> using shadow = void *;

/// An argument of a derivative, as <enzyme/enzyme> takes it.
template <typename P> auto annotated(passed<P> given, void *shadow) {
  if constexpr (is_active<P>)
    return enzyme::Duplicated<passed<P>>(given, static_cast<passed<P>>(shadow));
  else
    return enzyme::Const<P>(given);
}

/// A function, and its derivatives with all that carries one in memory.
template <auto F, typename R, typename... P> struct derivatives {
  static constexpr bool has_value = !std::is_void_v<R>;
  using value = std::conditional_t<has_value, R, double>;

  /// Stores what the function returns.
  static void primal(value *returned, passed<P>... given) {
    if constexpr (has_value)
      *returned = F(read<P>(given)...);
    else
      F(read<P>(given)...);
  }
  /// Adds to the adjoints of what is read. Those of the results are zero afterwards.
  static void reverse(value *returned, value *adjoint, passed<P>... given, shadow<P>... adjoints) {
    enzyme::autodiff<enzyme::Reverse, enzyme::Const<void>>(
        primal, enzyme::Duplicated<value *>(returned, adjoint), annotated<P>(given, adjoints)...);
  }
  /// The derivative of all that `reverse` computes, along the tangents of all that it reads.
  static void second(value *returned, value *tangent, value *adjoint, value *adjoint_tangent,
                     passed<P>... given, shadow<P>... tangents, shadow<P>... adjoints,
                     shadow<P>... adjoint_tangents) {
    enzyme::autodiff<enzyme::Forward, enzyme::Const<void>>(
        reverse, enzyme::Duplicated<value *>(returned, tangent),
        enzyme::Duplicated<value *>(adjoint, adjoint_tangent), annotated<P>(given, tangents)...,
        along<P>(adjoints, adjoint_tangents)...);
  }

private:
  template <typename T> static T read(passed<T> given) {
    if constexpr (role_of<T>() == role::number)
      return *given;
    else
      return given;
  }
  template <typename T> static auto along(void *adjoint, void *tangent) {
    if constexpr (is_active<T>)
      return enzyme::Duplicated<void *>(adjoint, tangent);
    else
      return enzyme::Const<void *>(adjoint);
  }
};

/// What a call has besides the tensors that it is differentiated by.
template <typename... P> struct constants : torch::CustomClassHolder {
  std::tuple<std::conditional_t<is_active<P>, const void *, P>...> values;
  std::vector<at::Tensor> kept;             ///< The memory behind constant pointers.
  std::vector<std::vector<int64_t>> shapes; ///< Of the results.
};

/// The memory of one kind: for each parameter, and for the returned value.
template <typename... P> struct memory {
  std::array<void *, sizeof...(P)> of{};
  void *returned = nullptr;

  /// Tensors of what is read and of what is written, each in the order of the parameters. What is
  /// written begins with the returned value, if there is one.
  memory(const std::vector<at::Tensor> &read, const std::vector<at::Tensor> &written,
         bool has_value) {
    std::size_t at = 0, in = 0, out = has_value;
    if (has_value)
      returned = written[0].data_ptr();
    ((of[at++] = role_of<P>() == role::constant ? nullptr
                 : is_read<P>                   ? read[in++].data_ptr()
                                                : written[out++].data_ptr()),
     ...);
  }
};

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

template <auto F, typename R, typename... P> struct calls {
  using functions = derivatives<F, R, P...>;
  using value = typename functions::value;
  using held = constants<P...>;
  static constexpr auto all = std::index_sequence_for<P...>{};
  static constexpr std::size_t results =
      std::size_t(functions::has_value) + (std::size_t(role_of<P>() == role::result) + ... + 0);

  /// Tensors of zeros for what is written.
  static variable_list make_results(const held &c) {
    std::vector<at::ScalarType> types;
    if (functions::has_value)
      types.push_back(c10::CppTypeToScalarType<value>::value);
    ((role_of<P>() == role::result ? types.push_back(type_of<P>()) : void()), ...);
    variable_list made;
    for (std::size_t i = 0; i < types.size(); ++i)
      made.push_back(at::zeros(c.shapes[i], types[i]));
    return made;
  }
  static variable_list zeros_like(const variable_list &tensors) {
    variable_list made;
    for (const at::Tensor &t : tensors)
      made.push_back(at::zeros_like(t, at::MemoryFormat::Contiguous));
    return made;
  }
  static memory<P...> of(const variable_list &read, const variable_list &written) {
    return {read, written, functions::has_value};
  }

  static variable_list primal(const held &c, const variable_list &read) {
    variable_list written = make_results(c);
    run_primal(c, of(read, written), all);
    return written;
  }
  static variable_list reverse(const held &c, const variable_list &read,
                               const variable_list &seeds) {
    variable_list written = make_results(c), adjoints = zeros_like(read), used;
    for (const at::Tensor &t : seeds)
      used.push_back(t.clone(at::MemoryFormat::Contiguous)); // The reverse sweep clears them.
    run_reverse(c, of(read, written), of(adjoints, used), all);
    return adjoints;
  }
  /// What `along`, adjoints of what `reverse` returns, comes to for all that it was given.
  static variable_list second(const held &c, const variable_list &read, const variable_list &seeds,
                              const variable_list &along) {
    variable_list written = make_results(c), tangents = zeros_like(written), directions, used;
    variable_list adjoints = zeros_like(read), products = zeros_like(read);
    for (const at::Tensor &t : seeds)
      used.push_back(t.clone(at::MemoryFormat::Contiguous));
    for (const at::Tensor &t : along)
      directions.push_back(t.contiguous());
    variable_list used_tangents = zeros_like(used);
    run_second(c, of(read, written), of(directions, tangents), of(adjoints, used),
               of(products, used_tangents), all);
    products.insert(products.end(), tangents.begin(), tangents.end());
    return products;
  }

private:
  template <typename T> static constexpr at::ScalarType type_of() {
    if constexpr (std::is_floating_point_v<element<T>>)
      return c10::CppTypeToScalarType<element<T>>::value;
    else
      return at::ScalarType::Undefined;
  }
  template <typename T, std::size_t I>
  static passed<T> given(const held &c, const memory<P...> &m) {
    if constexpr (is_active<T>)
      return static_cast<passed<T>>(m.of[I]);
    else
      return std::get<I>(c.values);
  }
  template <std::size_t... I>
  static void run_primal(const held &c, const memory<P...> &m, std::index_sequence<I...>) {
    value unused{};
    functions::primal(m.returned ? static_cast<value *>(m.returned) : &unused,
                      given<P, I>(c, m)...);
  }
  template <std::size_t... I>
  static void run_reverse(const held &c, const memory<P...> &m, const memory<P...> &adjoint,
                          std::index_sequence<I...>) {
    value unused[2] = {};
    functions::reverse(m.returned ? static_cast<value *>(m.returned) : unused,
                       m.returned ? static_cast<value *>(adjoint.returned) : unused + 1,
                       given<P, I>(c, m)..., adjoint.of[I]...);
  }
  template <std::size_t... I>
  static void run_second(const held &c, const memory<P...> &m, const memory<P...> &tangent,
                         const memory<P...> &adjoint, const memory<P...> &adjoint_tangent,
                         std::index_sequence<I...>) {
    value unused[4] = {};
    auto at = [&](const memory<P...> &which, int i) {
      return m.returned ? static_cast<value *>(which.returned) : unused + i;
    };
    functions::second(at(m, 0), at(tangent, 1), at(adjoint, 2), at(adjoint_tangent, 3),
                      given<P, I>(c, m)..., tangent.of[I]..., adjoint.of[I]...,
                      adjoint_tangent.of[I]...);
  }
};

/// The gradient, as an operation that has one itself.
template <typename Calls> struct gradient_node : torch::autograd::Function<gradient_node<Calls>> {
  static variable_list forward(AutogradContext *context, const c10::IValue &held,
                               at::TensorList tensors) {
    variable_list all = tensors.vec();
    std::size_t inputs = all.size() - Calls::results;
    context->save_for_backward(all);
    context->saved_data["call"] = held;
    return Calls::reverse(constants_of(held), {all.begin(), all.begin() + inputs},
                          {all.begin() + inputs, all.end()});
  }
  static variable_list backward(AutogradContext *context, const variable_list &along) {
    TORCH_CHECK(!at::GradMode::is_enabled(),
                "PyTorch asks for third derivatives of a function of isozyme::on_tensors, which "
                "are not there; second ones are asked for without create_graph");
    variable_list all = context->get_saved_variables();
    std::size_t inputs = all.size() - Calls::results;
    variable_list found = Calls::second(constants_of(context->saved_data["call"]),
                                        {all.begin(), all.begin() + inputs},
                                        {all.begin() + inputs, all.end()}, along);
    found.insert(found.begin(), at::Tensor());
    return found;
  }
  static const typename Calls::held &constants_of(const c10::IValue &held) {
    return static_cast<const typename Calls::held &>(*held.toCapsule());
  }
};

template <typename Calls> struct node : torch::autograd::Function<node<Calls>> {
  static variable_list forward(AutogradContext *context, const c10::IValue &held,
                               at::TensorList tensors) {
    context->save_for_backward(tensors.vec());
    context->saved_data["call"] = held;
    return Calls::primal(gradient_node<Calls>::constants_of(held), tensors.vec());
  }
  static variable_list backward(AutogradContext *context, const variable_list &seeds) {
    variable_list all = context->get_saved_variables(), found;
    const c10::IValue held = context->saved_data["call"];
    if (at::GradMode::is_enabled()) {
      all.insert(all.end(), seeds.begin(), seeds.end());
      found = gradient_node<Calls>::apply(held, at::TensorList(all));
    } else {
      found = Calls::reverse(gradient_node<Calls>::constants_of(held), all, seeds);
    }
    found.insert(found.begin(), at::Tensor());
    return found;
  }
};

/// Sorts the arguments of a call, one after the other.
template <typename... P> struct sorted {
  c10::intrusive_ptr<constants<P...>> rest = c10::make_intrusive<constants<P...>>();
  variable_list read;

  template <std::size_t I, typename T, typename A> void take(const A &argument) {
    constexpr role is = role_of<T>();
    constexpr bool is_tensor = std::is_convertible_v<const A &, const at::Tensor &>;
    if constexpr (is == role::result) {
      static_assert(std::is_same_v<A, result>,
                    "a parameter that is written is isozyme::result(shape); one that is only read "
                    "has a pointer to const");
      rest->shapes.push_back(argument.shape);
    } else if constexpr (is == role::number && !is_tensor) {
      read.push_back(at::scalar_tensor(T(argument), c10::CppTypeToScalarType<T>::value));
    } else if constexpr (is_active<T>) {
      static_assert(is_tensor, "a pointer to numbers is given by a tensor");
      read.push_back(checked(argument, c10::CppTypeToScalarType<element<T>>::value, I));
      TORCH_CHECK(is != role::number || argument.numel() == 1, "argument ", I + 1,
                  " is a number, and the tensor has the shape ", argument.sizes());
    } else if constexpr (std::is_pointer_v<T> && is_tensor) {
      static_assert(std::is_const_v<std::remove_pointer_t<T>>,
                    "memory of integers that the function writes cannot be a tensor here");
      rest->kept.push_back(checked(argument, c10::CppTypeToScalarType<element<T>>::value, I));
      std::get<I>(rest->values) = static_cast<T>(rest->kept.back().data_ptr());
    } else {
      std::get<I>(rest->values) = static_cast<T>(argument);
    }
  }

private:
  static at::Tensor checked(const at::Tensor &tensor, at::ScalarType type, std::size_t i) {
    TORCH_CHECK(tensor.device().is_cpu(), "argument ", i + 1, " is on the device ", tensor.device(),
                ", and the function runs on the cpu");
    TORCH_CHECK(tensor.scalar_type() == type, "argument ", i + 1, " holds ", tensor.scalar_type(),
                ", and the function takes ", type);
    return tensor.contiguous();
  }
};

template <auto F, typename R, typename... P, typename... A, std::size_t... I>
auto call(R (*)(P...), std::index_sequence<I...>, const A &...arguments) {
  static_assert(sizeof...(P) == sizeof...(A),
                "the function has another number of parameters than there are arguments");
  using all = calls<F, R, P...>;
  static_assert(all::results, "the function neither returns a number nor writes one");
  sorted<P...> s;
  if constexpr (all::functions::has_value)
    s.rest->shapes.emplace_back();
  (s.template take<I, P>(arguments), ...);
  auto held = c10::IValue::make_capsule(std::move(s.rest));
  variable_list made = node<all>::apply(held, at::TensorList(s.read));
  if constexpr (all::results == 1)
    return made[0];
  else
    return made;
}

} // namespace detail::tensors

/// Calls \p F, a function of pointers and numbers, with tensors, and returns tensors: what it
/// returns, then what it writes; a list where there are several. PyTorch differentiates through
/// the call, in reverse mode, twice where asked to.
///
/// | Parameter                      | Argument                                                  |
/// |--------------------------------|-----------------------------------------------------------|
/// | `const double *`, `const float *` | a tensor of that type; made contiguous where it is not |
/// | `double`, `float`              | a tensor with one element, or a number (a constant)       |
/// | `double *`, `float *`          | `isozyme::result(shape)`                                  |
/// | `const int64_t *` and the like | a tensor of that type, without derivative                 |
/// | anything else                  | itself, without derivative                                |
///
/// Nothing checks shapes: the function knows what it reads. Tensors are on the CPU. What does not
/// fit is a c10::Error, in Python a RuntimeError.
template <auto F, typename... A> auto on_tensors(const A &...arguments) {
  return detail::tensors::call<F>(F, std::index_sequence_for<A...>{}, arguments...);
}

} // namespace isozyme

#endif
