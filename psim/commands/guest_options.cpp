// SPDX-License-Identifier: Apache-2.0
#include "psim/commands/guest_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "base/error.h"
#include "base/sha256.h"

namespace psim::commands {

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

void add_guest_options(CLI::App& app, GuestOptions& options, ProgramStart start) {
  options.fixed_start = start == ProgramStart::Fixed;
  app.add_option(
         "--fma", options.fma,
         "rounding of multiply-adds: fused (once), unfused (twice, SPARC64 V), or auto: fused where the "
         "program was compiled for FMAF [auto]")
      ->type_name("KIND")
      ->check(CLI::IsMember({"auto", "fused", "unfused"}));
  app.add_option("--root", options.root,
                 "directory that becomes / for the program, instead of the working one")
      ->type_name("DIR");
  app.add_option("--bind", options.binds, "show a host directory at a guest path; :ro forbids writing")
      ->type_name("HOST:GUEST[:ro]")
      ->take_all();
  app.add_option("--env", options.environment, "set a variable of the program's environment")
      ->type_name("NAME=VALUE")
      ->take_all();
  if (start == ProgramStart::Fixed)
    app.add_flag("--inherit-env", options.inherit_environment,
                 "give the program psim's own environment variables; without it, it has those of --env only");
  else
    app.add_flag("--clean-env", options.fixed_start,
                 "start the program as `psim run` does: no variables but those of --env, and a fixed name, "
                 "directory, user and kind of standard input and output");
  app.add_option("--stack", options.stack_mebibytes, "size of the program's stack [8]")
      ->type_name("MIB")
      ->check(CLI::Range(1, 4096));
}

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
  return guest;
}

}  // namespace psim::commands
