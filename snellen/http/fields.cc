// SPDX-License-Identifier: Apache-2.0
#include "snellen/http/fields.h"

#include <strings.h>

namespace snellen::http {

std::string_view first_field(const Fields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (key.size() == name.size() && strncasecmp(key.data(), name.data(), name.size()) == 0)
      return value;
  }
  return {};
}

}  // namespace snellen::http
