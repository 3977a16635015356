// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <algorithm>
#include <numeric>

namespace psim {

void Problems::add(std::string_view where, std::string_view text) {
  std::string line(where);
  if (!line.empty()) line += ": ";
  lines_.push_back(line.append(text));
}

void Problems::throw_if_any() const {
  if (lines_.empty()) return;
  std::string all = lines_.front();
  for (std::size_t i = 1; i < lines_.size(); ++i) all.append("\n").append(lines_[i]);
  throw UserError(all);
}

namespace {
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}
}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance =
      (word.size() + 1) / 2 + 1;  // a word with half of its letters wrong is no misspelling
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) best_distance = distance, best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates,
                         std::string_view otherwise) {
  constexpr std::size_t kMostCharacters = 255;  // the distance takes time by the square of the word
  const std::string near = nearest(word.substr(0, kMostCharacters), candidates);
  if (!near.empty()) return "; did you mean " + near + "?";
  return otherwise.empty() ? "" : "; " + std::string(otherwise);
}

}  // namespace psim
