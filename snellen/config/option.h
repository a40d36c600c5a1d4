// SPDX-License-Identifier: Apache-2.0
// One option: a member of a struct, declared once with its name, help and checks. The flag, the
// printed default, the stamp and the config file all come from this declaration.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace snellen::config {

enum class OptionKind { kText, kFlag, kInteger, kNumber, kList };

// What is declared about an option. Names are spelt with '-'; '_' is the same.
struct OptionFacts {
  std::string name;
  OptionKind kind = OptionKind::kText;
  std::string default_value = {};         // as text; empty: not set
  std::string help = {};                  // one line
  std::vector<std::string> choices = {};  // empty: anything of its kind
  std::vector<std::string> aliases = {};  // spellings of the reference scripts; one letter: '-a'
  bool is_identity = true;  // false when it cannot change a result (threads, folders, progress)
  bool takes_many = false;  // may be followed by several words: '-i A B', '-i A -i B'
  std::string group = {};   // heading in the help; empty: the owner's
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool excludes_lowest = false;  // the value must lie above `lowest`
  bool is_required = false;
  bool is_positional = false;
  bool is_stamped = true;       // false where it only says how results are shown
  bool is_rare = false;         // shown by --help-all alone
  bool splits_commas = true;    // lists: 'a,b' is two values
  bool omits_default = false;   // stamps leave it out while it has its default
  std::string needs = {};       // the option that must be set with it
  std::string excludes = {};    // the option that must not be set with it
  std::string data_file = {};   // in the program's data folder: the value while it is not set
  std::string value_name = {};  // in the help: DIR, FILE, N; empty: chosen by kind
};

// Conversion between a member and its text; read() says whether the text fits the type.
template <typename T>
struct TextForm;

template <>
struct TextForm<bool> {
  static constexpr OptionKind kKind = OptionKind::kFlag;
  static std::string write(bool value) { return value ? "true" : "false"; }
  static bool read(std::string_view text, bool& value) {
    value = text == "true";
    return value || text == "false";
  }
};

template <typename T>
requires std::is_arithmetic_v<T>
struct TextForm<T> {
  static constexpr OptionKind kKind =
      std::is_integral_v<T> ? OptionKind::kInteger : OptionKind::kNumber;
  static std::string write(T value) { return fmt::format("{}", value); }
  static bool read(std::string_view text, T& value) {
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size();
  }
};

template <typename T>
requires std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>
struct TextForm<T> {
  static constexpr OptionKind kKind = OptionKind::kText;
  static std::string write(const T& value) { return value; }
  static bool read(std::string_view text, T& value) {
    value = T(text);
    return true;
  }
};

// The text of an unset optional is empty.
template <typename T>
struct TextForm<std::optional<T>> {
  static constexpr OptionKind kKind = TextForm<T>::kKind;
  static std::string write(const std::optional<T>& value) {
    return value ? TextForm<T>::write(*value) : std::string();
  }
  static bool read(std::string_view text, std::optional<T>& value) {
    value.emplace();
    return TextForm<T>::read(text, *value);
  }
};

// A declared option with access to its member. Members are addressed through a pointer to the
// struct that owns them.
class Option {
 public:
  using Values = std::vector<std::string>;

  Option(OptionFacts facts,
         std::function<Values(const void*)> read,
         std::function<bool(void*, const Values&)> write)
      : facts_(std::move(facts)), read_(std::move(read)), write_(std::move(write)) {}

  Option& needs(std::string other) { return facts_.needs = std::move(other), *this; }
  Option& excludes(std::string other) { return facts_.excludes = std::move(other), *this; }
  Option& from_data(std::string file) { return facts_.data_file = std::move(file), *this; }
  // Spellings of the reference scripts.
  template <typename... Names>
  Option& alias(const Names&... names) {
    return (facts_.aliases.emplace_back(names), ...), *this;
  }
  Option& choices(std::vector<std::string> all) { return facts_.choices = std::move(all), *this; }
  Option& group(std::string heading) { return facts_.group = std::move(heading), *this; }
  Option& help(std::string line) { return facts_.help = std::move(line), *this; }
  Option& identity(bool is_identity) { return facts_.is_identity = is_identity, *this; }
  Option& many() { return facts_.takes_many = true, *this; }
  Option& omit_default() { return facts_.omits_default = true, *this; }
  Option& positional() { return facts_.is_positional = true, *this; }
  Option& rare() { return facts_.is_rare = true, *this; }
  Option& required() { return facts_.is_required = true, *this; }
  Option& unstamped() { return facts_.is_stamped = false, *this; }
  Option& whole_words() { return facts_.splits_commas = false, *this; }
  Option& value(std::string name) { return facts_.value_name = std::move(name), *this; }
  Option& range(double lowest, double highest = std::numeric_limits<double>::infinity()) {
    facts_.lowest = lowest;
    facts_.highest = highest;
    return *this;
  }
  Option& above(double lowest) {
    facts_.excludes_lowest = true;
    return range(lowest);
  }

