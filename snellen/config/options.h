// SPDX-License-Identifier: Apache-2.0
// Settings are declared where they are used, checked once when they are set, read by type, and
// written back.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::config {

enum class OptionKind { kText, kFlag, kInteger, kNumber, kList };

// One declared option. Names are spelt with '-'; '_' is the same.
struct OptionFacts {
  std::string name;
  OptionKind kind = OptionKind::kText;
  std::string default_value = {};         // empty: not set
  std::string help = {};                  // one line
  std::vector<std::string> choices = {};  // empty: anything of its kind
  std::vector<std::string> aliases = {};  // spellings of the reference scripts; one letter: '-a'
  bool is_identity = true;  // false when it cannot change a result (threads, folders, progress)
  bool takes_many =
      false;  // a list that may follow its flag as several words: '-i A B', '-i A -i B'
};

class Options {
 public:
  explicit Options(std::vector<OptionFacts> declared);

  // Throws kUsage for an unknown name (naming the nearest known one) or a value that does not fit;
  // `where` names the flag or file it came from.
  void set(std::string_view name, std::string_view value, std::string_view where);
  // Every key of a JSON object (a config file, or a run folder's run.json, whose settings are
  // taken); nulls are left out, values already set by set() are kept when `keep_set`.
  void set_from_json(std::string_view json, std::string_view where, bool keep_set);

  bool is_set(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  bool flag(std::string_view name) const;
  int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  std::vector<std::string> list(std::string_view name) const;

  const std::vector<OptionFacts>& declared() const { return declared_; }
  // The resolved settings, name to text, in order of name; only those that can change a result when
  // asked.
  std::map<std::string, std::string> resolved(bool identity_only) const;

 private:
  const OptionFacts& facts_of(std::string_view name, std::string_view where) const;
  const std::string& value_of(std::string_view name) const;

  std::vector<OptionFacts> declared_;
  std::map<std::string, std::string, std::less<>> values_;
};

// 'a_b' as 'a-b'.
std::string canonical_name(std::string_view name);
// "a, b,c" as {a, b, c}; empty pieces are dropped.
std::vector<std::string> split_list(std::string_view text);

}  // namespace snellen::config
