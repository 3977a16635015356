// SPDX-License-Identifier: Apache-2.0
#include "papers/result_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/parse_number.h"

namespace psim::reproduce {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_text(const nlohmann::ordered_json& json, const std::string& text) {
  return json.is_string() ? json.get_ref<const std::string&>() == text : json.dump() == text;
}

}  // namespace

ResultPath::ResultPath(std::string_view text) {
  constexpr std::string_view kOr = " | ";
  for (;;) {
    const std::size_t end = text.find(kOr);
    ways_.push_back(parse(without_blanks(text.substr(0, end))));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + kOr.size());
  }
}

bool ResultPath::of_host() const {
  return std::ranges::all_of(ways_, [](const Way& way) { return way.front().key == "host"; });
}

ResultPath::Way ResultPath::parse(std::string_view text) {
  Way way;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(".["), text.size());
    if (end == 0) throw UserError("expected a key before . and [");
    way.push_back({Step::Kind::Key, std::string(text.substr(0, end)), {}});
    text.remove_prefix(end);
    while (text.starts_with('[')) {
      const std::size_t close = text.find(']');
      if (close == std::string_view::npos) throw UserError("[ without ]");
      const std::string_view inside = text.substr(1, close - 1);
      text.remove_prefix(close + 1);
      if (const std::size_t equals = inside.find('='); equals != std::string_view::npos) {
        way.push_back({Step::Kind::Filter, std::string(inside.substr(0, equals)),
                       std::string(inside.substr(equals + 1))});
        continue;
      }
      Step step{inside.empty() ? Step::Kind::All : Step::Kind::Index, {}, {}};
      const auto index = parse_number<decltype(step.index)>(inside);
      if (!inside.empty() && !index)
        throw UserError(fmt::format("[{}]: expected [], [NUMBER] or [KEY=VALUE]", inside));
      step.index = index.value_or(step.index);
      way.push_back(step);
    }
    if (text.empty()) return way;
    if (!text.starts_with('.') || text.size() == 1) throw UserError("expected . and a key");
    text.remove_prefix(1);
  }
  throw UserError("is empty; expected keys with dots between them");
}

std::vector<double> ResultPath::numbers(const nlohmann::ordered_json& result) const {
  std::vector<double> found;
  for (const Way& way : ways_) {
    std::vector<const nlohmann::ordered_json*> nodes{&result}, next;
    for (const Step& step : way) {
      next.clear();
      for (const nlohmann::ordered_json* node : nodes) {
        if (step.kind == Step::Kind::Key) {
          if (!node->is_object()) continue;
          if (step.key == "*")
            for (const auto& [key, value] : node->items()) next.push_back(&value);
          else if (node->contains(step.key))
            next.push_back(&(*node)[step.key]);
        } else if (node->is_array()) {
          for (std::size_t i = 0; i < node->size(); ++i) {
            const nlohmann::ordered_json& element = (*node)[i];
            const bool kept = step.kind == Step::Kind::All ? true
                              : step.kind == Step::Kind::Index
                                  ? i == step.index
                                  : element.is_object() && element.contains(step.key) &&
                                        is_text(element[step.key], step.value);
            if (kept) next.push_back(&element);
          }
        } else if (step.kind == Step::Kind::Filter && node->is_object() && node->contains(step.key) &&
                   is_text((*node)[step.key], step.value)) {
          next.push_back(node);  // a further condition
        }
      }
      nodes.swap(next);
    }
    for (const nlohmann::ordered_json* node : nodes) {
      if (node->is_number()) found.push_back(node->get<double>());
      if (node->is_boolean()) found.push_back(node->get<bool>() ? 1 : 0);
    }
    if (!found.empty()) break;
  }
  return found;
}

}  // namespace psim::reproduce
