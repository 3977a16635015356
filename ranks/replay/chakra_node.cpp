// SPDX-License-Identifier: Apache-2.0
#include "ranks/replay/chakra_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

// A field of another kind than the schema's makes the library assert; here that is an error of the file.
#define protozero_assert(condition) ((condition) ? void() : throw protozero::invalid_tag_exception{})
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>

namespace psim::net::replay {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

// Fields of the messages.
enum Metadata { kVersion = 1, kMetadataAttribute = 2 };
enum NodeField { kId = 1, kType = 3, kData = 5, kDuration = 7, kAttribute = 10 };
enum AttributeField {
  kName = 1,
  kInt32 = 5,
  kInt64 = 7,
  kUint32 = 9,
  kUint64 = 11,
  kSint32 = 13,
  kSint64 = 15,
  kFixed32 = 17,
  kFixed64 = 19,
  kSfixed32 = 21,
  kSfixed64 = 23,
  kBool = 27,
  kBoolList = 28,
  kString = 29
};

/// An attribute with a value of any kind of integer, a text, or a list of booleans.
struct Attribute {
  std::string_view name, text;
  std::optional<std::int64_t> number;
  bool has_false = false;
};

std::string_view view(const protozero::data_view& bytes) { return {bytes.data(), bytes.size()}; }

/// Returns whether the list has a false; its numbers are packed or single.
bool has_false(pbf_reader list) {
  bool found = false;
  while (list.next()) {
    if (list.tag() != 1) {
      list.skip();
    } else if (list.wire_type() == pbf_wire_type::length_delimited) {
      for (const bool value : list.get_packed_bool()) found |= !value;
    } else {
      found |= !list.get_bool();
    }
  }
  return found;
}

Attribute attribute_of(pbf_reader in) {
  Attribute made;
  while (in.next()) switch (in.tag()) {
      case kName:
        made.name = view(in.get_view());
        break;
      case kString:
        made.text = view(in.get_view());
        break;
      case kInt32:
        made.number = in.get_int32();
        break;
      case kInt64:
        made.number = in.get_int64();
        break;
      case kUint32:
        made.number = in.get_uint32();
        break;
      case kUint64:
        made.number = static_cast<std::int64_t>(in.get_uint64());
        break;
      case kSint32:
        made.number = in.get_sint32();
        break;
      case kSint64:
        made.number = in.get_sint64();
        break;
      case kFixed32:
        made.number = in.get_fixed32();
        break;
      case kFixed64:
        made.number = static_cast<std::int64_t>(in.get_fixed64());
        break;
      case kSfixed32:
        made.number = in.get_sfixed32();
        break;
      case kSfixed64:
        made.number = in.get_sfixed64();
        break;
      case kBool:
        made.number = in.get_bool();
        break;
      case kBoolList:
        made.has_false = has_false(in.get_message());
        break;
      default:
        in.skip();
    }
  return made;
}

void apply(const Attribute& attribute, ChakraNode& node) {
  const struct {
    std::string_view name;
    std::optional<std::int64_t>& value;
  } numbers[] = {{"comm_size", node.size}, {"comm_src", node.source}, {"comm_dst", node.destination},
                 {"comm_tag", node.tag},   {"comm_type", node.comm},  {"comm_root", node.root},
                 {"root_rank", node.root}};
  for (const auto& [name, value] : numbers)
    if (attribute.name == name) value = attribute.number;
  if (attribute.name == "is_cpu_op" && attribute.number) node.on_cpu = *attribute.number != 0;
  if (attribute.name == "pg_name") node.group = attribute.text;
  if (attribute.name == "involved_dim") node.whole_network = !attribute.has_false;
}

void take_ids(pbf_reader& in, std::vector<std::uint64_t>& ids) {
  if (in.wire_type() != pbf_wire_type::length_delimited) return ids.push_back(in.get_uint64());
  for (const std::uint64_t id : in.get_packed_uint64()) ids.push_back(id);
}

ChakraNode node_of(pbf_reader in) {
  ChakraNode made;
  while (in.next()) switch (in.tag()) {
      case kId:
        made.id = in.get_uint64();
        break;
      case kType:
        made.type = static_cast<ChakraNode::Type>(in.get_enum());
        break;
      case kData:
        take_ids(in, made.requires_ids);
        break;
      case kDuration:
        made.micros = in.get_uint64();
        break;
      case kAttribute:
        apply(attribute_of(in.get_message()), made);
        break;
      default:
        in.skip();
    }
  // A node may occur twice.
  std::sort(made.requires_ids.begin(), made.requires_ids.end());
  made.requires_ids.erase(std::unique(made.requires_ids.begin(), made.requires_ids.end()),
                          made.requires_ids.end());
  return made;
}

void check_version(pbf_reader in) {
  std::string_view version;
  while (in.next()) {
    if (in.tag() == kVersion) {
      version = view(in.get_view());
    } else if (in.tag() == kMetadataAttribute) {
      const Attribute attribute = attribute_of(in.get_message());
      if (attribute.name == "schema") version = attribute.text;
    } else {
      in.skip();
    }
  }
  if (!version.empty() && !version.starts_with("0.") && !version.starts_with("1."))
    throw std::runtime_error(fmt::format("schema {}; expected 0.x or 1.x", version.substr(0, 40)));
}

}  // namespace

void for_each_chakra_node(std::string_view bytes, const std::function<void(ChakraNode&&)>& each) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  if (at == end) throw std::runtime_error("is empty; expected a Chakra execution trace");
  bool first = true;
  while (at != end) {
    const auto here = static_cast<std::size_t>(at - bytes.data());
    try {
      const std::uint64_t size = protozero::decode_varint(&at, end);
      if (size > static_cast<std::uint64_t>(end - at))
        throw std::runtime_error(
            fmt::format("a message of {} bytes at byte {} goes beyond the end of the file; expected a "
                        "Chakra execution trace that is not cut off",
                        size, here));
      const pbf_reader message(at, static_cast<std::size_t>(size));
      at += size;
      if (first)
        check_version(message);
      else
        each(node_of(message));
      first = false;
    } catch (const protozero::exception&) {
      throw std::runtime_error(
          fmt::format("the message at byte {} is none of a Chakra execution trace", here));
    }
  }
}

}  // namespace psim::net::replay
