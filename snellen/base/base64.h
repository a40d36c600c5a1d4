// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "snellen/base/error.h"

namespace snellen {

// RFC 4648, with padding.
std::string base64(std::string_view bytes);
void append_base64(std::string_view bytes, std::string& to);
// An Error for anything else; blanks are not allowed.
Result<std::string> from_base64(std::string_view text);

// The 32 bytes of a SHA-256, as Content-Security-Policy hashes want them.
std::string sha256_bytes(std::string_view bytes);

}  // namespace snellen
