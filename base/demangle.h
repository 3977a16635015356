// SPDX-License-Identifier: Apache-2.0
// Names of C++ as in the source. gcc's plug-in (omp/compiler) compiles this file as C++17, too.
#pragma once

#include <string>

namespace psim {

/// Returns the name in the source of a symbol: `Box<5>::run()` for `_ZN3BoxILi5EE3runEv`. A name that is not
/// mangled is returned as it is: the demangler would take the function `f` of a C program for the type float.
std::string demangled(const std::string& symbol);

/// Returns the name in the source of a type, from std::type_info::name(): `int` for `i`.
std::string demangled_type(const char* name);

}  // namespace psim
