// SPDX-License-Identifier: Apache-2.0
#include "guest/elf/symbols.h"

#include <gelf.h>

#include <algorithm>
#include <memory>
#include <tuple>

namespace psim::isa {

namespace {
/// Calls `visit` for each function with its symbol and name, until it returns false.
template <typename Visit>
void for_each_function(const ElfImage& image, Visit&& visit) {
  elf_version(EV_CURRENT);
  // libelf takes a non-const pointer, but writes through it only on request.
  char* const bytes = const_cast<char*>(reinterpret_cast<const char*>(image.bytes.data()));
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_memory(bytes, image.bytes.size()), elf_end);
  if (!elf) return;
  for (Elf_Scn* section = elf_nextscn(elf.get(), nullptr); section != nullptr;
       section = elf_nextscn(elf.get(), section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const unsigned type = GELF_ST_TYPE(symbol.st_info);
      if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF) continue;
      const char* const name = elf_strptr(elf.get(), header.sh_link, symbol.st_name);
      if (name != nullptr && !visit(symbol, std::string_view(name))) return;
    }
  }
}

int visibility(const GElf_Sym& symbol) {
  const unsigned binding = GELF_ST_BIND(symbol.st_info);
  return binding == STB_GLOBAL ? 0 : binding == STB_WEAK ? 1 : 2;
}
}  // namespace

std::optional<std::uint64_t> function_address(const ElfImage& image, std::string_view name) {
  std::optional<std::uint64_t> address;
  for_each_function(image, [&](const GElf_Sym& symbol, std::string_view found) {
    if (found == name) address = symbol.st_value;
    return !address;
  });
  return address;
}

std::vector<FunctionSymbol> function_symbols(const ElfImage& image) {
  struct Candidate {
    FunctionSymbol symbol;
    int visibility;
  };
  std::vector<Candidate> found;
  for_each_function(image, [&](const GElf_Sym& symbol, std::string_view name) {
    found.push_back({{symbol.st_value, symbol.st_size, std::string(name)}, visibility(symbol)});
    return true;
  });
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
    const auto rank = [](const Candidate& c) {
      return std::tuple(c.symbol.address, c.visibility, c.symbol.name.size(),
                        std::string_view(c.symbol.name));
    };
    return rank(a) < rank(b);
  });
  std::vector<FunctionSymbol> functions;
  for (Candidate& candidate : found)
    if (functions.empty() || functions.back().address != candidate.symbol.address)
      functions.push_back(std::move(candidate.symbol));
  return functions;
}

}  // namespace psim::isa
