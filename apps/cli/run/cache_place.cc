// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/cache_place.h"

#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

#include <fmt/format.h>

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOff = "off";

fs::path folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

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

std::vector<std::string> loaded_files() {
  std::vector<std::string> files = {file_fact("/proc/self/exe")};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* into) {
        std::string fact = file_fact(info->dlpi_name);
        if (!fact.empty()) static_cast<std::vector<std::string>*>(into)->push_back(fact);
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

fs::path user_cache() {
  if (fs::path cache = folder_in("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "snellen";
  fs::path home = folder_in("HOME");
  return home.empty() ? home : home / ".cache" / "snellen";
}

fs::path row_cache_folder(const std::string& flag) {
  if (!flag.empty()) return flag;
  if (fs::path named = folder_in("SNELLEN_CACHE"); !named.empty())
    return named == kOff ? fs::path() : named;
  return user_cache();
}

std::string machine_facts(bool is_on_gpu) {
  std::string facts;
  for (const std::string& file : loaded_files()) facts += "loaded " + file + "\n";
  add_lines("/proc/cpuinfo", {"model name", "flags"}, facts);
  for (const char* variable : {"ONEDNN_MAX_CPU_ISA",
                               "DNNL_MAX_CPU_ISA",
                               "ATEN_CPU_CAPABILITY",
                               "MKL_CBWR",
                               "MKL_ENABLE_INSTRUCTIONS"}) {
    if (const char* value = std::getenv(variable)) facts += fmt::format("{}={}\n", variable, value);
  }
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

}  // namespace snellen::cli
