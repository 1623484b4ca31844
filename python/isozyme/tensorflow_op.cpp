//===- tensorflow_op.cpp - Calls of entry points from TensorFlow ----------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operator for all functions, and one that says what is not there. `plan` holds two numbers for each slot of an entry point: what it
// is, and which. The shapes of arrays are arguments, for they may be known only when the graph runs.
//
//===----------------------------------------------------------------------===//
#include "tensorflow/core/framework/common_shape_fns.h"
#include "tensorflow/core/framework/op.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/shape_inference.h"
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace tf = tensorflow;

REGISTER_OP("IsozymeCall")
    .Input("arrays: given_types")
    .Input("integers: int64")
    .Input("extents: int64") // Of the arrays that are given, then of the results, one behind the other.
    .Output("results: result_types")
    .Attr("given_types: list(type) >= 0")
    .Attr("result_types: list(type) >= 1")
    .Attr("ranks: list(int)") // Of the arrays that are given, then of the results.
    .Attr("layer: int")     // Which function it is, in the process that made the graph.
    .Attr("mode: string")   // "primal", "vjp" or "hvp".
    .Attr("entry: int")     // The address of the entry point,
    .Attr("message: int")   // and of the function that gives the text of an exception.
    .Attr("plan: list(int)")
    .Attr("bounds: list(int)")        // The least and the greatest value of each integer.
    .Attr("descriptions: list(string)") // Of the arrays that are given, then of the integers.
    .SetShapeFn([](tf::shape_inference::InferenceContext *C) {
      int Given = C->num_inputs() - 2;
      std::vector<int64_t> Ranks;
      TF_RETURN_IF_ERROR(C->GetAttr("ranks", &Ranks));
      tf::shape_inference::ShapeHandle All, Shape;
      TF_RETURN_IF_ERROR(C->MakeShapeFromShapeTensor(Given + 1, &All));
      int64_t At = std::accumulate(Ranks.begin(), Ranks.begin() + Given, int64_t(0));
      for (int I = 0; I < C->num_outputs(); ++I) {
        TF_RETURN_IF_ERROR(C->Subshape(All, At, At + Ranks[Given + I], &Shape));
        C->set_output(I, Shape);
        At += Ranks[Given + I];
      }
      return absl::OkStatus();
    });

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

enum Kind : int64_t { Argument, Result, Integer, Absent };

class CallEntry : public tf::OpKernel {
public:
  explicit CallEntry(tf::OpKernelConstruction *C) : OpKernel(C), Given(C->num_inputs() - 2) {
    OP_REQUIRES_OK(C, C->GetAttr("ranks", &Ranks));
    OP_REQUIRES_OK(C, C->GetAttr("entry", &Entry));
    OP_REQUIRES_OK(C, C->GetAttr("message", &Message));
    OP_REQUIRES_OK(C, C->GetAttr("plan", &Plan));
    OP_REQUIRES_OK(C, C->GetAttr("bounds", &Bounds));
    OP_REQUIRES_OK(C, C->GetAttr("descriptions", &Descriptions));
  }

  void Compute(tf::OpKernelContext *C) override {
    OP_REQUIRES_OK(C, checkIntegers(C->input(Given)));
    const int64_t *Extents = C->input(Given + 1).flat<int64_t>().data();
    for (int I = 0; I < Given; Extents += Ranks[I++])
      OP_REQUIRES_OK(C, checkShape(I, C->input(I), Extents));
    std::vector<tf::Tensor *> Results(C->num_outputs());
    for (int I = 0; I < C->num_outputs(); ++I) {
      tf::TensorShape Shape;
      OP_REQUIRES_OK(C, tf::TensorShape::BuildTensorShape(
                            absl::MakeConstSpan(Extents, Ranks[Given + I]), &Shape));
      Extents += Ranks[Given + I];
      OP_REQUIRES_OK(C, C->allocate_output(I, Shape, &Results[I]));
    }
    call(C, Results);
  }

private:
  absl::Status checkIntegers(const tf::Tensor &Integers) const {
    for (int64_t I = 0; I < Integers.NumElements(); ++I) {
      int64_t Value = Integers.flat<int64_t>()(I);
      if (Value < Bounds[2 * I] || Value > Bounds[2 * I + 1])
        return absl::InvalidArgumentError(Descriptions[Given + I] + " is " +
                                          std::to_string(Value) +
                                          ", which does not fit into its type");
    }
    return absl::OkStatus();
  }

  absl::Status checkShape(int I, const tf::Tensor &Array, const int64_t *Extents) const {
    bool Fits = Array.dims() == Ranks[I];
    for (int D = 0; Fits && D < Array.dims(); ++D)
      Fits = Array.dim_size(D) == Extents[D];
    if (Fits)
      return absl::OkStatus();
    return absl::InvalidArgumentError(Descriptions[I] + " has the shape " +
                                      Array.shape().DebugString() + ", which does not fit");
  }

  void call(tf::OpKernelContext *C, const std::vector<tf::Tensor *> &Results) const {
    // An address for arrays without elements: null means that they are not given.
    static char Empty[16];
    auto Place = [](const tf::Tensor &T) { return T.NumElements() ? (char *)T.data() : Empty; };
    std::vector<char *> Slots;
    for (size_t I = 0; I + 1 < Plan.size(); I += 2) {
      int64_t Which = Plan[I + 1];
      switch (Plan[I]) {
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
    using EntryPoint = int (*)(int64_t, char *const *, const int64_t *);
    int Status = reinterpret_cast<EntryPoint>(Entry)(1, Slots.data(), nullptr);
    OP_REQUIRES(C, Status != 1,
                absl::ResourceExhaustedError("there is no memory for the derivatives"));
    OP_REQUIRES(C, !Status,
                absl::InternalError(reinterpret_cast<const char *(*)()>(Message)()));
  }

  int Given; // How many arrays are given.
  int64_t Entry = 0, Message = 0;
  std::vector<int64_t> Plan, Bounds, Ranks;
  std::vector<std::string> Descriptions;
};

REGISTER_KERNEL_BUILDER(Name("IsozymeCall").Device(tf::DEVICE_CPU), CallEntry);
REGISTER_KERNEL_BUILDER(Name("IsozymeRefuse").Device(tf::DEVICE_CPU), Refuse);
} // namespace
