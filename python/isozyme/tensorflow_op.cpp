//===- tensorflow_op.cpp - Calls of entry points from TensorFlow ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operator for all functions, and one that says what is not there. What the operator has to
// know of an entry point is told once (isozyme_define), so that a call carries a number and no
// more. The shapes of arrays are arguments, for they may be known only when the graph runs.
// An entry point may also have an operator of its own (isozyme_name). Its types are fixed and its
// number is a default, so that TensorFlow has less to find out at a call from eager code.
//
//===----------------------------------------------------------------------===//
#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/shape_inference.h"
#include <cstdint>
#include <deque>
#include <mutex>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace tf = tensorflow;

namespace {
enum Kind : int64_t { Argument, Result, Integer, Absent };

// One entry point: a function in one mode.
struct EntryPoint {
  int (*Call)(int64_t, char *const *, const int64_t *);
  const char *(*Message)();              // The text of an exception.
  std::vector<int64_t> Plan;             // For each slot two numbers: its kind, and which of these.
  std::vector<int64_t> Bounds;           // The least and the greatest value of each integer.
  std::vector<int64_t> Ranks;            // Of the arrays that are given, then of the results.
  std::vector<std::string> Descriptions; // Of the arrays that are given, then of the integers.
};

std::mutex Guard;
std::deque<EntryPoint> Defined; // A deque: what is in it stays where it is.

// The number of the first entry point. Each process has its own, so that a graph of another process
// does not call what happens to have the same number here.
const int64_t First = int64_t(std::random_device()()) << 24;

const EntryPoint *definition(int64_t Number) {
  std::lock_guard<std::mutex> Lock(Guard);
  int64_t At = Number - First;
  return At >= 0 && At < (int64_t)Defined.size() ? &Defined[At] : nullptr;
}

absl::Status unknown() {
  return absl::FailedPreconditionError(
      "a graph with functions of Isozyme works only in the process that made it");
}
} // namespace

// The number of an entry point from now on. `Numbers` holds the plan, the bounds and the ranks, of
// the `Lengths`.
extern "C" __attribute__((visibility("default"))) int64_t
isozyme_define(void *Call, void *Message, const int64_t *Numbers, const int64_t *Lengths,
               const char *const *Descriptions, int64_t Count) {
  EntryPoint E;
  E.Call = reinterpret_cast<decltype(E.Call)>(Call);
  E.Message = reinterpret_cast<decltype(E.Message)>(Message);
  for (std::vector<int64_t> *Part : {&E.Plan, &E.Bounds, &E.Ranks}) {
    Part->assign(Numbers, Numbers + *Lengths);
    Numbers += *Lengths++;
  }
  E.Descriptions.assign(Descriptions, Descriptions + Count);
  std::lock_guard<std::mutex> Lock(Guard);
  Defined.push_back(std::move(E));
  return First + int64_t(Defined.size()) - 1;
}

static absl::Status inferShapes(tf::shape_inference::InferenceContext *C) {
  int Given = C->num_inputs() - 2;
  int64_t Number;
  TF_RETURN_IF_ERROR(C->GetAttr("entry", &Number));
  const EntryPoint *E = definition(Number);
  if (!E)
    return unknown();
  const std::vector<int64_t> &Ranks = E->Ranks;
  tf::shape_inference::ShapeHandle All, Shape;
  TF_RETURN_IF_ERROR(C->MakeShapeFromShapeTensor(Given + 1, &All));
  int64_t At = std::accumulate(Ranks.begin(), Ranks.begin() + Given, int64_t(0));
  for (int I = 0; I < C->num_outputs(); ++I) {
    TF_RETURN_IF_ERROR(C->Subshape(All, At, At + Ranks[Given + I], &Shape));
    C->set_output(I, Shape);
    At += Ranks[Given + I];
  }
  return absl::OkStatus();
}

REGISTER_OP("IsozymeCall")
    .Input("arrays: given_types")
    .Input("integers: int64")
    .Input("extents: int64") // Of the arrays that are given, then of the results, in one row.
    .Output("results: result_types")
    .Attr("given_types: list(type) >= 0")
    .Attr("result_types: list(type) >= 1")
    .Attr("entry: int") // The number of the entry point.
    .SetShapeFn(inferShapes);

REGISTER_OP("IsozymeRefuse")
    .Input("like: T")
    .Output("never: T")
    .Attr("T: type")
    .Attr("text: string")
    .SetShapeFn(tf::shape_inference::UnchangedShape);

namespace {
// What is not there. Nothing fails as long as nothing uses the result.
class Refuse : public tf::OpKernel {
public:
  explicit Refuse(tf::OpKernelConstruction *C) : OpKernel(C) {
    OP_REQUIRES_OK(C, C->GetAttr("text", &Text));
  }
  void Compute(tf::OpKernelContext *C) override { C->SetStatus(absl::UnimplementedError(Text)); }

private:
  std::string Text;
};

class CallEntry : public tf::OpKernel {
public:
  explicit CallEntry(tf::OpKernelConstruction *C) : OpKernel(C), Given(C->num_inputs() - 2) {
    int64_t Number;
    OP_REQUIRES_OK(C, C->GetAttr("entry", &Number));
    E = definition(Number);
    OP_REQUIRES_OK(C, E ? absl::OkStatus() : unknown());
  }

