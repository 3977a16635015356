// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <gtest/gtest.h>

namespace psim {
namespace {

TEST(Printable, LeavesTextAlone) {
  for (const char* text : {"", "plain text\n\twith a tab", "größer, 漢字, 🙂, 5 µs …"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesControlCharactersOfTerminals) {
  EXPECT_EQ(printable("a\x1b[31mred\x07"), "a\\u001b[31mred\\u0007");
  EXPECT_EQ(printable("over\rwritten\b\x7f"), "over\\u000dwritten\\u0008\\u007f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // CSI as a single character
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b\xe2\x81\xa6"),
            "a\\u202eb\\u2066");  // right to left
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\u0000b");
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");                                    // CSI in eight bits
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");           // ESC in a form that is not the shortest
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("end \xe2\x80"), "end \\xe2\\x80");
}

TEST(OneColumnEach, HasTheLengthOfTheText) { EXPECT_EQ(one_column_each("a\x1b[0m ü"), "a?[0m ??"); }

TEST(Characters, AreThoseOfUtf8) { EXPECT_EQ(characters("5 µs … 漢"), 8u); }

}  // namespace
}  // namespace psim
