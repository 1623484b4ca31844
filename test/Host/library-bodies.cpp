// The bodies that derivatives have of functions in libstdc++ (lib/Driver/Library) do what libstdc++
// does: trees stay ordered and balanced, lists are rings. And they are lent: the program itself
// goes on calling the library.
// RUN: %clangxx -std=c++20 -O1 %s %source/lib/Driver/Library/containers.cpp -o %t && %t
// RUN: %clangxx -std=c++20 -O1 -DDERIVE %s -S -emit-llvm -o - | FileCheck %s
// CHECK: declare {{.*}}@_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(
// CHECK-NOT: define {{.*}}@_ZSt18_Rb_tree_increment
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <vector>

#ifdef DERIVE
double sum(const double *x, int n) {
  std::map<int, double> m;
  for (int i = 0; i < n; i++)
    m[7 * i % 5] += x[i];
  double s = 0;
  for (auto &[key, value] : m)
    s += value * value;
  return s;
}
extern int enzyme_dup;
template <class... Args> void __enzyme_autodiff(void *, Args...);
void gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, n);
}
#else
static void require(bool Holds, const char *What) {
  if (!Holds) {
    printf("FAILED: %s\n", What);
    exit(1);
  }
}

using Node = const std::_Rb_tree_node_base *;
/// How many black nodes are on each path down from \p N.
static int blackHeight(Node N) {
  if (!N)
    return 0;
  for (Node Child : {N->_M_left, N->_M_right})
    if (Child) {
      require(Child->_M_parent == N, "a child's parent is this");
      require(N->_M_color == std::_S_black || Child->_M_color == std::_S_black, "no two are red");
    }
  int Left = blackHeight(N->_M_left);
  require(Left == blackHeight(N->_M_right), "each path has as many black nodes");
  return Left + (N->_M_color == std::_S_black);
}

static void testTree(unsigned Keys, unsigned Steps) {
  std::map<unsigned, unsigned> Tree;
  std::vector<bool> Has(Keys);
  for (unsigned Step = 0; Step != Steps; ++Step) {
    unsigned Key = rand() % Keys;
    // Now more are added, now more are removed.
    if (rand() % 8 < (Step / Keys % 2 ? 2 : 6)) {
      Tree.insert({Key, Step});
      Has[Key] = true;
    } else {
      require(Tree.erase(Key) == Has[Key], "what is there is removed");
      Has[Key] = false;
    }
    Node Header = Tree.end()._M_node;
    blackHeight(Header->_M_parent);
    require(!Header->_M_parent || Header->_M_parent->_M_color == std::_S_black, "the root is black");
    auto It = Tree.begin();
    for (unsigned K = 0; K != Keys; ++K)
      if (Has[K])
        require(It != Tree.end() && It++->first == K, "the keys come in order");
    require(It == Tree.end(), "nothing else comes");
    for (unsigned K = Keys; K-- != 0;)
      if (Has[K])
        require((--It)->first == K, "and back");
    require(It == Tree.begin(), "to the first");
  }
}

static void isList(const std::list<int> &L, std::vector<int> Expected, const char *What) {
  require(std::vector<int>(L.begin(), L.end()) == Expected, What);
  require(std::vector<int>(L.rbegin(), L.rend()) ==
              std::vector<int>(Expected.rbegin(), Expected.rend()), What);
}

static void testList() {
  std::list<int> A{1, 2, 3}, B{4, 5}, Empty;
  A.reverse();
  isList(A, {3, 2, 1}, "reverse");
  A.swap(B);
  isList(A, {4, 5}, "swap");
  isList(B, {3, 2, 1}, "swap with more");
  A.swap(Empty);
  isList(A, {}, "swap with none");
  isList(Empty, {4, 5}, "swap of none");
  A.swap(Empty);
  isList(A, {4, 5}, "swap back");
  B.splice(std::next(B.begin()), A, A.begin());
  isList(B, {3, 4, 2, 1}, "splice one");
  B.splice(B.begin(), B, std::prev(B.end()));
  isList(B, {1, 3, 4, 2}, "splice within");
  B.splice(B.end(), A);
  isList(B, {1, 3, 4, 2, 5}, "splice all");
  B.erase(std::next(B.begin()));
  B.sort();
  isList(B, {1, 2, 4, 5}, "erase and sort");
}

int main() {
  testTree(3, 500);
  testTree(20, 3000);
  testTree(300, 3000);
  testList();
}
#endif
