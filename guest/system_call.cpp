// SPDX-License-Identifier: Apache-2.0
#include "guest/system_call.h"

#include <cassert>

namespace psim::isa {

namespace {

constexpr std::size_t kNumbers = 512;

std::array<const SystemCall*, kNumbers> build() {
  std::array<const SystemCall*, kNumbers> table{};
  for (const auto family :
       {calls::descriptors(), calls::input_output(), calls::contents(), calls::paths(), calls::status(),
        calls::directories(), calls::memory(), calls::time(), calls::signals(), calls::processes(),
        calls::executing(), calls::identity(), calls::threads(), calls::waiting(), calls::events(),
        calls::sockets(), calls::system()})
    for (const SystemCall& call : family) {
      assert(call.number < kNumbers && !table[call.number]);
      table[call.number] = &call;
    }
  return table;
}

}  // namespace

const SystemCall* find_system_call(std::uint64_t number) {
  static const auto table = build();
  return number < kNumbers ? table[number] : nullptr;
}

}  // namespace psim::isa
