// SPDX-License-Identifier: Apache-2.0
#include "base/demangle.h"

#include <gtest/gtest.h>

#include <typeinfo>

namespace psim {
namespace {

TEST(Demangle, GivesTheNameInTheSource) {
  EXPECT_EQ(demangled("_ZN3BoxILi5EE3addEv"), "Box<5>::add()");
  EXPECT_EQ(demangled("_Z1fv"), "f()");
}

TEST(Demangle, LeavesNamesOfCAndFortranAlone) {
  // Each of these is the code of a type for the demangler.
  for (const char* name : {"a",  "b",  "c",  "d",    "e",    "f",      "g", "h", "i",  "j",    "l",
                           "m",  "n",  "o",  "s",    "t",    "v",      "w", "x", "y",  "z",    "Pc",
                           "Ki", "St", "1f", "3run", "main", "solve_", "",  "_", "_Z", "_Zap", "__m_MOD_run"})
    EXPECT_EQ(demangled(name), name);
}

TEST(Demangle, NamesTypes) {
  EXPECT_EQ(demangled_type(typeid(int).name()), "int");
  EXPECT_EQ(demangled_type("not a type"), "not a type");
}

}  // namespace
}  // namespace psim
