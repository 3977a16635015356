// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for the identity of inputs and results: not for secrets.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace psim {

class Sha256 {
 public:
  void update(std::string_view bytes);
  /// The digest of everything so far as 64 hexadecimal digits. Ends this object's use.
  std::string finish();

 private:
  void block(const unsigned char* bytes);
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::uint64_t length_ = 0;
};

std::string sha256(std::string_view bytes);

}  // namespace psim
