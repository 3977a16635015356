// SPDX-License-Identifier: Apache-2.0
#include "ranks/program/code_range.h"

#include <link.h>

#include <algorithm>
#include <functional>

namespace psim::net {

namespace {

CodeRange find(const std::function<bool(const dl_phdr_info&, const CodeRange&)>& wanted) {
  struct Search {
    const std::function<bool(const dl_phdr_info&, const CodeRange&)>& wanted;
    CodeRange found;
  } search{wanted, {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* argument) {
        auto& [is_wanted, found] = *static_cast<Search*>(argument);
        CodeRange range{~std::uintptr_t{0}, 0};
        for (unsigned i = 0; i < object->dlpi_phnum; ++i)
          if (const auto& segment = object->dlpi_phdr[i]; segment.p_type == PT_LOAD) {
            const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
            range = {std::min(range.begin, begin), std::max(range.end, begin + segment.p_memsz)};
          }
        if (!is_wanted(*object, range)) return 0;
        found = range;
        return 1;
      },
      &search);
  return search.found;
}

}  // namespace

CodeRange CodeRange::of_file(std::string_view part) {
  return find([part](const dl_phdr_info& object, const CodeRange&) {
    return object.dlpi_name != nullptr && std::string_view(object.dlpi_name).find(part) != part.npos;
  });
}

CodeRange CodeRange::around(const void* address) {
  return find([address](const dl_phdr_info&, const CodeRange& range) { return range.contains(address); });
}

}  // namespace psim::net
