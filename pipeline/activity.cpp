// SPDX-License-Identifier: Apache-2.0
#include "pipeline/activity.h"

#include <bit>
#include <type_traits>

namespace psim::pipeline {

namespace {
// Every member is a count, so the whole is an array of them.
static_assert(std::is_trivially_copyable_v<Activity> && sizeof(Activity) % sizeof(std::uint64_t) == 0);
using Counts = std::array<std::uint64_t, sizeof(Activity) / sizeof(std::uint64_t)>;

template <class Combine>
void combine(Activity& into, const Activity& other, Combine each) {
  Counts a = std::bit_cast<Counts>(into);
  const Counts b = std::bit_cast<Counts>(other);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = each(a[i], b[i]);
  into = std::bit_cast<Activity>(a);
}
}  // namespace

Activity& Activity::operator+=(const Activity& other) {
  combine(*this, other, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  return *this;
}

Activity& Activity::operator-=(const Activity& other) {
  combine(*this, other, [](std::uint64_t a, std::uint64_t b) { return a - b; });
  return *this;
}

}  // namespace psim::pipeline
