// SPDX-License-Identifier: Apache-2.0
#include "base/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace psim {

std::string demangled_type(const char* name) {
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, nullptr),
                                                    std::free);
  return text ? text.get() : name;
}

std::string demangled(const std::string& symbol) {
  return symbol.compare(0, 2, "_Z") == 0 ? demangled_type(symbol.c_str()) : symbol;
}

}  // namespace psim
