// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace snellen::formats {

// How many bytes of a text are the UTF-8 mark that some editors put before it: 3 or 0.
inline size_t byte_order_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

}  // namespace snellen::formats
