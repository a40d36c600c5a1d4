// SPDX-License-Identifier: Apache-2.0
// Settings are declared where they are used, checked once when they are set, read as typed structs,
// and written back as text.
#pragma once

#include <any>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/config/option.h"

namespace snellen::config {

// A struct of settings with its options. The values it is made with are the defaults.
class Block {
 public:
  template <typename S>
  Block(S defaults, std::vector<Option> options)
      : value_(std::move(defaults)),
        address_([](std::any& value) -> void* { return std::any_cast<S>(&value); }) {
    declare(std::move(options));
  }

  // Whose settings they are, as the help calls it; empty: the verb's own.
  Block& owned_by(std::string owner) { return owner_ = std::move(owner), *this; }

  const std::string& owner() const { return owner_; }
  const std::vector<Option>& options() const { return *options_; }
  template <typename S>
  const S* as() const {
    return std::any_cast<S>(&value_);
  }
  const Option* find(std::string_view canonical_name) const;
  Option::Values read(const Option& option) const;
  bool write(const Option& option, const Option::Values& values);

 private:
  // Puts the default of each option into its facts.
  void declare(std::vector<Option> options);

  std::string owner_;
  std::any value_;
  void* (*address_)(std::any&);
  std::shared_ptr<const std::vector<Option>> options_;
};

class Options {
 public:
  explicit Options(std::vector<Block> blocks);

  void add(Block block) { blocks_.push_back(std::move(block)); }

  // Throws kUsage for an unknown name (naming the nearest known one) or a value that does not fit;
  // `where` names the flag or file it came from. A name that several blocks declare is set in all.
  void set(std::string_view name, std::string_view value, std::string_view where);
  void set(std::string_view name, const Option::Values& given, std::string_view where);
  // Every key of a JSON object (a config file, or a run folder's run.json, whose settings are
  // taken); nulls are left out, values already set by set() are kept when `keep_set`. Settings of
  // owners that are not wanted are left out; the question is asked when the verb's own are set.
  void set_from_json(std::string_view json,
                     std::string_view where,
                     bool keep_set,
                     const std::function<bool(const std::string& owner)>& is_wanted = {});
  // The settings that a stamp holds, name to text. Those that this version has retired are left
  // out.
  void set_from_stamp(const std::map<std::string, std::string>& settings, std::string_view where);
  // Throws kUsage where a required option was not set.
  void check_required() const;

  // The struct of the first block that holds one; null when none does.
  template <typename S>
  const S* get_if() const {
    for (const Block& block : blocks_) {
      if (const S* value = block.as<S>()) return value;
    }
    return nullptr;
  }
  // Throws kInternal when there is none.
  template <typename S>
  const S& get() const {
    if (const S* value = get_if<S>()) return *value;
    throw_missing();
  }

  bool is_set(std::string_view name) const;
  // For code that does not know the struct: the value as text, lists joined by commas.
  std::string text(std::string_view name) const;

  const std::vector<Block>& blocks() const { return blocks_; }
  // The resolved settings, name to text, in order of name; only those that can change a result when
  // asked.
  std::map<std::string, std::string> resolved(bool identity_only) const;

 private:
  using Place = std::pair<const Block*, const Option*>;
  Place find(std::string_view name, std::string_view where) const;
  [[noreturn]] static void throw_missing();

  std::vector<Block> blocks_;
  std::set<std::string, std::less<>> set_;
};

// 'a_b' as 'a-b'.
std::string canonical_name(std::string_view name);
// "a, b,c" as {a, b, c}; empty pieces are dropped.
std::vector<std::string> split_list(std::string_view text);

}  // namespace snellen::config
