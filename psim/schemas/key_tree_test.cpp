// SPDX-License-Identifier: Apache-2.0
#include "psim/schemas/key_tree.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace psim {
namespace {

using nlohmann::ordered_json;

TEST(KeyTree, BracesStandForSeveralPaths) {
  EXPECT_EQ(expand_path("a.b"), std::vector<std::string>{"a.b"});
  EXPECT_EQ(expand_path("{,c.}{a,b}[]"), (std::vector<std::string>{"a[]", "b[]", "c.a[]", "c.b[]"}));
}

TEST(KeyTree, APathMakesListsMapsAndClosedObjects) {
  const ordered_json number{{"type", "number"}};
  ordered_json schema = closed_object();
  add_key(schema, "rows[].times.*", number);
  add_key(schema, "rows[].name", {{"type", "string"}});
  add_key(schema, "grid[][]", number);
  const ordered_json& row = schema["properties"]["rows"]["items"];
  EXPECT_EQ(row["additionalProperties"], false);
  EXPECT_EQ(row["properties"]["name"]["type"], "string");
  EXPECT_EQ(row["properties"]["times"]["additionalProperties"], number);
  EXPECT_EQ(schema["properties"]["grid"]["items"]["items"], number);
  require_first(schema, "rows[].name");
  require_first(schema, "rows[].times.*");
  EXPECT_EQ(schema["required"], ordered_json::array({"rows"}));
}

TEST(KeyTree, AValueHasNoKeysBelowIt) {
  ordered_json schema = closed_object();
  add_key(schema, "a", {{"type", "number"}});
  EXPECT_THROW(add_key(schema, "a.b", {{"type", "number"}}), std::logic_error);
}

}  // namespace
}  // namespace psim
