// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text is either refused with a UserError or becomes files that our readers accept.
#include <cstdint>
#include <cstdlib>

#include "base/error.h"
#include "guest/elf/elf_image.h"
#include "isa/assembler/assembler.h"
#include "isa/assembler/listing.h"
#include "isa/assembler/object_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace psim;
  isa::assembler::Assembly assembly;
  try {
    assembly = isa::assembler::assemble({reinterpret_cast<const char*>(data), size},
                                        {.file = "fuzz", .most_bytes = 1 << 16});
    isa::assembler::listing(assembly, false);
  } catch (const UserError&) {
    return 0;
  }
  std::string object, program;
  try {
    object = isa::assembler::object(assembly);
    program = isa::assembler::executable(assembly);
  } catch (const UserError&) {
  }
  // Our own output must be accepted.
  try {
    if (!object.empty()) isa::parse_object_file("object", {object.begin(), object.end()});
    if (!program.empty()) {
      const auto* bytes = reinterpret_cast<const std::byte*>(program.data());
      isa::parse_elf("program", {bytes, bytes + program.size()});
    }
  } catch (const UserError&) {
    std::abort();
  }
  return 0;
}
