//===- containers.cpp - What std::map and std::list call in libstdc++ -----===//
//
// Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trees of std::map and std::set and the rings of std::list are linked by functions
// whose bodies are in the shared library of libstdc++, where they cannot be differentiated.
// Here are bodies that do the same with the same nodes: LibraryBodies lends them to modules
// while derivatives are made. Trees may come out differently balanced: any red-black tree
// with the same order is one that libstdc++ goes on with.
//
// The layout of nodes and the meaning of the header (its parent is the root, its left and
// right are the first and the last node) are those of libstdc++ <bits/stl_tree.h> and
// <bits/stl_list.h>; insertion and removal are those of Cormen, Leiserson, Rivest, Stein,
// "Introduction to Algorithms", chapter 13.
//
//===----------------------------------------------------------------------===//

namespace std {

enum _Rb_tree_color { Red, Black };

struct _Rb_tree_node_base {
  _Rb_tree_color Color;
  _Rb_tree_node_base *Parent, *Left, *Right;
};

} // namespace std

namespace {

using Node = std::_Rb_tree_node_base;

bool isRed(const Node *N) { return N && N->Color == std::Red; }

/// The header is red and the root is not, so these two cannot be confused.
bool isHeader(const Node *N) { return N->Color == std::Red && N->Parent && N->Parent->Parent == N; }

template <class T> T *leftmost(T *N) {
  while (N->Left)
    N = N->Left;
  return N;
}

template <class T> T *rightmost(T *N) {
  while (N->Right)
    N = N->Right;
  return N;
}

template <class T> T *next(T *N) {
  if (N->Right)
    return leftmost<T>(N->Right);
  while (!isHeader(N->Parent) && N == N->Parent->Right)
    N = N->Parent;
  return N->Parent;
}

template <class T> T *previous(T *N) {
  if (isHeader(N))
    return N->Right;
  if (N->Left)
    return rightmost<T>(N->Left);
  while (!isHeader(N->Parent) && N == N->Parent->Left)
    N = N->Parent;
  return N->Parent;
}

Node *&child(Node *N, bool OnLeft) { return OnLeft ? N->Left : N->Right; }

/// Where \p Old is in the tree, \p New is afterwards; its children are the caller's business.
void replace(Node *Old, Node *New, Node &Header) {
  if (Old == Header.Parent)
    Header.Parent = New;
  else
    child(Old->Parent, Old == Old->Parent->Left) = New;
  if (New)
    New->Parent = Old->Parent;
}

/// \p N goes down to the left or right, and its child on the other side takes its place.
void rotate(Node *N, bool ToLeft, Node &Header) {
  Node *Up = child(N, !ToLeft);
  Node *Between = child(Up, ToLeft);
  replace(N, Up, Header);
  child(N, !ToLeft) = Between;
  if (Between)
    Between->Parent = N;
  child(Up, ToLeft) = N;
  N->Parent = Up;
}

/// \p N is red, and so may its parent be.
void balanceAfterInsertion(Node *N, Node &Header) {
  while (N != Header.Parent && isRed(N->Parent)) {
    Node *Above = N->Parent->Parent;
    bool OnLeft = N->Parent == Above->Left;
    Node *Uncle = child(Above, !OnLeft);
    if (isRed(Uncle)) {
      N->Parent->Color = Uncle->Color = std::Black;
      Above->Color = std::Red;
      N = Above;
      continue;
    }
    if (N == child(N->Parent, !OnLeft)) {
      N = N->Parent;
      rotate(N, OnLeft, Header);
    }
    N->Parent->Color = std::Black;
    Above->Color = std::Red;
    rotate(Above, !OnLeft, Header);
  }
  Header.Parent->Color = std::Black;
}

/// Paths through \p N, a child of \p Parent that may be missing, lack one black node.
void balanceAfterRemoval(Node *N, Node *Parent, Node &Header) {
  while (N != Header.Parent && !isRed(N)) {
    bool OnLeft = N == Parent->Left;
    Node *Sibling = child(Parent, !OnLeft);
    if (isRed(Sibling)) {
      Sibling->Color = std::Black;
      Parent->Color = std::Red;
      rotate(Parent, OnLeft, Header);
      Sibling = child(Parent, !OnLeft);
    }
    if (!isRed(Sibling->Left) && !isRed(Sibling->Right)) {
      Sibling->Color = std::Red;
      N = Parent;
      Parent = N->Parent;
      continue;
    }
    if (!isRed(child(Sibling, !OnLeft))) {
      child(Sibling, OnLeft)->Color = std::Black;
      Sibling->Color = std::Red;
      rotate(Sibling, !OnLeft, Header);
      Sibling = child(Parent, !OnLeft);
    }
    Sibling->Color = Parent->Color;
    Parent->Color = std::Black;
    child(Sibling, !OnLeft)->Color = std::Black;
    rotate(Parent, OnLeft, Header);
    break;
  }
  if (N)
    N->Color = std::Black;
}

} // namespace

