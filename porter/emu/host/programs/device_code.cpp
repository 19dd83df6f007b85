#include "programs/device_code.h"

#include <elf.h>

#include <algorithm>

#include "programs/child.h"

namespace host {

namespace {

constexpr char BUNDLE[] = "__CLANG_OFFLOAD_BUNDLE__", COMPRESSED[] = "CCOB", ELF[] = "\177ELF";

u64 read64(const u8 *at) {
  u64 value;
  memcpy(&value, at, 8);
  return value;
}

bool begins(const u8 *bytes, const char *with) { return !memcmp(bytes, with, strlen(with)); }

// hipModuleLoadData is given no size: a code object ends with its headers or its last section.
u64 size_of(const u8 *elf) {
  Elf64_Ehdr header;
  memcpy(&header, elf, sizeof header);
  u64 end = header.e_shoff + (u64)header.e_shnum * header.e_shentsize;
  end = std::max(end, header.e_phoff + (u64)header.e_phnum * header.e_phentsize);
  for (u32 i = 0; i < header.e_shnum && header.e_shentsize == sizeof(Elf64_Shdr); i++) {
    Elf64_Shdr section;
    memcpy(&section, elf + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_NOBITS) end = std::max(end, section.sh_offset + section.sh_size);
  }
  return end;
}

DeviceCode single(const u8 *bytes) {
  if (read64(bytes) == IMAGE_MAGIC) return {bytes, nullptr, 0, hipSuccess, ""};
  if (begins(bytes, ELF)) return {nullptr, bytes, size_of(bytes), hipSuccess, ""};
  return {nullptr, nullptr, 0, hipErrorInvalidImage, "it is no device code that the emulator knows"};
}

}  // namespace

DeviceCode device_code(const u8 *bytes) {
  if (begins(bytes, COMPRESSED))
    return {nullptr, nullptr, 0, hipErrorInvalidImage, "the bundle is compressed; build it with --no-offload-compress"};
  if (!begins(bytes, BUNDLE)) return single(bytes);
  const u64 count = read64(bytes + 24);
  const u8 *entry = bytes + 32;
  for (u64 i = 0; i < count; i++) {
    const u64 offset = read64(entry), size = read64(entry + 8), length = read64(entry + 16);
    const std::string target((const char *)entry + 24, length);
    entry += 24 + length;
    if (!target.compare(0, 3, "hip") && target.find(CHIP_TARGET) != std::string::npos && size >= 8)
      return single(bytes + offset);
  }
  return {nullptr, nullptr, 0, hipErrorNoBinaryForGpu, "it has no code for " CHIP_TARGET};
}

std::vector<u8> decoded(const DeviceCode &code, std::string *why) {
  const Folder folder;
  if (folder.path.empty() || !folder.write("object", {(const char *)code.object, code.size})) {
    *why = "no temporary file can be written";
    return {};
  }
  const int result = python("porter.emu.elf.load", folder);
  const std::string image = folder.read("image");
  if (result == 0) return {image.begin(), image.end()};
  *why = folder.read("log");
  if (why->empty()) *why = "porter's Python does not run";
  return {};
}

}  // namespace host
