// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "snellen/base/error.h"

namespace snellen::store {

// {"code", "what", "where", "hint"}: how errors are stored, and printed with --json.
std::string error_to_json(const Error& error);
Error error_from_json(std::string_view json);

}  // namespace snellen::store
