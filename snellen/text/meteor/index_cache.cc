// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/index_cache.h"

#include <optional>

#include <fmt/format.h>
#include <sys/stat.h>

#include "snellen/base/hash.h"

namespace snellen::text::meteor {
namespace {

namespace fs = std::filesystem;

// What changes when a file is written to: "size mtime ctime inode", empty when there is no such
// file.
std::string trace_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  auto nanoseconds = [](const timespec& time) {
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
  };
  return fmt::format("{} {} {} {}",
                     status.st_size,
                     nanoseconds(status.st_mtim),
                     nanoseconds(status.st_ctim),
                     status.st_ino);
}

// Size and modification time only: a copy or another mount of the same table stays known.
std::string source_trace_of(const fs::path& path) {
  std::string trace = trace_of(path);
  size_t second = trace.find(' ', trace.find(' ') + 1);
  return trace.substr(0, second);
}

std::string hash_of(const std::vector<fs::path>& files) {
  if (files.size() == 1) return sha256_of_file(files.front());
  Sha256 all;
  for (const fs::path& file : files) all.add(sha256_of_file(file));
  return all.hex();
}

class Cache {
 public:
  Cache(const IndexSource& source, const fs::path& folder) : source_(source), folder_(folder) {
    std::string paths;
    for (const fs::path& file : source.files) {
      std::error_code ignored;
      paths += fs::absolute(file, ignored).string() + "\n";
      sources_trace_ += source_trace_of(file) + "\n";
    }
    stamp_ = folder_ / fmt::format("{}-{:016x}.stamp", source.name, fnv1a64(paths));
  }

  fs::path index_path(const std::string& sha256) const {
    return folder_ / fmt::format("{}-{}-v{}.idx", source_.name, sha256, source_.format.version);
  }

  // The hash in the stamp when the sources look unchanged.
  std::optional<std::string> known_hash() const {
    std::string stamp = read_stamp();
    if (stamp.size() < 65 || stamp.compare(65, sources_trace_.size(), sources_trace_) != 0)
      return {};
    stamp.resize(64);
    // It becomes part of a file name, so nothing but a hash may pass.
    if (stamp.find_first_not_of("0123456789abcdef") != std::string::npos) return {};
    return stamp;
  }

  // True when the index is byte for byte the one that was checked when the stamp was written.
  bool is_index_known(const std::string& sha256) const {
    std::string trace = trace_of(index_path(sha256));
    return !trace.empty() && read_stamp() == stamp_text(sha256, trace);
  }

  void write_stamp(const std::string& sha256) const {
    write_text_file(stamp_, stamp_text(sha256, trace_of(index_path(sha256))));
  }

 private:
  std::string stamp_text(const std::string& sha256, const std::string& index_trace) const {
    return sha256 + "\n" + sources_trace_ + index_trace + "\n";
  }

  std::string read_stamp() const {
    try {
      return read_text_file(stamp_, 1 << 16);
    } catch (const Error&) {
      return {};  // no stamp: everything is checked again
    }
  }

  const IndexSource& source_;
  fs::path folder_;
  fs::path stamp_;
  std::string sources_trace_;
};

std::optional<IndexFile> open_cached(const Cache& cache,
                                     const IndexSource& source,
                                     const std::string& sha256) {
  bool is_known = cache.is_index_known(sha256);
  try {
    Result<IndexFile> index =
        IndexFile::open(MappedFile(cache.index_path(sha256)),
                        source.format,
                        is_known ? IndexFile::Check::kHeader : IndexFile::Check::kEverything);
    if (!index || index->source_sha256() != sha256) return {};
    if (!is_known) cache.write_stamp(sha256);
    return *std::move(index);
  } catch (const Error&) {
    return {};  // absent or unreadable: the caller builds it
  }
}

// Piece by piece, because the writer buffers what it is given.
void write_in_pieces(const fs::path& path, std::string_view image) {
  constexpr size_t kPiece = 1 << 20;
  AtomicFile file(path);
  for (size_t at = 0; at < image.size(); at += kPiece) file.write(image.substr(at, kPiece));
  file.commit();
}

}  // namespace

CachedIndex open_or_build(const IndexSource& source,
                          const fs::path& cache_folder,
                          const std::function<std::string(const std::string& sha256)>& build) {
  if (cache_folder.empty()) {
    return {*IndexFile::open(build(hash_of(source.files)), source.format), /*was_built=*/true};
  }
  Cache cache(source, cache_folder);
  std::optional<std::string> known = cache.known_hash();
  std::string sha256 = known ? *known : hash_of(source.files);
  if (std::optional<IndexFile> index = open_cached(cache, source, sha256))
    return {*std::move(index)};
  // A stamp may lie about a file that was replaced within its clock's tick; what is built is named
  // by its bytes.
  if (known) sha256 = hash_of(source.files);
  std::string image = build(sha256);
  try {
    write_in_pieces(cache.index_path(sha256), image);
    // Read back and checked: another thread may have been writing the same file.
    if (std::optional<IndexFile> index = open_cached(cache, source, sha256)) {
      return {*std::move(index), /*was_built=*/true, /*was_stored=*/true};
    }
  } catch (const Error&) {
    // A cache that cannot be written costs time on the next start, nothing else.
  }
  return {*IndexFile::open(std::move(image), source.format), /*was_built=*/true};
}

}  // namespace snellen::text::meteor
