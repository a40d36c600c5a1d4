// SPDX-License-Identifier: Apache-2.0
// Rows of schema 1, whose numbers, details and errors are JSON text. They are read, never written.
#pragma once

#include <string>

#include "snellen/store/database.h"
#include "snellen/store/samples/row_reader.h"

namespace snellen::store {

std::string old_select();
Sample read_old_row(const Statement& row, Reading reading);
std::string old_digest_line(const Statement& row);

}  // namespace snellen::store
