// SPDX-License-Identifier: Apache-2.0
#include "ranks/libc/output.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace psim::net {

void OutputOrder::add(Picoseconds time, RankId rank, Stream stream, std::string_view text) {
  if (!pieces_.empty()) {
    Printed& last = pieces_.back();
    if (last.time == time && last.rank == rank && last.stream == stream) {
      last.text += text;
      return;
    }
  }
  pieces_.push_back({time, rank, stream, std::string(text)});
}

std::vector<Printed> OutputOrder::take_before(Picoseconds time) {
  std::stable_sort(pieces_.begin(), pieces_.end(), [](const Printed& a, const Printed& b) {
    return std::tuple(a.time, index(a.rank)) < std::tuple(b.time, index(b.rank));
  });
  const auto end =
      std::find_if(pieces_.begin(), pieces_.end(), [&](const Printed& p) { return p.time >= time; });
  std::vector<Printed> taken(std::make_move_iterator(pieces_.begin()), std::make_move_iterator(end));
  pieces_.erase(pieces_.begin(), end);
  return taken;
}

}  // namespace psim::net
