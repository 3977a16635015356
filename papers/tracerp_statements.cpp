// SPDX-License-Identifier: Apache-2.0
#include "papers/tracerp_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace psim::reproduce::tracerp {
namespace {

/// Differences below this are ignored: the runs then differ in the order of packets only.
constexpr double kAlike = 0.002;
/// A small difference in the words of the paper; half of it is about the same. Set before the first
/// comparison.
constexpr double kSmall = 0.1;

const Values& at(const std::vector<Values>& figure, std::size_t network, std::size_t program) {
  return figure[network * kPrograms.size() + program];
}

bool everywhere(const std::vector<Values>& figure, auto&& holds) {
  return std::all_of(figure.begin(), figure.end(), holds);
}

/// Returns the program with the least value of `measure` on a network.
std::size_t least(const std::vector<Values>& figure, std::size_t network, auto&& measure) {
  std::size_t best = 0;
  for (std::size_t p = 1; p < kPrograms.size(); ++p)
    if (measure(at(figure, network, p)) < measure(at(figure, network, best))) best = p;
  return best;
}

double first(const Values& values) { return values.front(); }
double minus_first(const Values& values) { return -values.front(); }
double change(const Values& values) {
  return *std::max_element(values.begin(), values.end()) - *std::min_element(values.begin(), values.end());
}
double loss(const Values& values) { return values.front() - values.back(); }

/// Returns the greatest difference between programs at the first step on a network.
double spread(const std::vector<Values>& figure, std::size_t network) {
  double low = 1e9, high = -1e9;
  for (std::size_t p = 0; p < kPrograms.size(); ++p)
    low = std::min(low, at(figure, network, p)[0]), high = std::max(high, at(figure, network, p)[0]);
  return high - low;
}

/// Returns the number of the step with the least value.
std::size_t least_step(const Values& values) {
  return static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
}

bool never_falls(const Values& values) {
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] < values[i - 1] - kAlike) return false;
  return true;
}
bool first_is_least(const Values& values) {
  return values.front() <= *std::min_element(values.begin(), values.end()) + kAlike;
}

}  // namespace

PaperNumbers paper_numbers(const Published& published) {
  PaperNumbers numbers;
  numbers.base_watts = published.number("p-base"), numbers.dynamic_watts = published.number("p-dynamic");
  numbers.sleep_us = published.number("t-s"), numbers.wake_us = published.number("t-w");
  for (std::size_t n = 0; n < kNetworks.size(); ++n)
    for (std::size_t p = 0; p < kPrograms.size(); ++p) {
      const std::string of = fmt::format("{}-{}", kNetworks[n].key, kPrograms[p].title);
      for (const PublishedValue& value : published.values) {
        if (value.name == "performance-" + of)
          numbers.slow_down[n] = std::max(numbers.slow_down[n], 1 / *value.paper - 1);
      }
    }
  return numbers;
}

