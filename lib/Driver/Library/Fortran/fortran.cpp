//===- fortran.cpp - What flang's run-time library computes ---------------===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of Fortran are assigned, summed and multiplied by functions of a library, where they
// cannot be differentiated. Here are bodies that do the same with the same descriptors:
// LibraryBodies lends them to modules while derivatives are made.
//
//===----------------------------------------------------------------------===//
#include "Assignment.h"
#include "Bessel.h"
#include "Classes.h"
#include "Folds.h"
#include "Forall.h"
#include "Input.h"
#include "Models.h"
#include "Powers.h"
#include "Products.h"
#include "Rearrangement.h"
#include "Records.h"
#include "Reductions.h"
#include "Strings.h"
