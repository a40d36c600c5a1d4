// SPDX-License-Identifier: Apache-2.0
// Files of the repository that are bytes of the program; cmake/embed.cmake makes them.
#pragma once

#include <span>
#include <string_view>

namespace snellen {

struct EmbeddedFile {
  std::string_view name;  // relative to the folder that was embedded, with slashes
  std::string_view bytes;
};

}  // namespace snellen
