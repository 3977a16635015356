// SPDX-License-Identifier: Apache-2.0
// Containers, references, templates and lambdas.
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "check.h"

namespace {

template <typename T>
void scale(T* x, long n, T by) {
#pragma omp target teams distribute parallel for map(tofrom : x [0:n])
  for (long i = 0; i < n; i++) x[i] *= by;
}

#pragma omp declare target
struct Vector {
  double x, y, z;
  Vector operator+(const Vector& o) const { return {x + o.x, y + o.y, z + o.z}; }
  double dot(const Vector& o) const { return x * o.x + y * o.y + z * o.z; }
};
#pragma omp end declare target

class Grid {
 public:
  explicit Grid(int n) : n_(n), data_(new double[n]) { fill(data_, n, 3); }
  ~Grid() { delete[] data_; }
  void add(double by) {
#pragma omp target teams distribute parallel for map(tofrom : data_ [0:n_])
    for (int i = 0; i < n_; i++) data_[i] += by;
  }
  double* data() { return data_; }

 private:
  int n_;
  double* data_;
};

}  // namespace

int main() {
  const int n = 333;
  std::vector<double> v(n), w(n);
  fill(v.data(), n, 1), fill(w.data(), n, 2);
  scale(v.data(), n, 3.0);
  SHOW("template", v.data(), n);
  std::vector<float> f(n);
  fill_floats(f.data(), n, 5);
  scale(f.data(), n, 2.0f);
  scale(f.data() + 1, n - 2, 2.0f);
  SHOW_FLOATS("template of float", f.data(), n);
  double *x = v.data(), *y = w.data();
#pragma omp target teams distribute parallel for map(tofrom : x [0:n]) map(to : y [0:n])
  for (int i = 0; i < n; i++)
    x[i] = std::max(x[i], y[i]) + std::min(y[i], 3.0) + std::abs(x[i]) + std::fabs(y[i]);
  SHOW("std::max", x, n);
  std::vector<Vector> p(n), q(n);
  for (int i = 0; i < n; i++) p[i] = {double(i), double(2 * i), 1}, q[i] = {1, double(i % 7), 2};
  Vector *a = p.data(), *b = q.data();
#pragma omp target teams distribute parallel for map(to : a [0:n], b [0:n]) map(from : x [0:n])
  for (int i = 0; i < n; i++) x[i] = a[i].dot(b[i]);
  SHOW("member function", x, n);
#pragma omp target teams distribute parallel for map(tofrom : a [0:n]) map(to : b [0:n])
  for (int i = 0; i < n; i++) a[i] = a[i] + b[i];
  SHOW("operator", &a->x, 3 * n);
  Grid grid(n);
  grid.add(2.5);
  SHOW("this", grid.data(), n);
  const double by = 1.5;
  const auto formula = [=](double t) { return t * by + 1; };
#pragma omp target teams distribute parallel for map(tofrom : x [0:n])
  for (int i = 0; i < n; i++) x[i] = formula(x[i]);
  SHOW("lambda", x, n);
  double sum = 0;
  double& reference = sum;
#pragma omp target teams distribute parallel for reduction(+ : reference) map(to : x [0:n])
  for (int i = 0; i < n; i++) reference += x[i];
  printf("reference %.17g\n", sum);
  std::complex<double> c[40];
  for (int i = 0; i < 40; i++) c[i] = {double(i), double(3 - i)};
#pragma omp target teams distribute parallel for map(tofrom : c)
  for (int i = 0; i < 40; i++) c[i] = c[i] * std::complex<double>(2, 1) + c[i];
  double total = 0;
  for (int i = 0; i < 40; i++) total += c[i].real() * i + c[i].imag();
  printf("std::complex %.17g\n", total);
#pragma omp target teams distribute parallel for map(tofrom : x [0:n])
  for (double* at = x; at < x + n; ++at) *at += 2;
  SHOW("pointer", x, n);
  return 0;
}
