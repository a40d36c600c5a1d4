// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace snellen::http {

// Headers, or the fields of a query, in their order.
using Fields = std::vector<std::pair<std::string, std::string>>;

// The first one of this name, whatever its case; "" for none.
std::string_view first_field(const Fields& fields, std::string_view name);

}  // namespace snellen::http
