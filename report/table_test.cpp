// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <gtest/gtest.h>

namespace psim::report {
namespace {

TEST(Table, NumbersStandToTheRightUnderTheirHeads) {
  Table table("Links by kind", {{"Kind", Table::Kind::Text}, {"Links"}});
  table.add({"x+", "12"});
  table.add({"x-", "7"});
  EXPECT_EQ(table.html(),
            "<div class=\"scroll\"><table><caption>Links by kind</caption><thead><tr><th "
            "scope=\"col\">Kind</th><th class=\"n\" "
            "scope=\"col\">Links</th></tr></thead><tbody>\n"
            "<tr><td>x+</td><td class=\"n\">12</td></tr>\n"
            "<tr><td>x-</td><td class=\"n\">7</td></tr>\n"
            "</tbody></table></div>");
}

}  // namespace
}  // namespace psim::report
