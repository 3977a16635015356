// SPDX-License-Identifier: Apache-2.0
#include "guest/guest_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <span>

#include "base/error.h"
#include "base/sha256.h"

namespace psim {
namespace {

isa::SandboxOptions::Bind parse_bind(const std::string& text) {
  isa::SandboxOptions::Bind bind;
  std::string rest = text;
  for (const std::string_view ending : {":ro", ":rw"}) {
    if (!rest.ends_with(ending)) continue;
    bind.writable = ending == ":rw";
    rest.resize(rest.size() - ending.size());
    break;
  }
  const std::size_t colon = rest.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == rest.size())
    throw UserError(fmt::format("--bind {}: expected HOST:GUEST or HOST:GUEST:ro", text));
  bind.host = rest.substr(0, colon), bind.guest = rest.substr(colon + 1);
  return bind;
}

std::vector<std::string> environment_of(const GuestOptions& options) {
  std::vector<std::string> result;
  if (!options.fixed_start || options.inherit_environment)
    for (char** entry = environ; *entry; ++entry) result.emplace_back(*entry);
  for (const std::string& entry : options.environment) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UserError(fmt::format("--env {}: expected NAME=VALUE", entry));
    const std::string_view name = std::string_view(entry).substr(0, equals + 1);
    std::erase_if(result, [&](const std::string& old) { return old.starts_with(name); });
    result.push_back(entry);
  }
  return result;
}

}  // namespace

GuestProgram load_guest(const std::vector<std::string>& words, const GuestOptions& options,
                        std::uint64_t seed) {
  GuestProgram guest{isa::read_elf(words[0]), {}, {}};
  const std::span<const std::byte> bytes = guest.image.bytes;
  guest.sha256 = sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  isa::ProcessOptions& p = guest.options;
  p.arguments = words;
  p.environment = environment_of(options);
  p.fixed_start = options.fixed_start;
  p.sandbox.root = options.root;
  for (const std::string& bind : options.binds) p.sandbox.binds.push_back(parse_bind(bind));
  const bool fused =
      options.fma == "fused" || (options.fma == "auto" && guest.image.names_fused_multiply_add());
  p.fma = fused ? isa::FmaRounding::Fused : isa::FmaRounding::Unfused;
  p.seed = seed;
  p.stack_bytes = options.stack_mebibytes << 20;
  p.translated_runs = options.translated_runs;
  return guest;
}

}  // namespace psim
