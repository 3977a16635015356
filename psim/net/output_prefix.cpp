// SPDX-License-Identifier: Apache-2.0
#include "psim/net/output_prefix.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "base/console.h"

namespace psim {

void OutputPrefix::print(net::RankId rank, net::Stream stream, std::string_view text) {
  const int descriptor = stream == net::Stream::Out ? STDOUT_FILENO : STDERR_FILENO;
  if (!plan_.several) {
    console::pass_on(descriptor, text);
    return;
  }
  const net::JobConfig* job = &*std::prev(
      std::upper_bound(plan_.jobs.begin(), plan_.jobs.end(), net::index(rank),
                       [](std::uint32_t r, const net::JobConfig& config) { return r < config.first; }));
  const net::JobConfig*& open = open_[stream == net::Stream::Out ? 0 : 1];
  std::string out;
  if (open != nullptr && open != job) {  // another job interrupts an unfinished line
    out += '\n';
    open = nullptr;
  }
  for (const char c : text) {
    if (open == nullptr) out += job->name + ": ";
    open = c == '\n' ? nullptr : job;
    out += c;
  }
  console::pass_on(descriptor, out);
}

}  // namespace psim