std::vector<Statement> check(const Figures& f, const PaperNumbers& paper) {
  std::vector<Statement> all;
  const std::vector<Values>* const values[] = {&f.power, &f.energy_by_after, &f.power_by_after,
                                               &f.performance_by_wake};  // of figures 2 to 5
  // Says whether a statement holds, if its figure was run.
  const auto say = [&](unsigned figure, std::string_view text, auto&& holds) {
    if (!values[figure - 2]->empty()) all.push_back({fmt::format("figure {}: {}", figure, text), holds()});
  };
  // Says whether a program has the least value of `measure` on a network.
  const auto say_least = [&](unsigned figure, std::string_view text, std::size_t network, auto&& measure,
                             std::size_t program) {
    say(figure, text, [&] { return least(*values[figure - 2], network, measure) == program; });
  };
  say(2, "power is less with every program on every network",
      [&] { return everywhere(f.power, [](const Values& v) { return v[0] < 1; }); });
  const double base = paper.base_watts / (paper.base_watts + paper.dynamic_watts);
  say(2, "no more is saved than P_dynamic, 39.5 %",
      [&] { return everywhere(f.power, [base](const Values& v) { return v[0] > base - 1e-9; }); });
  say_least(2, "qbox saves most on the fat tree", kFatTree, first, kQbox);
  say_least(2, "a2a saves least on the fat tree", kFatTree, minus_first, kAllToAll);
  say_least(2, "stencil4d saves most on the torus", kTorus, first, kStencil);
  say_least(2, "a2a saves least on the torus", kTorus, minus_first, kAllToAll);
  say_least(2, "qbox saves most on the dragonfly", kDragonfly, first, kQbox);
  for (std::size_t n = 0; n < kNetworks.size(); ++n)
    say(2, fmt::format("no program is slower than the paper's slowest on the {}", kNetworks[n].name), [&] {
      bool within = true;
      for (std::size_t p = 0; p < kPrograms.size(); ++p)
        within = within && 1 / at(f.performance, n, p)[0] - 1 <= paper.slow_down[n];
      return within;
    });
  say(3, "on the fat tree T_s = 10 µs takes least energy with every program", [&] {
    bool best = true;
    for (std::size_t p = 0; p < kPrograms.size(); ++p)
      best = best && first_is_least(at(f.energy_by_after, kFatTree, p));
    return best;
  });
  say_least(3, "on the fat tree qbox's energy depends least on T_s", kFatTree, change, kQbox);
  say(4, "the longer T_s, the more power, where waking takes no time",
      [&] { return everywhere(f.power_by_after, never_falls); });
  say_least(4, "on the fat tree qbox's power depends least on T_s", kFatTree, change, kQbox);
  say_least(4, "on the dragonfly qbox's power depends least on T_s", kDragonfly, change, kQbox);
  say(5, "links that wake in no time cost no time", [&] {
    return everywhere(f.performance_by_wake, [](const Values& v) { return std::abs(v[0] - 1) < kAlike; });
  });
  say(5, "programs are slower where waking takes 20 µs than where it takes none", [&] {
    return everywhere(f.performance_by_wake, [](const Values& v) { return v.back() < v.front(); });
  });
  say_least(5, "near-neighbor loses least on the fat tree", kFatTree, loss, kNearNeighbor);
  say_least(5, "near-neighbor loses least on the dragonfly", kDragonfly, loss, kNearNeighbor);
  say(5, "on the torus all programs fall to a tenth or less at T_w = 20 µs", [&] {
    bool so = true;
    for (std::size_t p = 0; p < kPrograms.size(); ++p)
      so = so && at(f.performance_by_wake, kTorus, p).back() <= 0.1;
    return so;
  });
  say(3, "on the torus a2a takes least energy at T_s = 50 µs",
      [&] { return least_step(at(f.energy_by_after, kTorus, kAllToAll)) == 1; });
  say(3, "on the dragonfly qbox takes least energy at T_s = 50 µs, other programs at 10 µs", [&] {
    bool so = true;
    for (std::size_t p = 0; p < kPrograms.size(); ++p)
      so = so && least_step(at(f.energy_by_after, kDragonfly, p)) == (p == kQbox ? 1U : 0U);
    return so;
  });
  say_least(4, "near-neighbor saves most at T_s = 0 on the fat tree", kFatTree, first, kNearNeighbor);
  say(4, "programs differ little at T_s = 0 on the torus",
      [&] { return spread(f.power_by_after, kTorus) <= kSmall; });
  say(4, "on the torus power depends little on T_s, except with a2a", [&] {
    bool so = true;
    for (std::size_t p = 0; p < kPrograms.size(); ++p)
      so = so && (p == kAllToAll) == (change(at(f.power_by_after, kTorus, p)) > kSmall);
    return so;
  });
  say(4, "on the dragonfly qbox takes about the same power at T_s = 50 and 250 µs", [&] {
    const Values& qbox = at(f.power_by_after, kDragonfly, kQbox);
    return std::abs(qbox[3] - qbox[2]) <= kSmall / 2;
  });
  say(5, "on the fat tree performance is about the same at T_w = 15 and 20 µs", [&] {
    bool so = true;
    for (std::size_t p = 0; p < kPrograms.size(); ++p) {
      const Values& performance = at(f.performance_by_wake, kFatTree, p);
      so = so && std::abs(performance[4] - performance[3]) <= kSmall / 2;
    }
    return so;
  });
  say(5, "qbox loses most on the dragonfly", [&] {
    return least(f.performance_by_wake, kDragonfly, [](const Values& v) { return v.back(); }) == kQbox;
  });
  say(5, "stencil4d loses least on the dragonfly after near-neighbor", [&] {
    const double stencil = loss(at(f.performance_by_wake, kDragonfly, kStencil));
    bool so = loss(at(f.performance_by_wake, kDragonfly, kNearNeighbor)) <= stencil;
    for (const std::size_t p : {kPermutation, kQbox, kAllToAll})
      so = so && stencil <= loss(at(f.performance_by_wake, kDragonfly, p));
    return so;
  });
  return all;
}

}  // namespace psim::reproduce::tracerp
