// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/database.h"

#include <cmath>
#include <limits>
#include <utility>

#include <sqlite3.h>

namespace snellen::store {
namespace {

// Whoever reads holds up who writes: a run waits for a slow reader, which can ask again, and does
// not end because of it.
constexpr int kWriterWaitsMs = 60'000;
constexpr int kReaderWaitsMs = 2'000;

}  // namespace

Database::Database(std::filesystem::path path, Access access) : path_(std::move(path)) {
  int flags = access == Access::kReadOnly ? SQLITE_OPEN_READONLY
                                          : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  int code = sqlite3_open_v2(path_.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) {
    Error failure = error("opened");
    sqlite3_close(handle_);
    throw failure;
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, access == Access::kReadOnly ? kReaderWaitsMs : kWriterWaitsMs);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

Database::~Database() {
  sqlite3_close(handle_);
}

Database::Database(Database&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, nullptr)) {}

Error Database::error(const char* doing) const {
  int code = sqlite3_errcode(handle_) & 0xFF;
  ErrorCode kind = ErrorCode::kIo;
  std::string hint = "run the same command again to resume";
  switch (code) {
    case SQLITE_FULL:
      hint = "free some space, then run the same command again to resume";
      break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      kind = ErrorCode::kBusy;
      hint = "another process uses it; wait for it or choose another --output";
      break;
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
      kind = ErrorCode::kNotFound;
      hint = "choose an --output folder that can be written";
      break;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      kind = ErrorCode::kInvalidInput;
      hint = "it is damaged or no run's samples.db; restore it, or start over with --overwrite";
      break;
    default:
      break;
  }
  return Error{
      kind, fmt::format("cannot be {}: {}", doing, sqlite3_errmsg(handle_)), path_.string(), hint};
}

void Database::run(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) throw error("used");
}

int64_t Database::integer(const char* sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

Statement::Statement(Database& database, const char* sql) : database_(database) {
  if (sqlite3_prepare_v2(database_.handle_, sql, -1, &handle_, nullptr) != SQLITE_OK)
    throw database_.error("read");
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

Statement& Statement::bind(int parameter, int64_t value) {
  check(sqlite3_bind_int64(handle_, parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view value) {
  // An empty view may have no address, which SQLite would read as NULL.
  const char* data = value.empty() ? "" : value.data();
  check(sqlite3_bind_text64(handle_, parameter, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  if (std::isnan(value)) return bind_null(parameter);
  check(sqlite3_bind_double(handle_, parameter, value));
  return *this;
}

Statement& Statement::bind_null(int parameter) {
  check(sqlite3_bind_null(handle_, parameter));
  return *this;
}

void Statement::check(int code) {
  if (code == SQLITE_OK) return;
  if (code == SQLITE_TOOBIG) {
    throw Error{ErrorCode::kInvalidInput,
                "a text is longer than SQLite stores",
                database_.path().string(),
                "shorten the texts of the items"};
  }
  throw database_.error("written");
}

bool Statement::step() {
  int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  throw database_.error("written or read");
}

void Statement::reset() {
  sqlite3_reset(handle_);
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

double Statement::number(int column) const {
  // NULL reads as 0, so that other numbers need no second question.
  const double number = sqlite3_column_double(handle_, column);
  if (number == 0 && is_null(column)) return std::numeric_limits<double>::quiet_NaN();
  return number;
}

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  if (data == nullptr) return {};
  return {data, static_cast<size_t>(sqlite3_column_bytes(handle_, column))};
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

bool Statement::is_integer(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_INTEGER;
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!is_open_) return;
  try {
    database_.run("ROLLBACK");
  } catch (const Error&) {
    // The transaction is rolled back when the file is next opened; there is nobody left to tell.
    is_open_ = false;
  }
}

void Transaction::commit() {
  database_.run("COMMIT");
  is_open_ = false;
}

}  // namespace snellen::store
