// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/store/database.h"

namespace snellen::store {

// The layout of samples.db. A change of it raises the version and adds a migration.
inline constexpr int kSchemaVersion = 1;

// Makes a new database's tables, or brings an older one up to date step by step, in one
// transaction. Throws kInvalidInput for a version this build does not know.
void migrate(Database& database);

// For readers: throws unless the database has this build's version.
void check_version(Database& database);

}  // namespace snellen::store
