// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/openai/response_cache.h"

#include <fcntl.h>

#include <cerrno>
#include <charconv>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::models::openai {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{256} << 20;
constexpr const char* kLearned = "servers";

// Each key has a byte of the claims' file, which nobody writes: 60 bits of the key are its place.
struct flock byte_of(const std::string& key, short type) {
  uint64_t place = 0;
  std::from_chars(key.data(), key.data() + 15, place, 16);
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(place);
  lock.l_len = 1;
  return lock;
}

std::optional<std::string> text_of(const fs::path& path) {
  if (::access(path.c_str(), R_OK) != 0) return std::nullopt;
  try {
    return read_text_file(path, kMostBytes);
  } catch (const Error&) {
    return std::nullopt;  // removed meanwhile
  }
}

// Calls visit(file) for every answer of a folder.
template <typename Visit>
void for_each_answer(const fs::path& folder, const Visit& visit) {
  constexpr size_t kKeyDigits = 64;
  std::error_code ignored;
  for (const fs::directory_entry& below : fs::directory_iterator(folder, ignored)) {
    if (below.path().filename().native().size() != 2) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(below.path(), ignored)) {
      const fs::path& path = file.path();
      if (path.extension() == ".json" && path.stem().native().size() == kKeyDigits) visit(file);
    }
  }
}

}  // namespace

KeptAnswers kept_answers(const fs::path& folder) {
  KeptAnswers kept;
  for_each_answer(folder, [&](const fs::directory_entry& file) {
    std::error_code gone;
    const uint64_t size = file.file_size(gone);
    if (gone) return;
    ++kept.count;
    kept.num_bytes += size;
  });
  return kept;
}

KeptAnswers clear_answers(const fs::path& folder) {
  KeptAnswers cleared;
  std::error_code ignored;
  fs::remove_all(folder / kLearned, ignored);
  for_each_answer(folder, [&](const fs::directory_entry& file) {
    std::error_code failed;
    const uint64_t size = file.file_size(failed);
    if (failed || !fs::remove(file.path(), failed)) return;
    ++cleared.count;
    cleared.num_bytes += size;
  });
  return cleared;
}

ResponseCache::ResponseCache(fs::path folder) : folder_(std::move(folder)) {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  claims_ = Descriptor(::open((folder_ / "claims").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (claims_.get() < 0)
    throw Error{ErrorCode::kNotFound,
                "the cache of answers cannot be written",
                folder_.string(),
                "name another folder with --cache, or pass --no-cache"};
}

fs::path ResponseCache::path_of(const std::string& key) const {
  SNELLEN_CHECK(key.size() == 64);
  return folder_ / key.substr(0, 2) / (key + ".json");
}

fs::path ResponseCache::learned_path_of(const std::string& key) const {
  return folder_ / kLearned / (key + ".json");
}

std::optional<std::string> ResponseCache::find(const std::string& key) const {
  return text_of(path_of(key));
}

std::optional<std::string> ResponseCache::find_learned(const std::string& key) const {
  return text_of(learned_path_of(key));
}

void ResponseCache::keep_learned(const std::string& key, std::string_view json) const {
  write_text_file(learned_path_of(key), json, Sync::kLater);
}

void ResponseCache::keep(const std::string& key, std::string_view json) const {
  write_text_file(path_of(key), json, Sync::kLater);
}

bool ResponseCache::claim(const std::string& key) const {
  struct flock lock = byte_of(key, F_WRLCK);
  if (::fcntl(claims_.get(), F_OFD_SETLK, &lock) == 0) return true;
  // A file system without locks: everybody asks for himself.
  return errno != EAGAIN && errno != EACCES;
}

void ResponseCache::release(const std::string& key) const {
  struct flock lock = byte_of(key, F_UNLCK);
  (void)::fcntl(claims_.get(), F_OFD_SETLK, &lock);
}

}  // namespace snellen::models::openai
