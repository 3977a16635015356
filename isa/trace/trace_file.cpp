// SPDX-License-Identifier: Apache-2.0
#include "isa/trace/trace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "isa/trace/crc32c.h"
#include "isa/trace/layout.h"

namespace psim::isa::trace {

namespace {
class FileBytes final : public TraceBytes {
 public:
  explicit FileBytes(const std::string& path)
      : path_(path),
        descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {  // no waiting for a pipe
    struct stat status {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) fail(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) {
      ::close(descriptor_);
      fail("expected a file, since a trace is read from its end");
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~FileBytes() override { ::close(descriptor_); }
  std::uint64_t size() const override { return size_; }
  void read(std::uint64_t offset, void* to, std::size_t count) override {
    for (auto* at = static_cast<char*>(to); count != 0;) {
      const ssize_t got = ::pread(descriptor_, at, count, static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) fail(got < 0 ? std::strerror(errno) : "it became shorter while it was read");
      at += got, offset += static_cast<std::uint64_t>(got), count -= static_cast<std::size_t>(got);
    }
  }

 private:
  [[noreturn]] void fail(const char* why) const {
    throw UserError(fmt::format("{}: cannot read it: {}", path_, why));
  }
  std::string path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

Properties read_properties(Reader& reader) {
  Properties properties;
  for (std::uint64_t left = reader.number(reader.left(), "the number of properties"); left != 0; --left) {
    const std::string name{reader.text()};
    properties[name] = reader.text();
  }
  return properties;
}
}  // namespace

std::unique_ptr<TraceBytes> open_trace_bytes(const std::string& path) {
  return std::make_unique<FileBytes>(path);
}

TraceFile::TraceFile(std::string path, TraceBytes& bytes, bool check)
    : path_(std::move(path)), bytes_(bytes), check_(check), zstd_(ZSTD_createDCtx()) {
  if (zstd_ == nullptr) throw std::bad_alloc();
  try {
    Fixed<kHeadBytes> head;
    if (bytes_.size() >= kHeadBytes) bytes_.read(0, head.bytes.data(), kHeadBytes);
    if (std::memcmp(head.bytes.data(), kMagic, 8) != 0)
      fail("is not a trace of psim; `psim trace record --from-text` converts a text trace");
    version_ = head.get<std::uint32_t>(8);
    if (version_ < kOldestVersion || version_ > kVersion || head.get<std::uint32_t>(12) != 0)
      fail(fmt::format("has format version {}; this psim reads versions {} and {}", version_, kOldestVersion,
                       kVersion));
    Fixed<kTrailerBytes> trailer;
    if (bytes_.size() < kHeadBytes + kTrailerBytes) fail_without_index("is cut off");
    bytes_.read(bytes_.size() - kTrailerBytes, trailer.bytes.data(), kTrailerBytes);
    if (std::memcmp(trailer.bytes.data() + 8, kEndMagic, 8) != 0 || trailer.get<std::uint32_t>(20) != 0 ||
        (check_ && trailer.get<std::uint32_t>(16) != crc32c(trailer.bytes.data(), 16)))
      fail_without_index("is cut off, or its end is damaged");
    try {
      const Section properties = section_at(kHeadBytes);
      if (properties.kind != section::kProperties) throw BadTrace("it does not begin with them");
      const Bytes payload = payload_of(properties);
      Reader reader(payload.data(), payload.data() + payload.size());
      properties_ = read_properties(reader);
      text_offset_ = properties.offset + properties.stored;
    } catch (const BadTrace& error) {
      fail(fmt::format("its properties: {}", error.what()));
    }
    read_index(trailer.get<std::uint64_t>(0));
  } catch (...) {
    ZSTD_freeDCtx(zstd_);
    throw;
  }
}

TraceFile::~TraceFile() { ZSTD_freeDCtx(zstd_); }

void TraceFile::fail(std::string_view what) const { throw UserError(fmt::format("{}: {}", path_, what)); }

void TraceFile::fail_in_frame(std::size_t frame, std::string_view what) const {
  const FrameHeader& h = frames_[frame].header;
  fail(fmt::format("frame {} (instructions {} to {}): {}", frame, h.first, h.first + h.instructions - 1,
                   what));
}

void TraceFile::fail_without_index(std::string_view what) {
  std::uint64_t offset = kHeadBytes, instructions = 0;
  std::size_t frames = 0;
  try {
    while (offset < bytes_.size()) {
      const Section s = section_at(offset);
      if (s.kind == section::kIndex) break;
      payload_of(s);
      if (s.kind == frame_kind()) ++frames, instructions += s.header.instructions;
      offset = s.offset + s.stored;
    }
  } catch (const BadTrace&) {
  }
  const std::string good =
      frames == 0 ? std::string("no frame is complete")
                  : fmt::format("frames 0 to {} are good ({} instructions)", frames - 1, instructions);
  fail(fmt::format("{}: the index at the end is missing; {}", what, good));
}

TraceFile::Section TraceFile::section_at(std::uint64_t offset) {
  if (offset < kHeadBytes || offset > bytes_.size() || bytes_.size() - offset < kSectionBytes)
    throw BadTrace(fmt::format("is cut off: the section at byte {} is not whole", offset));
  Fixed<kSectionBytes> head;
  bytes_.read(offset, head.bytes.data(), kSectionBytes);
  Section s;
  s.kind = head.get<std::uint32_t>(0);
  s.header.changes_text = head.get<std::uint32_t>(4) != 0;
  s.header.first = head.get<std::uint64_t>(16);
  s.header.instructions = head.get<std::uint32_t>(24);
  s.offset = offset + kSectionBytes, s.stored = head.get<std::uint32_t>(8);
  s.raw = head.get<std::uint32_t>(12), s.crc = head.get<std::uint32_t>(28);
  if ((check_ && head.get<std::uint32_t>(32) != crc32c(head.bytes.data(), 32)) ||
      head.get<std::uint32_t>(36) != 0)
    throw BadTrace(fmt::format("is damaged: the header of the section at byte {} (checksum)", offset));
  if (s.stored > bytes_.size() - s.offset)
    throw BadTrace(fmt::format("is cut off: the section at byte {} is not whole", offset));
  if (s.raw > kMostPayload) throw BadTrace(fmt::format("the section at byte {} is too large", offset));
  return s;
}

Bytes TraceFile::payload_of(const Section& s) {
  Bytes stored(s.stored), payload;
  bytes_.read(s.offset, stored.data(), stored.size());
  if (check_ && crc32c(stored.data(), stored.size()) != s.crc) throw BadTrace("is damaged (checksum)");
  // The frame states its size too: a header with another size gets no memory.
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != s.raw) throw BadTrace("is damaged (size)");
  payload.resize(s.raw);
  const std::size_t got =
      ZSTD_decompressDCtx(zstd_, payload.data(), payload.size(), stored.data(), stored.size());
  if (ZSTD_isError(got) || got != s.raw) throw BadTrace("is damaged (compression)");
  return payload;
}

void TraceFile::read_index(std::uint64_t at) {
  try {
    const Section s = section_at(at);
    if (s.kind != section::kIndex || s.offset + s.stored + kTrailerBytes != bytes_.size())
      throw BadTrace("the end of the file does not lead to it");
    const Bytes payload = payload_of(s);
    Reader reader(payload.data(), payload.data() + payload.size());
    ending_ = read_properties(reader);
    std::uint64_t offset = 0;
    for (std::uint64_t left = reader.number(reader.left(), "the number of frames"); left != 0; --left) {
      Frame frame;
      offset += reader.number(at, "the place of a frame");
      frame.offset = offset;
      frame.header.first = instructions_;
      frame.header.instructions = static_cast<std::uint32_t>(reader.number(~std::uint32_t{0}, "a frame"));
      frame.header.changes_text = reader.number(1, "a frame") != 0;
      instructions_ += frame.header.instructions;
      frames_.push_back(frame);
    }
  } catch (const BadTrace& error) {
    fail(fmt::format("its index: {}", error.what()));
  }
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const std::uint64_t end = i + 1 < frames_.size() ? frames_[i + 1].offset : at;
    if (frames_[i].offset > end || end - frames_[i].offset < kSectionBytes)
      fail("its index: a frame has no room");
    frames_[i].stored = end - frames_[i].offset;
  }
  text_bytes_ = (frames_.empty() ? at : frames_.front().offset) - text_offset_;
}

std::uint32_t TraceFile::frame_kind() const {
  return version_ > 2 ? section::kFrame : section::kFrameOfVersion2;
}

std::string TraceFile::property(const std::string& name) const {
  const auto found = properties_.find(name);
  return found == properties_.end() ? std::string() : found->second;
}

std::size_t TraceFile::frame_of(std::uint64_t number) const {
  const auto after = std::upper_bound(
      frames_.begin(), frames_.end(), number,
      [](std::uint64_t n, const Frame& frame) { return n < frame.header.first + frame.header.instructions; });
  return static_cast<std::size_t>(after - frames_.begin());
}

void TraceFile::read_text(TextImage& image) {
  try {
    const Section s = section_at(text_offset_);
    if (s.kind != section::kText) throw BadTrace("it is not where it should be");
    const Bytes payload = payload_of(s);
    Reader reader(payload.data(), payload.data() + payload.size());
    while (!reader.done()) {
      const std::uint64_t address = reader.number();
      const std::uint64_t count = reader.number(TextImage::kPageBytes / 4, "the number of words");
      if (address % 4 != 0) throw BadTrace("an address is no multiple of 4");
      if (count == 0)
        image.set_zero_pages(address, reader.number(TextImage::kMostPages, "the number of pages"));
      else
        image.set(address, reader.words(count));
    }
  } catch (const BadTrace& error) {
    fail(fmt::format("its text: {}", error.what()));
  }
}

FrameReader TraceFile::read_frame(std::size_t number) {
  const Frame& frame = frames_[number];
  try {
    const Section s = section_at(frame.offset);
    if (s.kind != frame_kind() || s.header.instructions != frame.header.instructions ||
        s.header.first != frame.header.first || s.header.changes_text != frame.header.changes_text)
      throw BadTrace("is not what the index says");
    return FrameReader(payload_of(s), frame.header.instructions, version_ > 2);
  } catch (const BadTrace& error) {
    fail_in_frame(number, error.what());
  }
}

}  // namespace psim::isa::trace
