// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are either refused with a UserError or a program that loads into the address space.
#include <cstdint>

#include "base/error.h"
#include "guest/address_space.h"
#include "guest/elf/elf_image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    const psim::isa::ElfImage image = psim::isa::parse_elf("fuzz", {bytes, bytes + size});
    // Repeated reservations for huge segments would only slow the search down.
    if (image.end() - image.lowest() > (1u << 26)) return 0;
    psim::isa::GuestMemory memory;
    psim::isa::AddressSpace(memory).load(image);
  } catch (const psim::UserError&) {
  }
  return 0;
}
