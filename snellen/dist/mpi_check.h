// SPDX-License-Identifier: Apache-2.0
// For files that speak MPI.
#pragma once

#include <array>

#include <fmt/format.h>
#include <mpi.h>

#include "snellen/base/error.h"

namespace snellen::dist {

// Throws kIo, saying what MPI could not do.
inline void check_mpi(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int size = 0;
  MPI_Error_string(code, text.data(), &size);
  throw Error{ErrorCode::kIo,
              fmt::format("MPI cannot {}: {}", doing, text.data()),
              "",
              "run the same command again to resume"};
}

}  // namespace snellen::dist
