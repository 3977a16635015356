// SPDX-License-Identifier: Apache-2.0
// C++: templates, virtual calls, containers, algorithms, strings, and exceptions that unwind through frames
// with destructors.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "psim.h"

namespace {

template <int N>
struct Power {
  static constexpr long of(long x) { return x * Power<N - 1>::of(x); }
};
template <>
struct Power<0> {
  static constexpr long of(long) { return 1; }
};

struct Shape {
  virtual ~Shape() = default;
  virtual long area() const = 0;
};
struct Square : Shape {
  explicit Square(long side) : side(side) {}
  long area() const override { return Power<2>::of(side); }
  long side;
};
struct Bar : Shape {
  Bar(long width, long height) : width(width), height(height) {}
  long area() const override { return width * height; }
  long width, height;
};

int open = 0;
struct Guard {
  Guard() { ++open; }
  ~Guard() { --open; }
};

long descend(int depth) {
  const Guard guard;
  if (depth == 0) throw std::out_of_range("bottom");
  return descend(depth - 1) + depth;
}

}  // namespace

int main() {
  PSIM_REGION_BEGIN("shapes", 300);
  std::vector<std::unique_ptr<Shape>> shapes;
  for (long i = 0; i < 300; ++i)
    if (i % 3)
      shapes.push_back(std::make_unique<Square>(i));
    else
      shapes.push_back(std::make_unique<Bar>(i, 2));
  const long area =
      std::accumulate(shapes.begin(), shapes.end(), 0L,
                      [](long sum, const std::unique_ptr<Shape>& shape) { return sum + shape->area(); });
  PSIM_REGION_END("shapes");

  PSIM_REGION_BEGIN("containers", 500);
  std::map<std::string, int> ordered;
  std::unordered_map<int, std::vector<int>> groups;
  for (int i = 0; i < 500; ++i) {
    ordered["key" + std::to_string(i * 7919 % 500)] = i;
    groups[i % 17].push_back(i);
  }
  std::vector<int> flat;
  for (int group = 0; group < 17; ++group)
    flat.insert(flat.end(), groups[group].begin(), groups[group].end());
  std::sort(flat.begin(), flat.end(),
            [](int a, int b) { return a % 10 != b % 10 ? a % 10 < b % 10 : a < b; });
  PSIM_REGION_END("containers");

  PSIM_REGION_BEGIN("exceptions", 10);
  int caught = 0;
  for (int depth = 0; depth < 10; ++depth) try {
      descend(depth);
    } catch (const std::exception&) {
      ++caught;
    }
  PSIM_REGION_END("exceptions");

  const int wrong =
      (ordered.size() != 500) + (ordered.begin()->first != "key0") + (flat[50] != 1) + (caught != 10) + open;
  std::printf("containers: area %ld, wrong=%d\n", area, wrong);
  return wrong != 0;
}
