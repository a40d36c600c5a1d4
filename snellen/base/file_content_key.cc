// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/file_content_key.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "snellen/base/descriptor.h"
#include "snellen/base/error.h"

namespace snellen {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 18;

}  // namespace

ContentKey content_key_of_file(const std::filesystem::path& path) {
  // O_NONBLOCK: a FIFO must be refused, not waited for.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) {
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be opened: {}", std::strerror(errno)),
                path.string(),
                "check the path and its permissions"};
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    throw Error{ErrorCode::kInvalidInput, "is not a plain file", path.string(), "give a file"};
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  SNELLEN_CHECK(state != nullptr && XXH3_128bits_reset_withSeed(state.get(), 0) == XXH_OK);
  const auto piece =
      std::make_unique_for_overwrite<char[]>(kPieceBytes);  // NOLINT(*-avoid-c-arrays)
  while (true) {
    const ssize_t count = ::read(file.get(), piece.get(), kPieceBytes);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw Error{ErrorCode::kIo,
                  fmt::format("cannot be read to its end: {}", std::strerror(errno)),
                  path.string()};
    }
    if (count == 0) break;
    XXH3_128bits_update(state.get(), piece.get(), static_cast<size_t>(count));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return {hash.low64, hash.high64};
}

}  // namespace snellen
