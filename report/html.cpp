// SPDX-License-Identifier: Apache-2.0
#include "report/html.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace psim::report {

namespace {
// Replaces bytes that are not UTF-8: nlohmann's writer does so, and its reader undoes the writer's quoting.
std::string valid_utf8(std::string_view text) {
  using nlohmann::json;
  return json::parse(json(std::string(text)).dump(-1, ' ', false, json::error_handler_t::replace))
      .get<std::string>();
}
}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : valid_utf8(text)) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\0':
        out += "\xEF\xBF\xBD";
        break;
      default:
        out += c;
    }
  return out;
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string count(std::uint64_t value) {
  return fmt::format("<data value=\"{}\">{}</data>", value, grouped(value));
}

namespace {

/// Returns the value with four significant digits and a suitable SI prefix. Seconds have no kilo.
std::string prefixed(double value, std::string_view unit) {
  constexpr std::pair<double, const char*> kPrefixes[] = {{1e12, "T"},       {1e9, "G"},  {1e6, "M"},
                                                          {1e3, "k"},        {1, ""},     {1e-3, "m"},
                                                          {1e-6, "&micro;"}, {1e-9, "n"}, {1e-12, "p"}};
  const double size = std::abs(value);
  double factor = 1;
  const char* prefix = "";
  for (const auto& [least, name] : kPrefixes) {
    if (size == 0 || (unit == "s" && least > 1)) continue;  // seconds have no kilo
    factor = least, prefix = name;
    if (size >= least * 0.99995) break;  // 999.96 m is 1, not 1000 m
  }
  const double scaled = value / factor;
  const std::string text = std::abs(scaled) >= 9999.5
                               ? grouped(static_cast<std::uint64_t>(std::llround(std::abs(scaled))))
                               : fmt::format("{:.4g}", std::abs(scaled));
  return fmt::format("{}{} {}{}", value < 0 ? "-" : "", text, prefix, unit);
}

}  // namespace

std::string quantity(double value, std::string_view unit) {
  return fmt::format("<data value=\"{}\">{}</data>", value, prefixed(value, unit));
}

std::string number(double value, std::string_view exact) {
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-3 && size < 1e6);
  return fmt::format("<data value=\"{}\">{}</data>", exact,
                     plain ? fmt::format("{:.6g}", value) : prefixed(value, ""));
}

std::string card(std::string_view name, std::string_view value) {
  return fmt::format("<div class=\"card\"><dt>{}</dt><dd>{}</dd></div>\n", name, value);
}

std::string script_json(const nlohmann::ordered_json& json) {
  std::string out;
  for (const char c : json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)) {
    if (c == '<')
      out += "\\u003c";  // "<" occurs only in strings of JSON
    else
      out += c;
  }
  return out;
}

}  // namespace psim::report
