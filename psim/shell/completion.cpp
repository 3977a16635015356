// SPDX-License-Identifier: Apache-2.0
#include "psim/shell/completion.h"

#include <algorithm>

namespace psim {

std::string words_kind(WordKind kind) {
  switch (kind) {
    case WordKind::Machine:
      return "machines";
    case WordKind::CoreKey:
      return "core-keys";
    case WordKind::NetworkKey:
      return "network-keys";
    case WordKind::Experiment:
      return "experiments";
    default:
      return "";
  }
}

std::string short_text(const std::string& text) {
  return text.substr(0, std::min({text.find("; "), text.find(" ["), text.find(". "), text.find('\n')}));
}

std::string shell_quoted(const std::string& text, bool fish) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'')
      quoted += fish ? "\\'" : "'\\''";
    else if (c == '\\' && fish)
      quoted += "\\\\";
    else
      quoted += c;
  }
  return quoted + "'";
}

}  // namespace psim
