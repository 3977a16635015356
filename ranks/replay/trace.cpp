// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace psim::net::replay {

std::optional<std::uint32_t> set_dependences(RankTrace& rank, const std::vector<Dependence>& dependences) {
  const std::size_t count = rank.operations.size();
  rank.first.assign(count + 1, 0);
  rank.required.assign(count, 0);
  for (const Dependence& each : dependences) ++rank.first[each.before + 1], ++rank.required[each.after];
  std::partial_sum(rank.first.begin(), rank.first.end(), rank.first.begin());
  rank.successors.resize(dependences.size());
  std::vector<std::uint64_t> next(rank.first.begin(), rank.first.end() - 1);
  for (const Dependence& each : dependences)
    rank.successors[next[each.before]++] = each.after << 1 | (each.at_start ? 1u : 0u);

  std::vector<std::uint32_t> required = rank.required, ready;
  for (std::uint32_t i = 0; i < count; ++i)
    if (required[i] == 0) ready.push_back(i);
  std::size_t begun = 0;
  for (; begun < ready.size(); ++begun)
    for (std::uint64_t s = rank.first[ready[begun]]; s < rank.first[ready[begun] + 1]; ++s)
      if (const std::uint32_t after = rank.successors[s] >> 1; --required[after] == 0) ready.push_back(after);
  if (begun == count) return {};
  const auto stuck = std::find_if(required.begin(), required.end(), [](std::uint32_t n) { return n != 0; });
  return static_cast<std::uint32_t>(stuck - required.begin());
}

std::uint64_t Trace::operations() const {
  std::uint64_t sum = 0;
  for (const RankTrace& rank : ranks) sum += rank.operations.size();
  return sum;
}

void Trace::scale(double compute, double message) {
  const auto bytes = [&](std::uint64_t before) {
    const double after = std::round(static_cast<double>(before) * message);
    if (after > static_cast<double>(kMostBytes))
      throw UserError(fmt::format("{}: a message of {} bytes, {} times as long, is longer than {} bytes",
                                  name, before, message, kMostBytes));
    return static_cast<std::uint64_t>(after);
  };
  for (RankTrace& rank : ranks)
    for (Operation& operation : rank.operations) {
      if (operation.kind == Kind::Compute)
        operation.amount = static_cast<std::uint64_t>(static_cast<double>(operation.amount) * compute);
      else
        operation.amount = bytes(operation.amount);
    }
  for (std::uint32_t& size : sizes) size = static_cast<std::uint32_t>(bytes(size));
}

Replay::Replay(const Trace& trace) {
  for (const RankTrace& rank : trace.ranks) {
    RankView view{rank.operations.data(), rank.operations.size(), rank.requests, nullptr, nullptr, nullptr};
    if (!rank.first.empty()) {
      view.first = rank.first.data();
      view.successors = rank.successors.data();
      view.required = rank.required.data();
    }
    ranks_.push_back(view);
  }
  for (const auto& members : trace.communicators)
    communicators_.push_back({members.data(), static_cast<std::uint32_t>(members.size())});
  view_ = {ranks_.data(), communicators_.data(), trace.sizes.data(), &begun_};
}

std::string Replay::argument() const {
  return fmt::format("{:#x}", reinterpret_cast<std::uintptr_t>(&view_));
}

}  // namespace psim::net::replay
