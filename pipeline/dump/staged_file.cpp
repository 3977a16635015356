// SPDX-License-Identifier: Apache-2.0
#include "pipeline/dump/staged_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/error.h"

namespace psim::pipeline::dump {

namespace {
constexpr std::size_t kBuffer = 1 << 20;

constexpr std::array<char, 200> kPairs = [] {
  std::array<char, 200> pairs{};
  for (int i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();
}  // namespace

char* write_decimal(char* out, std::uint64_t value) {
  char digits[20];
  char* first = digits + sizeof digits;
  while (value >= 100) {
    first -= 2;
    std::memcpy(first, &kPairs[2 * (value % 100)], 2);
    value /= 100;
  }
  if (value >= 10) {
    first -= 2;
    std::memcpy(first, &kPairs[2 * value], 2);
  } else {
    *--first = static_cast<char>('0' + value);
  }
  const auto length = static_cast<std::size_t>(digits + sizeof digits - first);
  std::memcpy(out, first, length);
  return out + length;
}

char* write_hex(char* out, std::uint64_t value, int digits) {
  int needed = 1;
  for (std::uint64_t rest = value >> 4; rest != 0; rest >>= 4) ++needed;
  for (int i = std::max(needed, digits) - 1; i >= 0; --i)
    *out++ = "0123456789abcdef"[(value >> (4 * i)) & 15];
  return out;
}

StagedFile::StagedFile(std::string path)
    : path_(std::move(path)),
      buffer_(new char[kBuffer]),
      next_(buffer_.get()),
      end_(buffer_.get() + kBuffer) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("open");
    return;
  }
  aside_ = path_ + ".XXXXXX";
  descriptor_ = ::mkostemp(aside_.data(), O_CLOEXEC);
  if (descriptor_ < 0) {
    aside_.clear();
    fail("create");
  }
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor_, 0666 & ~mask);  // mkostemp gives 0600
}

StagedFile::~StagedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!aside_.empty()) ::unlink(aside_.c_str());
}

void StagedFile::fail(const char* doing) const {
  throw UserError(path_ + ": cannot " + doing + ": " + std::strerror(errno));
}

void StagedFile::flush() {
  for (char* from = buffer_.get(); from != next_;) {
    const ssize_t count = ::write(descriptor_, from, static_cast<std::size_t>(next_ - from));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("write");
    from += count;
    written_ += static_cast<std::uint64_t>(count);
  }
  next_ = buffer_.get();
}

void StagedFile::append(std::string_view text) {
  while (!text.empty()) {
    const std::size_t piece = std::min(text.size(), kLargestPiece);
    std::memcpy(reserve(piece), text.data(), piece);
    next_ += piece;
    text.remove_prefix(piece);
  }
}

void StagedFile::commit() {
  flush();
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail("write");
  if (aside_.empty()) return;
  if (::rename(aside_.c_str(), path_.c_str()) != 0) fail("put in place");
  aside_.clear();
}

}  // namespace psim::pipeline::dump
