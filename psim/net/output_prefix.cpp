// SPDX-License-Identifier: Apache-2.0
#include "psim/net/output_prefix.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace psim {

void OutputPrefix::print(net::RankId rank, net::Stream stream, std::string_view text) {
  std::FILE* file = stream == net::Stream::Out ? stdout : stderr;
  if (!plan_.several) {
    std::fwrite(text.data(), 1, text.size(), file);
    return;
  }
  const net::JobConfig* job = &*std::prev(
      std::upper_bound(plan_.jobs.begin(), plan_.jobs.end(), net::index(rank),
                       [](std::uint32_t r, const net::JobConfig& config) { return r < config.first; }));
  const net::JobConfig*& open = open_[stream == net::Stream::Out ? 0 : 1];
  std::string out;
  if (open != nullptr && open != job) {  // another job breaks into a line
    out += '\n';
    open = nullptr;
  }
  for (const char c : text) {
    if (open == nullptr) out += job->name + ": ";
    open = c == '\n' ? nullptr : job;
    out += c;
  }
  std::fwrite(out.data(), 1, out.size(), file);
}

}  // namespace psim
