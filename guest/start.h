// SPDX-License-Identifier: Apache-2.0
// Everything of the host that a program can see when it starts: names, environment, directory, user, umask,
// and the kinds of its standard descriptors. The start is inherited, as in qemu's user emulation, or fixed. A
// fixed start is the same on every host: the simulation then depends only on its command.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace psim::isa {

/// Users and groups as the program sees them.
struct Identity {
  std::uint32_t user = 0, effective_user = 0, group = 0, effective_group = 0;
  std::vector<std::uint32_t> groups;
  bool fixed = false;

  /// Returns the program's number of a host user or group. A fixed identity stands for psim's own.
  std::uint32_t user_from_host(uid_t host) const;
  std::uint32_t group_from_host(gid_t host) const;
  uid_t user_to_host(std::uint32_t guest) const;
  gid_t group_to_host(std::uint32_t guest) const;
};

struct Start {
  static constexpr std::uint32_t kFixedUser = 1000;
  static constexpr mode_t kFixedUmask = 022;

  std::vector<std::string> arguments;    ///< argv
  std::vector<std::string> environment;  ///< "K=V"
  std::string file_name;                 ///< AT_EXECFN
  std::string executable;                ///< of /proc/self/exe
  std::string working_directory;         ///< as getcwd gives it
  Identity identity;
  mode_t umask = kFixedUmask;
  /// Kinds of the descriptors 0–2: "pipe", "terminal", "file", "directory", "device", "socket" or "closed".
  std::array<std::string, 3> standard;
};

/// The guest directory in which a program with a fixed start begins. The host's working directory is mounted
/// there.
inline constexpr const char* kFixedDirectory = "/psim";

/// Return the start of a program. `arguments` begin with the program's name; `program` is its path on the
/// host. A fixed start names the program "./NAME" and "/psim/NAME" independent of its file's location.
Start inherited_start(std::vector<std::string> arguments, std::vector<std::string> environment,
                      const std::string& program, const std::string& working_directory);
Start fixed_start(std::vector<std::string> arguments, std::vector<std::string> environment,
                  const std::string& program, const std::string& working_directory);

}  // namespace psim::isa
