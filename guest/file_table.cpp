// SPDX-License-Identifier: Apache-2.0
#include "guest/file_table.h"

#include <fcntl.h>

#include "base/console.h"

namespace psim::isa {

FileTable::FileTable(bool fixed) {
  for (unsigned fd = 0; fd < 3; ++fd) {
    UniqueFd copy(::fcntl(static_cast<int>(fd), F_DUPFD_CLOEXEC, 3));
    // psim's parent closed it, and it may have been reserved since.
    if (copy && console::is_reserved(copy.get())) copy = UniqueFd();
    if (!copy && !fixed) continue;
    auto file = std::make_shared<OpenFile>();
    file->host = std::move(copy);
    file->outside = true;
    if (fixed) file->kind = OpenFile::Kind::Stream, file->standard = static_cast<int>(fd);
    if (fd == 0) file->consumed = standard_input_ = std::make_shared<OpenFile::Consumed>();
    put(fd, std::move(file), false);
  }
}

std::shared_ptr<OpenFile> FileTable::get(std::uint64_t fd) const {
  // Descriptors are ints: the kernel reads 32 bits.
  const auto number = static_cast<std::uint32_t>(fd);
  return number < slots_.size() ? slots_[number].file : nullptr;
}

int FileTable::add(std::shared_ptr<OpenFile> file, bool close_on_exec, unsigned least) {
  unsigned fd = least;
  while (fd < slots_.size() && slots_[fd].file) ++fd;
  return put(fd, std::move(file), close_on_exec) ? static_cast<int>(fd) : -1;
}

bool FileTable::put(unsigned fd, std::shared_ptr<OpenFile> file, bool close_on_exec) {
  if (fd >= limit_) return false;
  if (fd >= slots_.size()) slots_.resize(fd + 1);
  slots_[fd] = {std::move(file), close_on_exec};
  return true;
}

bool FileTable::close(std::uint64_t fd) {
  if (!get(fd)) return false;
  slots_[static_cast<std::uint32_t>(fd)] = {};
  return true;
}

bool FileTable::close_on_exec(std::uint64_t fd) const {
  return get(fd) && slots_[static_cast<std::uint32_t>(fd)].close_on_exec;
}

void FileTable::set_close_on_exec(std::uint64_t fd, bool value) {
  if (get(fd)) slots_[static_cast<std::uint32_t>(fd)].close_on_exec = value;
}

}  // namespace psim::isa