  const OptionFacts& facts() const { return facts_; }
  Values read(const void* owner) const { return read_(owner); }
  // False where the values do not fit the member's type.
  bool write(void* owner, const Values& values) const { return write_(owner, values); }

 private:
  OptionFacts facts_;
  std::function<Values(const void*)> read_;
  std::function<bool(void*, const Values&)> write_;
};

// A member that holds one value.
template <typename S, typename T>
Option option(T S::*member, const std::string& name, const std::string& help) {
  return {{.name = name, .kind = TextForm<T>::kKind, .help = help},
          [member](const void* owner) {
            std::string text = TextForm<T>::write(static_cast<const S*>(owner)->*member);
            return text.empty() ? Option::Values{} : Option::Values{std::move(text)};
          },
          [member](void* owner, const Option::Values& values) {
            return TextForm<T>::read(values.back(), static_cast<S*>(owner)->*member);
          }};
}

// A list. 'a,b' is two texts, but one path: names of files may hold commas.
template <typename S, typename T>
Option option(std::vector<T> S::*member, const std::string& name, const std::string& help) {
  return {{.name = name,
           .kind = OptionKind::kList,
           .help = help,
           .splits_commas = !std::same_as<T, std::filesystem::path>},
          [member](const void* owner) {
            Option::Values values;
            for (const T& one : static_cast<const S*>(owner)->*member)
              values.push_back(TextForm<T>::write(one));
            return values;
          },
          [member](void* owner, const Option::Values& values) {
            std::vector<T>& list = static_cast<S*>(owner)->*member;
            list.clear();
            bool fits = true;
            for (const std::string& value : values)
              fits = TextForm<T>::read(value, list.emplace_back()) && fits;
            return fits;
          }};
}

// The words of an enumeration; they become the choices.
template <typename E>
using Words = std::vector<std::pair<std::string, E>>;

template <typename E>
std::vector<std::string> words_of(const Words<E>& words) {
  std::vector<std::string> all;
  for (const auto& [word, value] : words) all.push_back(word);
  return all;
}

template <typename S, typename E>
Option option(E S::*member,
              const std::string& name,
              const std::string& help,
              const Words<std::type_identity_t<E>>& words) {
  std::vector<std::string> all = words_of(words);
  return Option(
      {.name = name, .help = help, .choices = std::move(all)},
      [member, words](const void* owner) {
        for (const auto& [word, value] : words) {
          if (value == static_cast<const S*>(owner)->*member) return Option::Values{word};
        }
        return Option::Values{};
      },
      [member, words](void* owner, const Option::Values& values) {
        for (const auto& [word, value] : words) {
          if (word == values.back()) static_cast<S*>(owner)->*member = value;
        }
        return true;  // the choices were checked before
      });
}

// The options of a struct that is a member of another.
template <typename S, typename Inner>
std::vector<Option> nested(Inner S::*member, const std::vector<Option>& inner) {
  std::vector<Option> outer;
  outer.reserve(inner.size());
  for (const Option& one : inner) {
    outer.emplace_back(
        one.facts(),
        [one, member](const void* owner) {
          return one.read(&(static_cast<const S*>(owner)->*member));
        },
        [one, member](void* owner, const Option::Values& values) {
          return one.write(&(static_cast<S*>(owner)->*member), values);
        });
  }
  return outer;
}

// The options of a base of the struct.
template <typename S, typename Base>
std::vector<Option> inherited(const std::vector<Option>& options) {
  std::vector<Option> derived;
  derived.reserve(options.size());
  for (const Option& one : options) {
    derived.emplace_back(
        one.facts(),
        [one](const void* owner) {
          return one.read(static_cast<const Base*>(static_cast<const S*>(owner)));
        },
        [one](void* owner, const Option::Values& values) {
          return one.write(static_cast<Base*>(static_cast<S*>(owner)), values);
        });
  }
  return derived;
}

// Several lists of options as one.
inline std::vector<Option> joined(std::initializer_list<std::vector<Option>> lists) {
  std::vector<Option> all;
  for (const std::vector<Option>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace snellen::config
