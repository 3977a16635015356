// SPDX-License-Identifier: Apache-2.0
#include "report/dump/line_reader.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/read_file.h"

namespace psim::pipeline::dump {

LineReader::LineReader(std::string name, int descriptor)
    : name_(std::move(name)), descriptor_(descriptor), buffer_(16 * kLongestLine) {}

LineReader::LineReader(LineReader&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      buffer_(std::move(other.buffer_)),
      rest_(other.rest_),
      ended_(other.ended_),
      drop_unended_(other.drop_unended_),
      number_(other.number_) {}

LineReader::~LineReader() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

LineReader LineReader::open(const std::string& path) {
  if (path == "-") return {"standard input", STDIN_FILENO};
  const int descriptor = open_to_read(path);
  if (descriptor < 0) throw UserError(path + ": cannot open: " + std::strerror(errno));
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    throw UserError(path + ": is a directory, expected a stage dump");
  }
  return {path, descriptor};
}

void LineReader::fail(std::string_view text) const {
  throw UserError(name_ + ":" + std::to_string(number_) + ": " + std::string(text));
}

void LineReader::fill() {
  if (!rest_.empty()) std::memmove(buffer_.data(), rest_.data(), rest_.size());
  std::size_t size = rest_.size();
  const ssize_t count = ::read(descriptor_, buffer_.data() + size, buffer_.size() - size);
  if (count < 0 && errno != EINTR) fail(std::string("cannot read: ") + std::strerror(errno));
  if (count > 0) size += static_cast<std::size_t>(count);
  ended_ = count == 0;
  rest_ = {buffer_.data(), size};
}

std::string_view LineReader::peek() {
  while (rest_.size() < 256 && !ended_) fill();
  return rest_.substr(0, 256);
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  std::size_t end;
  while ((end = rest_.find('\n', searched)) == rest_.npos && !ended_) {
    searched = rest_.size();
    if (searched > kLongestLine) break;
    fill();
  }
  if (end == rest_.npos && ended_ && (rest_.empty() || (drop_unended_ && rest_.size() <= kLongestLine)))
    return false;
  ++number_;
  if (end == rest_.npos && rest_.size() <= kLongestLine)
    fail("the last line has no end: is the file truncated?");
  if (end == rest_.npos || end > kLongestLine)
    fail("a line of over 65536 characters: expected lines of a stage dump");
  line = rest_.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  rest_.remove_prefix(end + 1);
  return true;
}

}  // namespace psim::pipeline::dump
