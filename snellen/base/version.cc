// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/version.h"

namespace snellen {

std::string_view version() {
  return SNELLEN_VERSION;
}

}  // namespace snellen
