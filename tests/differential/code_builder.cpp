// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/code_builder.h"

#include <elf.h>

#include <cstring>

#include "isa/memory/guest_memory.h"

namespace psim::differential {

void CodeBuilder::reg(unsigned op, unsigned op3, unsigned rd, unsigned rs1, unsigned rs2, unsigned opf) {
  word(op << 30 | rd << 25 | op3 << 19 | rs1 << 14 | opf << 5 | rs2);
}

void CodeBuilder::imm(unsigned op, unsigned op3, unsigned rd, unsigned rs1, int simm13) {
  word(op << 30 | rd << 25 | op3 << 19 | rs1 << 14 | 1u << 13 | (static_cast<unsigned>(simm13) & 0x1FFF));
}

void CodeBuilder::set64(unsigned rd, std::uint64_t value) {
  constexpr unsigned kOr = 0x02, kSllx = 0x25;
  imm(2, kOr, rd, 0, static_cast<int>(value >> 60));  // then six pieces of ten bits
  for (int shift = 50; shift >= 0; shift -= 10) {
    word(2u << 30 | rd << 25 | kSllx << 19 | rd << 14 | 1u << 13 | 1u << 12 | 10);
    imm(2, kOr, rd, rd, static_cast<int>(value >> shift & 0x3FF));
  }
}

void CodeBuilder::system_call(unsigned number) {
  imm(2, 0x02, kG1, 0, static_cast<int>(number));
  word(2u << 30 | 8u << 25 | 0x3Au << 19 | 1u << 13 | 0x6D);  // ta 0x6d
}

void append_be64(std::string& bytes, std::uint64_t value) {
  const std::uint64_t raw = isa::big_endian(value);
  bytes.append(reinterpret_cast<const char*>(&raw), sizeof raw);
}

std::string elf_image(const std::vector<std::uint32_t>& text, const std::string& data,
                      std::uint64_t data_bytes) {
  using isa::big_endian;
  constexpr std::uint64_t kPage = 0x2000;
  const std::uint64_t text_offset = kPage, text_bytes = 4 * text.size();
  const std::uint64_t data_offset = text_offset + (text_bytes + kPage - 1) / kPage * kPage;

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64, header.e_ident[EI_DATA] = ELFDATA2MSB,
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = big_endian<std::uint16_t>(ET_EXEC);
  header.e_machine = big_endian<std::uint16_t>(EM_SPARCV9);
  header.e_version = big_endian<std::uint32_t>(EV_CURRENT);
  header.e_entry = big_endian(kTextAddress);
  header.e_phoff = big_endian<std::uint64_t>(sizeof header);
  header.e_flags = big_endian<std::uint32_t>(2);  // relaxed memory order
  header.e_ehsize = big_endian<std::uint16_t>(sizeof header);
  header.e_phentsize = big_endian<std::uint16_t>(sizeof(Elf64_Phdr));
  header.e_phnum = big_endian<std::uint16_t>(2);
  const auto segment = [](std::uint32_t flags, std::uint64_t offset, std::uint64_t address,
                          std::uint64_t file_bytes, std::uint64_t memory_bytes) {
    Elf64_Phdr s{};
    s.p_type = big_endian<std::uint32_t>(PT_LOAD), s.p_flags = big_endian(flags),
    s.p_offset = big_endian(offset);
    s.p_vaddr = s.p_paddr = big_endian(address);
    s.p_filesz = big_endian(file_bytes), s.p_memsz = big_endian(memory_bytes), s.p_align = big_endian(kPage);
    return s;
  };
  const Elf64_Phdr segments[] = {segment(PF_R | PF_X, text_offset, kTextAddress, text_bytes, text_bytes),
                                 segment(PF_R | PF_W, data_offset, kDataAddress, data.size(), data_bytes)};
  std::string image(data_offset, '\0');
  std::memcpy(image.data(), &header, sizeof header);
  std::memcpy(image.data() + sizeof header, segments, sizeof segments);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint32_t raw = big_endian(text[i]);
    std::memcpy(image.data() + text_offset + 4 * i, &raw, sizeof raw);
  }
  return image + data;
}

}  // namespace psim::differential
