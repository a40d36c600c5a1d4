// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/version.h"

namespace snellen {

std::string_view version() {
  return SNELLEN_VERSION;
}

std::string_view revision() {
  return SNELLEN_REVISION;
}

}  // namespace snellen
