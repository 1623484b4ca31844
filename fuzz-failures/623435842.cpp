namespace program {

template <class T> T f1(const std::vector<T> &v, int n, T a) {
  std::vector<T> list;
  for (const T &p : v) {
    T q = a;
    list.push_back(sin(p));
  }
  for (int i = 0; i < n; i++) {
    T p = list.front(), q = list.back();
    list.push_back((sqrt(1.5 + sin(sqrt(1.5 + sin(p)))) - cos((p * q))) * 0.5);
    if (n % 3 == 1) list.pop_back();
  }
  auto copy = list;
  list.back() = copy.front() * 0.279;
  auto moved = std::move(copy);
  T sum = std::accumulate(moved.begin(), moved.end(), a);
  for (auto it = list.begin(); it != list.end(); ++it) {
    T p = *it, q = sum;
    sum = sin(((exp(sin(q)) + (q - 0.785 * p)) - sqrt(1.5 + sin(tanh(q)))));
  }
  return sum;
}

template <class T> struct Record2 { T key; int number; T value; };
template <class T> T f2(const std::vector<T> &v, int n, T a) {
  std::vector<Record2<T>> records;
  for (std::size_t i = 0; i < v.size(); i++) {
    T p = v[i], q = a;
    records.push_back({p * 0.947 + 0.01 * (double)i, (int)i, (p - (p * (q + 1.301 * p)))});
  }
  std::sort(records.begin(), records.end(),
            [](const Record2<T> &l, const Record2<T> &r) { return l.value > r.value; });
  T sum = a, weight = 0.426;
  for (auto &[key, number, value] : records) {
    sum += weight * (key + number * value);
    weight *= 0.8;
  }
  return sin(sum);
}

template <class T> struct Error3 { T value; int code; };
template <class T> T risky3(const T &p, T q, int i) {
  std::vector<T> held{p, q};
  if (i % 2 == 1) throw Error3<T>{exp(sin(atan(tanh(1.185 * p)))), i};
  if (i % 4 == 2) throw std::runtime_error("too " + std::to_string(i));
  return held[0] * held[1];
}
template <class T> T f3(const std::vector<T> &v, int n, T a) {
  T sum = a;
  for (int i = 0; i < n; i++) {
    try {
      sum += risky3(v[i % v.size()], sum, i);
    } catch (const Error3<T> &e) {
      sum = sum * 0.616 + e.value * (double)e.code;
    } catch (const std::exception &e) {
      sum *= e.what()[0] == 't' ? 0.5 : 2.0;
    }
    sum = sin(sum);
  }
  return sum;
}
template <class T> T whole(T *x, T *y, int n, T a) {
  std::vector<T> v(x, x + n);
  v.push_back(a);
  v.push_back(y[0]);
  T s = a;
  v.push_back(f1<T>(v, 0, s));
  s = f2<T>(v, 5, s);
  s += 0.5 * f3<T>(v, n, s);
  y[1] = sin(y[1] + s * v.back());
  return std::accumulate(v.begin(), v.end(), s);
}
}
__attribute__((noinline)) double f(double *x, double *y, int n, double a) {
  return program::whole<double>(x, y, n, a);
}
