// SPDX-License-Identifier: Apache-2.0
// Numbers in the JSON result of a command, found by a path: "times[quantity=dgemm scalar].run". Steps between
// dots are keys, and * is all keys. After a key, [K=V] keeps the elements of an array whose K is V, [3] is
// one element, and [] is all of them. "A | B" is A, or B if A leads to no number.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace psim::reproduce {

class ResultPath {
 public:
  ResultPath() = default;
  /// Parses the text. Throws UserError: the reason alone.
  explicit ResultPath(std::string_view text);

  bool empty() const { return ways_.empty(); }
  /// Returns whether the value depends on the host: each way begins with host.
  bool of_host() const;
  /// Returns the numbers there, in order. true is 1 and false is 0; other values are left out.
  std::vector<double> numbers(const nlohmann::ordered_json& result) const;

 private:
  struct Step {
    enum class Kind { Key, Filter, Index, All } kind;
    std::string key, value;  ///< of Filter both; of Key `key`
    std::size_t index = 0;
  };
  using Way = std::vector<Step>;
  static Way parse(std::string_view text);
  std::vector<Way> ways_;
};

}  // namespace psim::reproduce
