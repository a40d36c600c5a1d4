// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>

#include <simdjson.h>

namespace snellen::formats {

// simdjson tells of a lack of memory as it tells of a mistake in the text, which it is not: a
// record that could not be read for it must not be taken for a bad one.
inline void expect_memory(simdjson::error_code code) {
  if (code == simdjson::MEMALLOC) throw std::bad_alloc();
}

}  // namespace snellen::formats
