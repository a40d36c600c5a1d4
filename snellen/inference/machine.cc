// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/machine.h"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/inference/tile_unit.h"

namespace snellen::inference {
namespace {

namespace fs = std::filesystem;

// Name, size and time of a loaded file: another build of it has others.
std::string file_fact(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {}.{}",
                     fs::path(path).filename().string(),
                     status.st_size,
                     status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

// The linker's build id among the notes of a loaded object; empty where it has none.
std::string build_id(const dl_phdr_info& info) {
  for (size_t i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info.dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const char*>(info.dlpi_addr + header.p_vaddr);
    const char* end = at + header.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* name = at + sizeof note;
      const char* content = name + (note.n_namesz + 3U) / 4U * 4U;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
        return fmt::format("{:02x}",
                           fmt::join(reinterpret_cast<const uint8_t*>(content),
                                     reinterpret_cast<const uint8_t*>(content) + note.n_descsz,
                                     ""));
      at = content + (note.n_descsz + 3U) / 4U * 4U;
    }
  }
  return {};
}

std::vector<std::string> loaded_files() {
  std::vector<std::string> files = {file_fact("/proc/self/exe")};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* into) {
        const std::string fact = file_fact(info->dlpi_name);
        const std::string id = build_id(*info);
        if (!fact.empty() || !id.empty())
          static_cast<std::vector<std::string>*>(into)->push_back(fact + " " + id);
        return 0;
      },
      &files);
  std::sort(files.begin(), files.end());
  return files;
}

// Lines of a file of the system that begin with one of these words, each kind once.
void add_lines(const fs::path& path, const std::vector<std::string>& words, std::string& facts) {
  std::vector<std::string> left = words;
  std::ifstream file(path);
  for (std::string line; !left.empty() && std::getline(file, line);) {
    auto word = std::find_if(
        left.begin(), left.end(), [&](const std::string& one) { return line.starts_with(one); });
    if (word == left.end()) continue;
    facts += line + "\n";
    left.erase(word);
  }
}

}  // namespace

std::string machine_facts(bool is_on_gpu) {
  std::string facts = fmt::format("tile_products {}\n", runs_tile_products());
  for (const std::string& file : loaded_files()) facts += "loaded " + file + "\n";
  add_lines("/proc/cpuinfo", {"model name", "flags"}, facts);
  if (!is_on_gpu) return facts;
  std::error_code ignored;
  std::vector<fs::path> cards;
  for (fs::directory_iterator at("/proc/driver/nvidia/gpus", ignored), end; at != end;
       at.increment(ignored))
    cards.push_back(at->path());
  std::sort(cards.begin(), cards.end());
  for (const fs::path& card : cards)
    add_lines(card / "information", {"Model", "Video BIOS"}, facts);
  return facts;
}

}  // namespace snellen::inference
