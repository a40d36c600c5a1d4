// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/content_key.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace snellen {

ContentKey content_key(std::string_view bytes, uint64_t salt) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), salt);
  return {hash.low64, hash.high64};
}

}  // namespace snellen
