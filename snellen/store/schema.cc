// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/schema.h"

#include <array>

namespace snellen::store {
namespace {

// Step i brings version i to i + 1.
constexpr std::array<const char*, kSchemaVersion> kSteps = {
    R"sql(
CREATE TABLE tasks(task INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE parts(task INTEGER NOT NULL, part INTEGER NOT NULL, name TEXT NOT NULL, num_items INTEGER NOT NULL,
                   PRIMARY KEY(task, part));
CREATE TABLE columns(task INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, is_share INTEGER NOT NULL,
                     higher_is_better INTEGER NOT NULL, chance REAL, has_breakdown INTEGER NOT NULL,
                     PRIMARY KEY(task, place));
-- id = task * 2^40 + position: rows lie in the order in which they are read.
CREATE TABLE samples(id INTEGER PRIMARY KEY, part INTEGER NOT NULL, item TEXT NOT NULL, cluster TEXT NOT NULL,
                     category TEXT NOT NULL, status TEXT NOT NULL, scores TEXT, outcome TEXT, ties INTEGER,
                     correct INTEGER, margin REAL, detail TEXT, error TEXT, micros INTEGER NOT NULL);
)sql",
};

int version_of(Database& database) {
  return static_cast<int>(database.integer("PRAGMA user_version"));
}

[[noreturn]] void refuse(const Database& database, int version) {
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("has schema version {}, this build reads {}", version, kSchemaVersion),
              database.path().string(),
              version > kSchemaVersion ? "use a newer snellen, or choose another --output"
                                       : "it is no run's samples.db; choose another --output"};
}

}  // namespace

void migrate(Database& database) {
  int version = version_of(database);
  if (version == kSchemaVersion) return;
  bool is_new = version == 0 && database.integer("SELECT count(*) FROM sqlite_master") == 0;
  if (version < 0 || version > kSchemaVersion || (version == 0 && !is_new))
    refuse(database, version);
  Transaction transaction(database);
  for (size_t step = static_cast<size_t>(version); step < kSteps.size(); ++step)
    database.run(kSteps[step]);
  database.run(fmt::format("PRAGMA user_version = {}", kSchemaVersion).c_str());
  transaction.commit();
}

void check_version(Database& database) {
  int version = version_of(database);
  if (version != kSchemaVersion) refuse(database, version);
}

}  // namespace snellen::store
