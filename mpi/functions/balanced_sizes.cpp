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
  if (k == 1) return n;
  // Doubling first: roots are small, and a step takes k multiplications.
  int low = 1, high = 2;
  while (fits(high)) low = high, high *= 2;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

/// Branch and bound over all factorisations, the most even ones first.
class Search {
 public:
  Search(int nodes, int dims) : chosen_(static_cast<std::size_t>(dims)) {
    find_divisors(nodes);
    walk(0, nodes);
  }
  std::vector<int> best() const { return best_; }

 private:
  /// Combines the powers of the prime factors.
  void find_divisors(int nodes) {
    divisors_ = {1};
    int rest = nodes;
    for (std::int64_t prime = 2; rest > 1; prime += prime == 2 ? 1 : 2) {
      if (prime * prime > rest) prime = rest;
      const std::size_t known = divisors_.size();
      for (std::int64_t power = prime; rest % prime == 0; power *= prime) {
        for (std::size_t i = 0; i < known; ++i) divisors_.push_back(static_cast<int>(divisors_[i] * power));
        rest /= static_cast<int>(prime);
      }
    }
    std::ranges::sort(divisors_);
  }

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
