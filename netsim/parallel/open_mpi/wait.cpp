// SPDX-License-Identifier: Apache-2.0
#include "netsim/parallel/open_mpi/wait.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace psim::net {

void Connections::find() {
  all_.clear();
  std::error_code none;  // without /proc, each sleep lasts its time
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", none)) {
    const int descriptor = std::atoi(entry.path().filename().c_str());
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) == 0 &&
        (peer.ss_family == AF_INET || peer.ss_family == AF_INET6))
      all_.push_back({.fd = descriptor, .events = POLLIN, .revents = 0});
  }
}

void Connections::sleep(std::chrono::microseconds longest) {
  const timespec time{0, std::chrono::nanoseconds(longest).count()};
  ::ppoll(all_.data(), all_.size(), &time, nullptr);
}

}  // namespace psim::net