namespace std {

Node *_Rb_tree_increment(Node *N) noexcept { return next(N); }
const Node *_Rb_tree_increment(const Node *N) noexcept { return next(N); }
Node *_Rb_tree_decrement(Node *N) noexcept { return previous(N); }
const Node *_Rb_tree_decrement(const Node *N) noexcept { return previous(N); }

void _Rb_tree_insert_and_rebalance(bool OnLeft, Node *N, Node *Parent, Node &Header) noexcept {
  N->Parent = Parent;
  N->Left = N->Right = nullptr;
  N->Color = Red;
  if (Parent == &Header) {
    Header.Parent = Header.Left = Header.Right = N;
  } else {
    child(Parent, OnLeft) = N;
    if (Parent == child(&Header, OnLeft))
      child(&Header, OnLeft) = N;
  }
  balanceAfterInsertion(N, Header);
}

Node *_Rb_tree_rebalance_for_erase(Node *const N, Node &Header) noexcept {
  if (Header.Left == N)
    Header.Left = next(N);
  if (Header.Right == N)
    Header.Right = previous(N);
  Node *Orphan = N->Left ? N->Left : N->Right;
  Node *Parent = N->Parent;
  _Rb_tree_color Lost = N->Color;
  if (N->Left && N->Right) { // The next node takes its place.
    Node *Heir = leftmost(N->Right);
    Lost = Heir->Color;
    Orphan = Heir->Right;
    Parent = Heir;
    if (Heir != N->Right) {
      Parent = Heir->Parent;
      replace(Heir, Orphan, Header);
      Heir->Right = N->Right;
      Heir->Right->Parent = Heir;
    }
    replace(N, Heir, Header);
    Heir->Left = N->Left;
    Heir->Left->Parent = Heir;
    Heir->Color = N->Color;
  } else {
    replace(N, Orphan, Header);
  }
  if (Lost == Black)
    balanceAfterRemoval(Orphan, Parent, Header);
  return N;
}

namespace __detail {

struct _List_node_base {
  _List_node_base *Next, *Previous;
  void _M_hook(_List_node_base *Before) noexcept;
  void _M_unhook() noexcept;
  void _M_transfer(_List_node_base *First, _List_node_base *End) noexcept;
  void _M_reverse() noexcept;
  static void swap(_List_node_base &A, _List_node_base &B) noexcept;
};

static void follow(_List_node_base *A, _List_node_base *B) {
  A->Next = B;
  B->Previous = A;
}

void _List_node_base::_M_hook(_List_node_base *Before) noexcept {
  follow(Before->Previous, this);
  follow(this, Before);
}

void _List_node_base::_M_unhook() noexcept { follow(Previous, Next); }

void _List_node_base::_M_transfer(_List_node_base *First, _List_node_base *End) noexcept {
  if (this == End)
    return;
  _List_node_base *Last = End->Previous;
  follow(First->Previous, End);
  follow(Previous, First);
  follow(Last, this);
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base *N = this;
  do {
    _List_node_base *After = N->Next;
    N->Next = N->Previous;
    N->Previous = After;
    N = After;
  } while (N != this);
}

void _List_node_base::swap(_List_node_base &A, _List_node_base &B) noexcept {
  _List_node_base *FirstOfA = A.Next, *FirstOfB = B.Next;
  if (FirstOfB != &B)
    A._M_transfer(FirstOfB, &B);
  if (FirstOfA != &A)
    B._M_transfer(FirstOfA, FirstOfB == &B ? &A : FirstOfB);
}

} // namespace __detail
} // namespace std
