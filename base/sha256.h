// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for the identity of inputs and results, not for secrets.
#pragma once

#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace psim {

/// A running digest. A copy continues from the same bytes.
class Sha256 {
 public:
  Sha256() { ::sha256_init(&context_); }
  void update(std::string_view bytes);
  /// Returns the digest of all bytes so far as 64 hexadecimal digits. The object must not be used afterwards.
  std::string finish();

 private:
  ::sha256_ctx context_;
};

/// Returns the digest of `bytes` as 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace psim
