// SPDX-License-Identifier: Apache-2.0
#include "guest/elf/elf_image.h"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/read_file.h"
#include "guest/elf/gnu_attributes.h"
#include "isa/memory/guest_memory.h"

namespace psim::isa {

namespace {

constexpr std::uint64_t kMostSegments = 512;  // linkers make fewer than twenty

class Parser {
 public:
  explicit Parser(ElfImage& image) : image_(image) {}

  void parse() {
    identification();
    header();
    program_headers();
    order();
    entry();
    attributes();
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) const {
    throw UserError(image_.path + ": " + fmt::format(text, std::forward<Args>(args)...));
  }

  // Returns the value of `bytes` bytes at `offset`, which must lie in the file.
  std::uint64_t at(std::uint64_t offset, unsigned bytes) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
      value = value << 8 | static_cast<std::uint8_t>(image_.bytes[offset + i]);
    return value;
  }
  bool in_file(std::uint64_t offset, std::uint64_t bytes) const {
    return offset <= image_.bytes.size() && bytes <= image_.bytes.size() - offset;
  }

  void identification() const {
    const auto& bytes = image_.bytes;
    if (bytes.empty()) refuse("the file is empty; expected a static sparc64 ELF program");
    if (bytes.size() < SELFMAG || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
      refuse("not an ELF file; expected a static sparc64 ELF program");
    if (bytes.size() < EI_NIDENT) refuse("truncated: {} bytes, too short for an ELF header", bytes.size());
    const auto ident = [&](int i) { return static_cast<unsigned>(bytes[static_cast<std::size_t>(i)]); };
    if (ident(EI_CLASS) == ELFCLASS32) refuse("a 32-bit ELF file; expected 64-bit (compile with -m64)");
    if (ident(EI_CLASS) != ELFCLASS64) refuse("unknown ELF class {}; expected 64-bit", ident(EI_CLASS));
    if (ident(EI_DATA) == ELFDATA2LSB)
      refuse("a little-endian ELF file{}; expected big-endian sparc64", machine_note(true));
    if (ident(EI_DATA) != ELFDATA2MSB)
      refuse("unknown ELF byte order {}; expected big-endian", ident(EI_DATA));
    if (ident(EI_VERSION) != EV_CURRENT) refuse("unknown ELF version {}; expected 1", ident(EI_VERSION));
    if (bytes.size() < sizeof(Elf64_Ehdr))
      refuse("truncated: {} bytes, too short for an ELF header ({})", bytes.size(), sizeof(Elf64_Ehdr));
  }

  std::string machine_note(bool little_endian) const {
    if (image_.bytes.size() < 20) return "";
    const auto low = static_cast<unsigned>(image_.bytes[little_endian ? 18 : 19]);
    const auto high = static_cast<unsigned>(image_.bytes[little_endian ? 19 : 18]);
    switch (const unsigned machine = high << 8 | low) {
      case EM_X86_64:
        return " for x86-64";
      case EM_AARCH64:
        return " for AArch64";
      case EM_PPC64:
        return " for PowerPC 64";
      case EM_S390:
        return " for S/390";
      case EM_MIPS:
        return " for MIPS";
      case EM_SPARC:
        return " for 32-bit SPARC";
      default:
        return fmt::format(" for machine {}", machine);
    }
  }

  void header() {
    const std::uint64_t type = at(16, 2), machine = at(18, 2);
    if (machine != EM_SPARCV9)
      refuse("an ELF file{}; expected sparc64 (machine {})", machine_note(false), EM_SPARCV9);
    if (type == ET_REL) refuse("a relocatable object file; link it first (-static)");
    if (type == ET_CORE) refuse("a core dump; expected a program");
    if (type != ET_EXEC && type != ET_DYN) refuse("unknown ELF type {}; expected a program", type);
    image_.position_independent = type == ET_DYN;
    image_.entry = at(24, 8);
    table_offset_ = at(32, 8);
    const std::uint64_t entry_bytes = at(54, 2), count = at(56, 2);
    if (count == 0) refuse("no program headers; expected a linked program");
    if (entry_bytes != kProgramHeaderBytes)
      refuse("program header size {}; expected {}", entry_bytes, kProgramHeaderBytes);
    if (count > kMostSegments) refuse("{} program headers; at most {} are accepted", count, kMostSegments);
    if (!in_file(table_offset_, count * kProgramHeaderBytes))
      refuse("truncated: the program headers at offset {:#x} lie beyond the end of the file ({} bytes)",
             table_offset_, image_.bytes.size());
    image_.program_header_count = static_cast<std::uint16_t>(count);
  }

  void program_headers() {
    std::uint64_t declared = 0;  // PT_PHDR
    for (unsigned i = 0; i < image_.program_header_count; ++i) {
      const std::uint64_t p = table_offset_ + i * kProgramHeaderBytes;
      switch (at(p, 4)) {
        case PT_INTERP:
          refuse("dynamically linked; psim runs static programs (link with -static)");
        case PT_PHDR:
          declared = at(p + 16, 8);
          break;
        case PT_LOAD:
          segment(i, p);
          break;
        case PT_GNU_STACK:
          image_.executable_stack = (at(p + 4, 4) & PF_X) != 0;
          break;
        default:
          break;
      }
    }
    if (image_.segments.empty()) refuse("no loadable segment; expected a linked program");
    image_.program_headers = declared ? declared : table_address();
  }

  // Returns the memory address of the table, by the segment that holds it in the file.
  std::uint64_t table_address() const {
    for (const ElfSegment& s : image_.segments)
      if (table_offset_ >= s.file_offset && table_offset_ - s.file_offset < s.file_bytes)
        return s.address + (table_offset_ - s.file_offset);
    return 0;
  }

  void segment(unsigned index, std::uint64_t p) {
    ElfSegment s;
    s.file_offset = at(p + 8, 8), s.address = at(p + 16, 8);
    s.file_bytes = at(p + 32, 8), s.memory_bytes = at(p + 40, 8);
    const std::uint64_t flags = at(p + 4, 4);
    if (flags & PF_R) s.permission |= kRead;
    if (flags & PF_W) s.permission |= kWrite;
    if (flags & PF_X) s.permission |= kExecute | kRead;
    if (s.memory_bytes == 0) return;
    if (s.file_bytes > s.memory_bytes)
      refuse("segment {}: {:#x} bytes in the file exceed its {:#x} bytes in memory", index, s.file_bytes,
             s.memory_bytes);
    if (s.file_bytes == 0)
      s.file_offset = 0;  // of uninitialised data alone; linkers give the end of the file
    if (!in_file(s.file_offset, s.file_bytes))
      refuse("truncated: segment {} needs {:#x} bytes at offset {:#x}, the file has {:#x}", index,
             s.file_bytes, s.file_offset, image_.bytes.size());
    if (s.address >= GuestMemory::kLimit || s.memory_bytes > GuestMemory::kLimit - s.address)
      refuse("segment {}: {:#x} bytes at address {:#x} do not fit in the address space of {} bits", index,
             s.memory_bytes, s.address, GuestMemory::kAddressBits);
    if (s.memory_bytes > kMostBytes)
      refuse("segment {}: {:#x} bytes of memory; at most {:#x} are accepted", index, s.memory_bytes,
             kMostBytes);
    image_.segments.push_back(s);
  }

  void order() {
    auto& segments = image_.segments;
    std::sort(segments.begin(), segments.end(),
              [](const ElfSegment& a, const ElfSegment& b) { return a.address < b.address; });
    for (std::size_t i = 1; i < segments.size(); ++i)
      if (segments[i].address - segments[i - 1].address < segments[i - 1].memory_bytes)
        refuse("segments overlap at address {:#x}", segments[i].address);
    if (!image_.position_independent && image_.lowest() < GuestMemory::kPageBytes)
      refuse("a segment at address {:#x}; the first page must stay unmapped", image_.lowest());
    if (image_.end() > kMostBytes && image_.position_independent)
      refuse("segments reach {:#x}; a position-independent program may span {:#x}", image_.end(), kMostBytes);
  }

  void entry() const {
    const std::uint64_t entry = image_.entry;
    if (entry % 4 != 0) refuse("entry point {:#x} is not a multiple of 4", entry);
    const bool executable =
        std::any_of(image_.segments.begin(), image_.segments.end(), [&](const ElfSegment& s) {
          return (s.permission & kExecute) && entry >= s.address && entry - s.address < s.memory_bytes;
        });
    if (!executable) refuse("entry point {:#x} lies in no executable segment", entry);
  }

  void attributes() {
    const std::uint64_t offset = at(40, 8), entry_bytes = at(58, 2), count = at(60, 2);
    if (entry_bytes != sizeof(Elf64_Shdr) || !in_file(offset, count * sizeof(Elf64_Shdr)))
      return;  // stripped of sections: a program runs without them
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t section = offset + i * sizeof(Elf64_Shdr);
      const std::uint64_t start = at(section + 24, 8), size = at(section + 32, 8);
      if (at(section + 4, 4) != SHT_GNU_ATTRIBUTES || !in_file(start, size)) continue;
      image_.hardware_capabilities |=
          sparc_hardware_capabilities(std::span(image_.bytes).subspan(start, size));
    }
  }

  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 38;

  ElfImage& image_;
  std::uint64_t table_offset_ = 0;
};

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

ElfImage parse_elf(std::string path, std::vector<std::byte> bytes) {
  ElfImage image;
  image.path = std::move(path);
  image.bytes = std::move(bytes);
  Parser(image).parse();
  return image;
}

ElfImage read_elf(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) throw UserError(path + ": cannot open: " + std::strerror(errno));
  struct stat status;
  if (::fstat(file.fd, &status) != 0) throw UserError(path + ": cannot read: " + std::strerror(errno));
  if (S_ISDIR(status.st_mode))
    throw UserError(path + ": is a directory; expected a static sparc64 ELF program");
  if (!S_ISREG(status.st_mode)) throw UserError(path + ": not a regular file");
  if (static_cast<std::uint64_t>(status.st_size) > kMostProgramBytes)
    throw UserError(path + ": has more than 2 GiB; expected a static sparc64 ELF program");
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::read(file.fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw UserError(path + ": cannot read: " + std::strerror(errno));
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  bytes.resize(done);
  return parse_elf(path, std::move(bytes));
}

}  // namespace psim::isa
