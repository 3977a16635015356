// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are either refused with a UserError or have sections that lie within them.
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "isa/assembler/object_file.h"
#include "isa/table/listing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const psim::isa::ObjectFile file = psim::isa::parse_object_file("fuzz", {data, data + size});
    const std::uint8_t *begin = file.bytes.data(), *end = begin + file.bytes.size();
    std::size_t shown = 0;
    for (const auto& section : file.sections) {
      if (section.bytes.empty()) continue;
      if (section.bytes.data() < begin || section.bytes.data() + section.bytes.size() > end) std::abort();
      // Sections may share bytes: repeated listings of them would only slow the search down.
      if ((shown += section.bytes.size()) < 4096) psim::isa::list_code(section.bytes, section.address, {});
    }
  } catch (const psim::UserError&) {
  }
  return 0;
}
