// SPDX-License-Identifier: Apache-2.0
#include "mpi/functions/balanced_sizes.h"

#include <algorithm>
#include <cstdint>

namespace psim::net::mpi {
namespace {

/// Returns the largest r with r^k ≤ n.
int root(int n, int k) {
  const auto fits = [&](std::int64_t r) {
    std::int64_t product = 1;
    for (int i = 0; i < k; ++i)
      if ((product *= r) > n) return false;
    return true;
  };
  int low = 1, high = k == 1 ? n : 46'341;  // above the square root of any int
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    (fits(middle) ? low : high) = fits(middle) ? middle : middle - 1;
  }
  return low;
}

/// Branch and bound over all factorisations, the most even ones first.
class Search {
 public:
  Search(int nodes, int dims) : chosen_(static_cast<std::size_t>(dims)) {
    for (int d = 1; d <= nodes / d; ++d)
      if (nodes % d == 0) divisors_.push_back(d);
    for (std::size_t i = divisors_.size(); i-- > 0;)
      if (const int d = nodes / divisors_[i]; d != divisors_[i]) divisors_.push_back(d);
    walk(0, nodes);
  }
  std::vector<int> best() const { return best_; }

 private:
  void walk(std::size_t index, int rest) {
    const int left = static_cast<int>(chosen_.size() - index), even = root(rest, left);
    const auto spread = [&](int first, int last) { return best_.empty() || first - last <= spread_; };
    if (index > 0 && !spread(chosen_[0], even)) return;
    if (left == 1) {
      if (index > 0 && rest > chosen_[index - 1]) return;
      chosen_[index] = rest;
      const int found = chosen_[0] - rest;
      if (!best_.empty() && found > spread_) return;
      if (!best_.empty() && found == spread_ &&
          !std::lexicographical_compare(best_.rbegin(), best_.rend(), chosen_.rbegin(), chosen_.rend()))
        return;
      best_ = chosen_;
      spread_ = found;
      return;
    }
    for (const int d : divisors_) {
      if (d < even || rest % d != 0) continue;
      if (index > 0 && d > chosen_[index - 1]) break;
      if (index == 0 && !spread(d, even)) break;
      chosen_[index] = d;
      walk(index + 1, rest / d);
    }
  }

  std::vector<int> divisors_, chosen_, best_;
  int spread_ = 0;
};

}  // namespace

std::vector<int> balanced_sizes(int nodes, int dims) { return Search(nodes, dims).best(); }

}  // namespace psim::net::mpi
