// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "snellen/base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace snellen::store {

// One SQLite connection. One thread at a time.
class Database {
 public:
  enum class Access { kReadOnly, kReadWrite };
  // Throws kNotFound when it cannot be opened (or made), kInvalidInput when it is no database. What
  // a file of others has for functions and triggers is not run.
  Database(std::filesystem::path path, Access access);
  ~Database();
  Database(Database&& other) noexcept;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  Database& operator=(Database&&) = delete;

  void run(const char* sql);
  int64_t integer(const char* sql);
  const std::filesystem::path& path() const { return path_; }

  // A full disk is kIo, a locked file kBusy, a damaged one kInvalidInput.
  Error error(const char* doing) const;

 private:
  friend class Statement;
  std::filesystem::path path_;
  sqlite3* handle_ = nullptr;
};

// A prepared statement; parameters and columns count from 1 and 0, as SQLite's do.
class Statement {
 public:
  Statement(Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int parameter, int64_t value);
  Statement& bind(int parameter, std::string_view value);  // must outlive the step
  Statement& bind(int parameter, double value);            // NaN becomes NULL
  Statement& bind_null(int parameter);

  // True when a row is there to be read.
  bool step();
  // Ready for the next parameters.
  void reset();

  int64_t integer(int column) const;
  double number(int column) const;  // NULL becomes NaN
  std::string_view text(int column) const;
  bool is_null(int column) const;
  bool is_integer(int column) const;

 private:
  // Throws unless a parameter was bound.
  void check(int code);

  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

// Rolls back unless commit() was called.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool is_open_ = true;
};

}  // namespace snellen::store
