// SPDX-License-Identifier: Apache-2.0
#include "guest/elf/symbols.h"

#include <gelf.h>

#include <memory>

namespace psim::isa {

std::optional<std::uint64_t> function_address(const ElfImage& image, std::string_view name) {
  elf_version(EV_CURRENT);
  // libelf takes a non-const pointer, but writes through it only on request.
  char* const bytes = const_cast<char*>(reinterpret_cast<const char*>(image.bytes.data()));
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_memory(bytes, image.bytes.size()), elf_end);
  if (!elf) return std::nullopt;
  for (Elf_Scn* section = elf_nextscn(elf.get(), nullptr); section != nullptr;
       section = elf_nextscn(elf.get(), section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      const char* const found = elf_strptr(elf.get(), header.sh_link, symbol.st_name);
      if (found != nullptr && name == found) return symbol.st_value;
    }
  }
  return std::nullopt;
}

}  // namespace psim::isa
