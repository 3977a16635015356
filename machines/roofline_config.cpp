// SPDX-License-Identifier: Apache-2.0
#include "machines/roofline_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace psim {
namespace {

std::string trimmed_part(const std::string& text) {
  const auto begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

}  // namespace

std::vector<NamedBandwidth> parse_links(const std::string& text) {
  std::vector<NamedBandwidth> links;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find(';', from), text.size());
    const std::string part = text.substr(from, end - from);
    from = end + 1;
    const std::size_t equals = part.rfind('=');
    const std::string name = equals == std::string::npos ? "" : trimmed_part(part.substr(0, equals));
    if (name.empty())
      throw UserError(fmt::format("{}: has no name; expected NAME = BANDWIDTH, such as one port = 5 GB/s",
                                  trimmed_part(part).empty() ? "(empty)" : trimmed_part(part)));
    const std::string value = trimmed_part(part.substr(equals + 1));
    const ParsedQuantity bandwidth = parse_quantity(value, Dimension::Bandwidth);
    if (!bandwidth.value || *bandwidth.value == 0)
      throw UserError(fmt::format("{} = {}: {}; expected a bandwidth above 0, such as 5 GB/s", name, value,
                                  bandwidth.value ? "is 0" : bandwidth.problem));
    for (const NamedBandwidth& other : links)
      if (other.name == name) throw UserError(fmt::format("{}: is named twice", name));
    links.push_back({name, BytesPerSecond{*bandwidth.value}});
  }
  return links;
}

void describe(Schema& schema, RooflineConfig& config) {
  constexpr FlopsPerSecond kNoFlops{0}, kMostFlops{1'000'000'000'000'000'000};
  constexpr BytesPerSecond kNoBytes{0}, kMostBytes{1'000'000'000'000'000};
  schema.section("roofline", "roofs of a node, for psim roofline; runs do not use them");
  schema.add("roofline.peak", config.peak, {kNoFlops, kMostFlops},
             "floating-point operations of a node; 0: those of node.core", kAssumption);
  schema.add("roofline.memory_bandwidth", config.memory_bandwidth, {kNoBytes, kMostBytes},
             "memory bandwidth of a node; 0: that of node.core", kAssumption);
  schema.add("roofline.links", config.links,
             "bandwidths between nodes, one way, a roof each: \"NAME = BANDWIDTH; …\"; empty: those of the "
             "node's network interface",
             kAssumption);
  schema.validate([&config](Problems& problems) {
    try {
      parse_links(config.links);
    } catch (const UserError& error) {
      problems.add("roofline.links", error.what());
    }
  });
}

}  // namespace psim
