// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace snellen::builders {

inline constexpr const char* kNoticeName = "NOTICE.txt";

// Whose work a set of this builder ("probe-r") is made from, under which licence, and that it was
// changed: what CC BY 4.0 asks of whoever passes the set on.
std::string notice_of(std::string_view builder);

}  // namespace snellen::builders
