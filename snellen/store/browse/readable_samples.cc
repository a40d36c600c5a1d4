// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/browse/readable_samples.h"

#include <unistd.h>

#include <array>
#include <fstream>
#include <optional>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/store/samples.h"

namespace snellen::store {
namespace {

namespace fs = std::filesystem;

// Of SQLite's file format: the size of a page and the number of pages, big-endian.
constexpr size_t kHeaderBytes = 100;
constexpr size_t kPageSizeAt = 16;
constexpr size_t kNumPagesAt = 28;

fs::path journal_of(const fs::path& samples) {
  return samples.native() + "-journal";
}

// The Error, or nothing for a file whose tasks can be read.
std::optional<Error> problem_with(const fs::path& samples) {
  try {
    Samples::open_to_read(samples).tasks();
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  }
}

// A journal that its writer did not come to end.
bool has_journal(const fs::path& samples) {
  std::error_code ignored;
  const uintmax_t bytes = fs::file_size(journal_of(samples), ignored);
  return !ignored && bytes > 0;
}

// Makes the header tell as many pages as there are. Gives the share of the file that is there;
// nothing where it is whole or no database.
std::optional<double> shorten_header(const fs::path& samples) {
  std::array<unsigned char, kHeaderBytes> header{};
  std::fstream file(samples, std::ios::binary | std::ios::in | std::ios::out);
  if (!file.read(reinterpret_cast<char*>(header.data()), header.size())) return std::nullopt;
  uint64_t page_bytes = uint64_t{header[kPageSizeAt]} << 8 | header[kPageSizeAt + 1];
  if (page_bytes == 1) page_bytes = 65536;
  if (page_bytes < 512) return std::nullopt;
  uint64_t told = 0;
  for (size_t i = 0; i < 4; ++i) told = told << 8 | header[kNumPagesAt + i];
  const uint64_t there = fs::file_size(samples) / page_bytes;
  if (there == 0 || there >= told) return std::nullopt;
  for (size_t i = 0; i < 4; ++i)
    header[kNumPagesAt + i] = static_cast<unsigned char>(there >> (8 * (3 - i)));
  file.seekp(0);
  file.write(reinterpret_cast<const char*>(header.data()), header.size());
  file.close();
  fs::resize_file(samples, there * page_bytes);
  return static_cast<double>(there) / static_cast<double>(told);
}

}  // namespace

ReadableSamples::ReadableSamples(const fs::path& samples, const fs::path& folder) : path_(samples) {
  const std::optional<Error> problem = problem_with(samples);
  if (!problem) return;
  // What another process is just writing is not cut off.
  const bool is_damaged =
      problem->code() == ErrorCode::kNotFound || problem->code() == ErrorCode::kInvalidInput;
  if (!is_damaged || !fs::exists(samples)) throw *problem;
  if (has_journal(samples)) {
    copy_to(folder, /*with_journal=*/true);
    try {
      // The first to read it with the right to write takes back what was not written to its end.
      Database(path_, Database::Access::kReadWrite).integer("SELECT count(*) FROM sqlite_master");
    } catch (const Error&) {
      // Cut off besides: seen below.
    }
    note_ = "samples.db: its last write was cut off; what was written before it is shown";
    if (!problem_with(path_)) return;
  } else {
    copy_to(folder, /*with_journal=*/false);
  }
  const std::optional<double> share = shorten_header(path_);
  if (!share || problem_with(path_)) {
    fs::remove(path_);
    throw *problem;
  }
  note_ = fmt::format(
      "samples.db: the file ends after {:.0f} % of its bytes; what can be read of them is shown",
      100 * *share);
}

ReadableSamples::~ReadableSamples() {
  std::error_code ignored;
  if (is_copy_) fs::remove(path_, ignored);
}

void ReadableSamples::copy_to(const fs::path& folder, bool with_journal) {
  const fs::path place = folder.empty() ? fs::temp_directory_path() : folder;
  fs::create_directories(place);
  const std::string name = sha256_hex(fs::absolute(path_).lexically_normal().string());
  const fs::path copy = place / fmt::format("{}-{}.copy", name.substr(0, 16), ::getpid());
  fs::copy_file(path_, copy, fs::copy_options::overwrite_existing);
  if (with_journal)
    fs::copy_file(journal_of(path_), journal_of(copy), fs::copy_options::overwrite_existing);
  fs::permissions(copy, fs::perms::owner_write, fs::perm_options::add);
  path_ = copy;
  is_copy_ = true;
}

}  // namespace snellen::store
