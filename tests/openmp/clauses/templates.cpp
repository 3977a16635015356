// SPDX-License-Identifier: Apache-2.0
// Templates, lambdas, members, standard containers, iterators that are pointers, complex numbers and declared
// reductions.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>
constexpr int N = 203;
static void print(const char* n, const double* c, int m = N) {
  double s = 0;
  for (int i = 0; i < m; i++) s += c[i] * (i % 7 + 1);
  std::printf("%s %.17g\n", n, s);
}
template <class T, class F>
void apply(T* x, int n, F f) {
#pragma omp target teams distribute parallel for map(tofrom : x [0:n])
  for (int i = 0; i < n; i++) x[i] = f(x[i], i);
}
struct Field {
  std::vector<double> v = std::vector<double>(N, 1.0);
  double k = 2;
  int n = N;
  void scale() {
    double* p = v.data();
#pragma omp target teams distribute parallel for map(tofrom : p [0:n]) map(to : k)
    for (int i = 0; i < n; i++) p[i] *= k;
  }
  double norm() const {
    const double* p = v.data();
    double s = 0;
#pragma omp target teams distribute parallel for map(to : p [0:n]) reduction(+ : s)
    for (int i = 0; i < n; i++) s += p[i] * p[i];
    return s;
  }
  double& operator[](int i) { return v[i]; }
};
namespace deep {
namespace er {
template <int K>
struct Box {
  static void run(double* x) {
#pragma omp target parallel for map(tofrom : x [0:N])
    for (int i = 0; i < N; i++) x[i] += K;
  }
};
}  // namespace er
}  // namespace deep
struct vec3 {
  double x, y, z;
  vec3 operator+(const vec3& o) const { return {x + o.x, y + o.y, z + o.z}; }
  vec3 operator*(double f) const { return {x * f, y * f, z * f}; }
};
#pragma omp declare reduction(+ : vec3 : omp_out = omp_out + omp_in) initializer(omp_priv = vec3{0, 0, 0})
int main() {
  std::vector<double> a(N), b(N);
  std::iota(a.begin(), a.end(), -20.0);
  for (int i = 0; i < N; i++) b[i] = i % 9;
  double f = 3;
  apply(a.data(), N, [=](double x, int i) { return x * f + i; });
  print("lambda", a.data());
  apply(a.data(), N, [&](double x, int) { return x > 0 ? std::min(x, f) : std::max(x, -f); });
  print("lambda by reference", a.data());
  Field fl;
  fl.scale();
  fl[3] = 7;
  std::printf("%.17g\n", fl.norm());
  deep::er::Box<5>::run(a.data());
  print("template", a.data());
  std::array<double, N> arr{};
#pragma omp target parallel for map(tofrom : arr)
  for (int i = 0; i < N; i++) arr[i] += i;
  print("std::array", arr.data());
  std::vector<vec3> p(N), v(N);
  for (int i = 0; i < N; i++) p[i] = {1.0 * i, 2.0, -1.0 * i}, v[i] = {0.5, 1.0 * (i % 3), 2};
  vec3 *pp = p.data(), *vv = v.data();
#pragma omp target teams distribute parallel for map(tofrom : pp [0:N]) map(to : vv [0:N])
  for (int i = 0; i < N; i++) pp[i] = pp[i] + vv[i] * 0.5;
  print("structs", &p[0].x, 3 * N);
  vec3 sum{0, 0, 0};
#pragma omp target teams distribute parallel for map(to : pp [0:N]) reduction(+ : sum)
  for (int i = 0; i < N; i++) sum = sum + pp[i];
  std::printf("%g %g %g\n", sum.x, sum.y, sum.z);
  std::vector<std::complex<double>> z(N, {1, 2});
  auto* zz = z.data();
#pragma omp target parallel for map(tofrom : zz [0:N])
  for (int i = 0; i < N; i++) zz[i] = zz[i] * std::complex<double>(0, 1) + std::conj(zz[i]);
  print("complex", reinterpret_cast<double*>(zz), 2 * N);
  auto r = std::make_unique<double[]>(N);
  double* rp = r.get();
#pragma omp target parallel for map(from : rp [0:N])
  for (auto it = rp; it < rp + N; ++it) *it = 4;
  print("pointer loop", rp);
  double* const begin = a.data();
  double* const end = begin + N;
#pragma omp target parallel for map(tofrom : begin [0:N])
  for (double* it = begin; it != end; ++it) *it *= 0.5;
  print("pointer !=", a.data());
  try {
#pragma omp target parallel for map(tofrom : begin [0:N])
    for (int i = 0; i < N; i++) begin[i] += std::sqrt(std::abs(b[0]) + 4) + std::pow(2.0, 3.0);
  } catch (...) {
  }
  print("math", a.data());
  const std::size_t count = a.size();
  double* sd = a.data();
#pragma omp target teams loop map(tofrom : sd [0:N])
  for (std::size_t i = 0; i < count; i++) sd[i] -= 1;
  print("loop", a.data());
  bool flag = N > 100;
#pragma omp target parallel for map(tofrom : sd [0:N]) if (flag)
  for (int i = 0; i < N; i++) {
    double t[2] = {sd[i], 2};
    std::swap(t[0], t[1]);
    sd[i] = t[0] * 3 + t[1];
  }
  print("swap", a.data());
#pragma omp target parallel for map(tofrom : sd [0:N])
  for (int i = 0; i < N; i++) {
    switch (N % 3) {
      case 0:
        sd[i] = 0;
        break;
      case 2:
        sd[i] += 2;
        break;
      default:
        sd[i] *= 2;
    }
  }
  print("switch", a.data());
#pragma omp target parallel for map(tofrom : sd [0:N])
  for (int i = 0; i < N; i++) {
    switch (static_cast<int>(sd[i]) % 3) {
      case 0:
        sd[i] = 0;
        break;
      case 2:
        sd[i] += 2;
        break;
      default:
        sd[i] *= 2;
    }
  }
  print("switch on data", a.data());
}
