# Part of Isozyme, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random C++ programs are put together from; cxx_generator.py says what @ and $ mean."""

# Each is a function template $f(v, n, a): v has at least two numbers, n is from 0 to 5.
FEATURES = {
    "class": """
template <class T> class $Meter {
  T sum, weight;
  int count = 0;
public:
  explicit $Meter(T w) : sum(@K), weight(w) {}
  void add(const T &p) { T q = sum; sum = sin(@E); count += @I; }
  T mean() const { return count ? sum * weight / (1.0 + count) : weight; }
  $Meter &operator+=(const T &p) { add(p); return *this; }
};
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  $Meter<T> meter(a), other(v[0]);
  for (int i = 0; i < n; i++) {
    meter += v[i % v.size()];
    if (i % 2) std::swap(meter, other);
  }
  @C other.add(meter.mean());
  return meter.mean() - other.mean();
}""",
    "virtual": """
template <class T> struct $Shape {
  virtual ~$Shape() = default;
  virtual T area(const T &p) const = 0;
  virtual T twice(const T &p) const { return area(p) + area(p * @K); }
};
template <class T> struct $Disc : $Shape<T> {
  T q;
  explicit $Disc(T r) : q(r) {}
  T area(const T &p) const override { return @E; }
};
template <class T> struct $Box : $Disc<T> {
  std::vector<T> sides;
  $Box(T p, T r) : $Disc<T>(r), sides{p, r, p * r} {}
  T area(const T &p) const override { T q = sides[@I % 3]; return @E; }
  T twice(const T &p) const override { return $Disc<T>::twice(p) * sides[1]; }
};
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  std::vector<std::@P<$Shape<T>>> all;
  for (int i = 0; i <= n; i++) {
    const T &q = v[i % v.size()];
    if (i % @J) all.push_back(std::make_@O<$Disc<T>>(q));
    else all.push_back(std::make_@O<$Box<T>>(a, q));
  }
  T sum = a;
  for (const auto &shape : all)
    sum = sin(sum + shape->twice(a));
  return sum;
}""",
    "sorted": """
template <class T> struct $Record { T key; int number; T value; };
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  std::vector<$Record<T>> records;
  for (std::size_t i = 0; i < v.size(); i++) {
    T p = v[i], q = a;
    records.push_back({p * @K + 0.01 * (double)i, (int)i, @E});
  }
  std::sort(records.begin(), records.end(),
            [](const $Record<T> &l, const $Record<T> &r) { return @R; });
  T sum = a, weight = @K;
  for (auto &[key, number, value] : records) {
    sum += weight * (key + number * value);
    weight *= 0.8;
  }
  return sin(sum);
}""",
    "sequence": """
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  @Q<T> list;
  for (const T &p : v) {
    T q = a;
    list.push_back(@E);
  }
  for (int i = 0; i < n; i++) {
    T p = list.front(), q = list.back();
    list.push_back(@E * 0.5);
    @C list.pop_back();
  }
  auto copy = list;
  list.back() = copy.front() * @K;
  auto moved = std::move(copy);
  T sum = std::accumulate(moved.begin(), moved.end(), a);
  for (auto it = list.begin(); it != list.end(); ++it) {
    T p = *it, q = sum;
    sum = sin(@E);
  }
  return sum;
}""",
    "map": """
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  std::map<@M, T> table;
  for (int i = 0; i < n + 3; i++)
    table[@Y(@I * i % @J)] += v[i % v.size()] * a;
  @C table.erase(@Y(0));
  T sum = a;
  for (auto &[key, p] : table) {
    T q = sum;
    sum = sin(@E);
  }
  if (auto found = table.find(@Y(1)); found != table.end())
    sum += found->second * @K;
  return sum;
}""",
    "owner": """
template <class T> struct $Node {
  T value;
  std::@P<$Node> next;
};
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  std::@P<$Node<T>> head;
  for (int i = 0; i < n + 1; i++) {
    auto node = std::make_@O<$Node<T>>();
    T p = v[i % v.size()], q = a;
    node->value = @E;
    node->next = std::move(head);
    head = std::move(node);
  }
  T q = a;
  for (auto *node = head.get(); node; node = node->next.get()) {
    T p = node->value;
    q = sin(@E);
  }
  @C head = std::move(head->next);
  return head ? q * head->value : q;
}""",
    "optional": """
template <class T> std::optional<T> $find(const std::vector<T> &v, double above) {
  for (const T &p : v)
    if (p > above)
      return p * @K;
  return std::nullopt;
}
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  auto p = $find(v, @K).value_or(a);
  std::optional<std::pair<T, T>> both;
  T q = a;
  @C both = std::make_pair(@E, p);
  if (n > 1) both.emplace(q, @E);
  return both ? sin(both->first * both->second) : p;
}""",
    "variant": """
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  using Either = std::variant<T, std::pair<T, T>, std::array<T, 3>>;
  std::vector<Either> all;
  for (int i = 0; i < n + 2; i++) {
    T p = v[i % v.size()], q = a;
    if (i % 3 == 0) all.push_back(Either(@E));
    else if (i % 3 == @I % 3) all.push_back(std::make_pair(p, q));
    else all.push_back(std::array<T, 3>{p, @E, q});
  }
  T sum = a;
  for (const Either &item : all) {
    if (auto *one = std::get_if<0>(&item)) sum += *one;
    else if (auto *two = std::get_if<1>(&item)) sum += two->first * two->second;
    else sum *= std::get<2>(item)[@I % 3];
    sum = sin(sum);
  }
  return sum;
}""",
    "function": """
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  T q = v[0];
  auto step = [&q, a](T p) { q = sin(@E); return p * a; };
  std::vector<std::function<T(T)>> steps{step, [q](T p) { return @E; }};
  @C steps.push_back([v, n](T p) { return p * v[n % v.size()] + v.back(); });
  T p = a;
  for (int i = 0; i < n + 2; i++)
    p = sin(steps[i % steps.size()](p));
  return p + q;
}""",
    "tuple": """
template <class T> std::tuple<T, int, T> $split(T p, const T &q, int i) {
  return {@E, i + @I, p * @K};
}
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  T sum = a;
  for (int i = 0; i < n; i++) {
    auto [p, k, q] = $split(v[i % v.size()], sum, i);
    std::tie(p, q) = std::make_tuple(q * (0.1 * k), p);
    sum = sin(@E);
  }
  return sum;
}""",
    "exception": """
template <class T> struct $Error { T value; int code; };
template <class T> T $risky(const T &p, T q, int i) {
  std::vector<T> held{p, q};
  if (i % @J == 1) throw $Error<T>{@E, i};
  if (i % @J == 2) throw std::runtime_error("too " + std::to_string(i));
  return held[0] * held[1];
}
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  T sum = a;
  for (int i = 0; i < n; i++) {
    try {
      sum += $risky(v[i % v.size()], sum, i);
    } catch (const $Error<T> &e) {
      sum = sum * @K + e.value * (double)e.code;
    } catch (const std::exception &e) {
      sum *= e.what()[0] == 't' ? 0.5 : 2.0;
    }
    sum = sin(sum);
  }
  return sum;
}""",
    "algorithm": """
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  std::vector<T> w(v.size());
  std::transform(v.begin(), v.end(), w.begin(), [&](const T &p) { T q = a; return @E; });
  T p = *std::max_element(w.begin(), w.end()), q = *std::min_element(v.begin(), v.end());
  @C std::reverse(w.begin(), w.end());
  @C std::partial_sum(w.begin(), w.end(), w.begin());
  std::rotate(w.begin(), w.begin() + @I % w.size(), w.end());
  return sin(std::inner_product(v.begin(), v.end(), w.begin(), @E));
}""",
    "operators": """
template <class T> struct $Vec {
  std::array<T, 3> of;
  T &operator[](int i) { return of[i]; }
  const T &operator[](int i) const { return of[i]; }
  friend $Vec operator+(const $Vec &l, const $Vec &r) { return {{l[0] + r[0], l[1] + r[1], l[2] + r[2]}}; }
  friend T operator*(const $Vec &l, const $Vec &r) { return l[0] * r[0] + l[1] * r[1] + l[2] * r[2]; }
  $Vec operator%(const $Vec &r) const {
    return {{of[1] * r[2] - of[2] * r[1], of[2] * r[0] - of[0] * r[2], of[0] * r[1] - of[1] * r[0]}};
  }
};
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  $Vec<T> l{{v[0], a, v[1]}}, r{{a, v[0], a * @K}};
  for (int i = 0; i < n; i++) {
    T &p = l[(i + @I) % 3], q = r[i % 3];
    p = sin(@E);
    @C r = l % r + r;
    else std::swap(l, r);
  }
  return sin(l * r);
}""",
    "named": """
template <class T> struct $Named {
  std::string name;
  T value;
  std::vector<T> more;
};
template <class T> T $f(const std::vector<T> &v, int n, T a) {
  std::vector<$Named<T>> all;
  for (int i = 0; i < n + 1; i++)
    all.push_back({std::string(i * @I, 'x') + "y", v[i % v.size()] * a, v});
  T sum = a;
  for (auto &item : all) {
    T p = item.value, q = item.more[@I % item.more.size()];
    if (item.name.size() > @I) sum += @E;
    else item.more.push_back(sum);
    sum = sin(sum * item.more.back());
  }
  return sum;
}""",
}