  void Compute(tf::OpKernelContext *C) override {
    OP_REQUIRES_OK(C, checkIntegers(C->input(Given)));
    const int64_t *Extents = C->input(Given + 1).flat<int64_t>().data();
    for (int I = 0; I < Given; Extents += E->Ranks[I++])
      OP_REQUIRES_OK(C, checkShape(I, C->input(I), Extents));
    std::vector<tf::Tensor *> Results(C->num_outputs());
    for (int I = 0; I < C->num_outputs(); ++I) {
      tf::TensorShape Shape;
      OP_REQUIRES_OK(C, tf::TensorShape::BuildTensorShape(
                            absl::MakeConstSpan(Extents, E->Ranks[Given + I]), &Shape));
      Extents += E->Ranks[Given + I];
      OP_REQUIRES_OK(C, C->allocate_output(I, Shape, &Results[I]));
    }
    call(C, Results);
  }

private:
  absl::Status checkIntegers(const tf::Tensor &Integers) const {
    for (int64_t I = 0; I < Integers.NumElements(); ++I) {
      int64_t Value = Integers.flat<int64_t>()(I);
      if (Value < E->Bounds[2 * I] || Value > E->Bounds[2 * I + 1])
        return absl::InvalidArgumentError(E->Descriptions[Given + I] + " is " +
                                          std::to_string(Value) +
                                          ", which does not fit into its type");
    }
    return absl::OkStatus();
  }

  absl::Status checkShape(int I, const tf::Tensor &Array, const int64_t *Extents) const {
    bool Fits = Array.dims() == E->Ranks[I];
    for (int D = 0; Fits && D < Array.dims(); ++D)
      Fits = Array.dim_size(D) == Extents[D];
    if (Fits)
      return absl::OkStatus();
    return absl::InvalidArgumentError(E->Descriptions[I] + " has the shape " +
                                      Array.shape().DebugString() + ", which does not fit");
  }

  void call(tf::OpKernelContext *C, const std::vector<tf::Tensor *> &Results) const {
    // An address for arrays without elements: null means that they are not given.
    static char Empty[16];
    auto Place = [](const tf::Tensor &T) { return T.NumElements() ? (char *)T.data() : Empty; };
    std::vector<char *> Slots;
    for (size_t I = 0; I + 1 < E->Plan.size(); I += 2) {
      int64_t Which = E->Plan[I + 1];
      switch (E->Plan[I]) {
      case Argument:
        Slots.push_back(Place(C->input(Which)));
        break;
      case Result:
        Slots.push_back(Place(*Results[Which]));
        break;
      case Integer:
        Slots.push_back(reinterpret_cast<char *>(C->input(Given).flat<int64_t>()(Which)));
        break;
      default:
        Slots.push_back(nullptr);
      }
    }
    int Status = E->Call(1, Slots.data(), nullptr);
    OP_REQUIRES(C, Status != 1,
                absl::ResourceExhaustedError("there is no memory for the derivatives"));
    OP_REQUIRES(C, !Status, absl::InternalError(E->Message()));
  }

  int Given; // How many arrays are given.
  const EntryPoint *E = nullptr;
};

REGISTER_KERNEL_BUILDER(Name("IsozymeCall").Device(tf::DEVICE_CPU), CallEntry);
REGISTER_KERNEL_BUILDER(Name("IsozymeRefuse").Device(tf::DEVICE_CPU), Refuse);
} // namespace

// Registers the operator `Name` for the entry point `Number`. `Types` are names of element types:
// of the arrays that are given, then of the results.
extern "C" __attribute__((visibility("default"))) void
isozyme_name(const char *Name, int64_t Number, const char *const *Types, int64_t Given,
             int64_t Results) {
  tf::OpDefBuilder Builder(Name);
  for (int64_t I = 0; I < Given; ++I)
    Builder.Input(absl::StrCat("given", I, ": ", Types[I]));
  Builder.Input("integers: int64").Input("extents: int64");
  for (int64_t I = 0; I < Results; ++I)
    Builder.Output(absl::StrCat("result", I, ": ", Types[Given + I]));
  Builder.Attr(absl::StrCat("entry: int = ", Number)).SetShapeFn(inferShapes);
  tf::OpRegistry::Global()->Register(
      [Builder](tf::OpRegistrationData *Made) { return Builder.Finalize(Made); });
  tf::kernel_factory::OpKernelRegistrar Kernel(
      tf::KernelDefBuilder(Name).Device(tf::DEVICE_CPU).Build(), "CallEntry",
      [](tf::OpKernelConstruction *C) -> tf::OpKernel * { return new CallEntry(C); });
}
