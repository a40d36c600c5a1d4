// SPDX-License-Identifier: Apache-2.0
// How help and refused command lines are told.
#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/cli/setting_flags.h"
#include "snellen/base/nearest.h"

namespace snellen::cli {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kIndent = 24;

// `text` in lines that end before kWidth, the first of them at column `column`.
std::string wrapped(const std::string& text, size_t column, size_t indent) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string entry(std::string left, const std::string& right) {
  left = "  " + left;
  if (right.empty()) return left + "\n";
  if (left.size() + 2 > kIndent)
    return left + "\n" + std::string(kIndent, ' ') + wrapped(right, kIndent, kIndent) + "\n";
  left.resize(kIndent, ' ');
  return left + wrapped(right, kIndent, kIndent) + "\n";
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    if (is_positional) return entry(option->get_name(true, false), option->get_description());
    if (option->get_positional()) return {};
    // The long spellings of the reference scripts follow the help.
    std::string names, others;
    for (const std::string& name : option->get_snames()) names += "-" + name + ", ";
    for (const std::string& name : option->get_lnames()) {
      if (name == option->get_lnames().front()) {
        names += "--" + name;
      } else {
        others += (others.empty() ? " (also --" : ", --") + name;
      }
    }
    if (option->get_type_size() != 0 && !option->get_type_name().empty())
      names += " " + option->get_type_name();
    return entry(names, option->get_description() + others + (others.empty() ? "" : ")"));
  }
  std::string make_group(std::string group,
                         bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    std::string out = "\n" + group + ":\n";
    for (const CLI::Option* option : options) out += make_option(option, is_positional);
    return out;
  }
  std::string make_help(const CLI::App* app,
                        std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string out = CLI::Formatter::make_help(app, std::move(name), mode);
    for (size_t at; (at = out.find("\n\n\n")) != std::string::npos;) out.erase(at, 1);
    return out;
  }
  // Sentences are wrapped anew, up to a line that ends with one; commands, which are indented,
  // stay as they are.
  std::string make_footer(const CLI::App* app) const override {
    std::string out, sentences;
    const auto wrap = [&] {
      if (!sentences.empty()) out += wrapped(std::exchange(sentences, {}), 0, 0) + "\n";
    };
    std::istringstream lines(app->get_footer());
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line.starts_with(' ')) {
        wrap();
        out += line + "\n";
        continue;
      }
      sentences += (sentences.empty() ? "" : " ") + line;
      if (line.ends_with('.') || line.ends_with(':')) wrap();
    }
    wrap();
    return out;
  }
  std::string make_subcommand(const CLI::App* verb) const override {
    return entry(verb->get_name(), verb->get_description());
  }
  std::string make_description(const CLI::App* app) const override {
    return wrapped(app->get_description(), 0, 0) + "\n";
  }
};

// The innermost verb that was named.
const CLI::App* named_verb(const CLI::App& program) {
  const CLI::App* verb = &program;
  while (!verb->get_subcommands().empty()) verb = verb->get_subcommands().front();
  return verb;
}

std::vector<std::string> flags_of(const CLI::App* verb) {
  std::vector<std::string> known;
  for (; verb != nullptr; verb = verb->get_parent()) {
    for (const CLI::Option* option : verb->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  }
  return known;
}

// '-model' was read as '-m odel': the flag that was meant, if there is such a word.
std::optional<std::string> flag_with_one_dash(const CLI::App* verb) {
  const std::vector<std::string> known = flags_of(verb);
  for (const CLI::Option* option : verb->get_options()) {
    for (const std::string& letter : option->get_snames()) {
      for (const std::string& rest : option->results()) {
        const std::string meant = "--" + letter + rest;
        if (std::find(known.begin(), known.end(), meant) != known.end()) return meant;
      }
    }
  }
  return std::nullopt;
}

// '--output-dir' for --output, '--image-dir' for --images: nothing where no such flag is known.
std::string flag_before_ending(const std::string& word, const std::vector<std::string>& known) {
  for (const std::string_view ending : {"-dir", "-folder", "-path", "-file", "-root"}) {
    if (!word.ends_with(ending)) continue;
    const std::string stem = word.substr(0, word.size() - ending.size());
    for (const std::string& name : {stem, stem + "s"}) {
      if (std::find(known.begin(), known.end(), name) != known.end()) return name;
    }
  }
  return {};
}

// What to do about a word that stands where no word is taken.
std::string advice_on_argument(const CLI::App* verb,
                               const std::string& word,
                               const std::string& path) {
  const std::vector<std::string> known = flags_of(verb);
  for (const char* flag : {"--model", "--input", "--tasks", "--data"}) {
    if (std::find(known.begin(), known.end(), flag) != known.end())
      return fmt::format("a value stands behind its flag, for example {} {} {}; see {} --help",
                         path,
                         flag,
                         word,
                         path);
  }
  return fmt::format("see {} --help", path);
}

// Flags without a verb before them.
std::optional<std::string> verb_of_flag(const CLI::App& program, const std::string& flag) {
  for (const char* name : {"run", "score", "train"}) {
    for (const CLI::App* verb : program.get_subcommands({})) {
      if (verb->get_name() != name) continue;
      const std::vector<std::string> known = flags_of(verb);
      if (std::find(known.begin(), known.end(), flag) != known.end()) return name;
    }
  }
  return std::nullopt;
}

// CLI11's words, but for a flag at the end of the line: "--tasks: 1 required A,B missing".
std::string in_plain_words(const CLI::ParseError& error) {
  const std::string what = error.what();
  const bool lacks_value =
      error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch) &&
      what.ends_with(" missing");
  return lacks_value ? what.substr(0, what.find(':')) + ": its value is missing" : what;
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() {
  return std::make_shared<HelpFormatter>();
}

std::string explain(const CLI::App& program, const CLI::ParseError& error, std::string& hint) {
  const CLI::App* verb = named_verb(program);
  std::string path;
  for (const CLI::App* one = verb; one != nullptr; one = one->get_parent())
    path.insert(0, fmt::format("{}{}", one->get_name(), path.empty() ? "" : " "));
  hint = fmt::format("see {} --help", path);
  const std::vector<std::string> rest = program.remaining(/*recurse=*/true);
  if (rest.empty()) {
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError) &&
        !verb->get_subcommands({}).empty())
      return "name what to do";
    return in_plain_words(error);
  }
  if (std::optional<std::string> meant = flag_with_one_dash(verb)) {
    hint = fmt::format("did you mean '{}'? {}", *meant, hint);
    return fmt::format("unknown flag '{}'", meant->substr(1));
  }
  const std::string word = rest.front().substr(0, rest.front().find('='));
  std::vector<std::string> known;
  const bool is_flag = word.starts_with("-");
  if (is_flag) {
    known = flags_of(verb);
  } else {
    for (const CLI::App* one : verb->get_subcommands({})) known.push_back(one->get_name());
  }
  if (is_flag && verb == &program) {
    if (const std::optional<std::string> name = verb_of_flag(program, word)) {
      hint = fmt::format(
          "put one first, for example: snellen {} {} ...; see {}", *name, word, hint.substr(4));
      return fmt::format("no verb named before '{}'", word);
    }
  }
  std::vector<std::string> near = nearest_names(word, known);
  if (const std::string stem = is_flag ? flag_before_ending(word, known) : ""; !stem.empty())
    near.insert(near.begin(), stem);
  if (!near.empty()) {
    hint = fmt::format("did you mean '{}'? {}", near.front(), hint);
  } else if (!is_flag && known.empty()) {
    hint = advice_on_argument(verb, word, path);
  } else if (!is_flag && verb == &program) {
    hint = "`snellen run` scores a model, `snellen score` takes scores you have; " + hint;
  } else if (!is_flag) {
    hint = fmt::format("{}; {}", suggest(word, known), hint);
  }
  if (is_flag) return fmt::format("unknown flag '{}'", word);
  return known.empty() ? fmt::format("unexpected argument '{}'", word)
                       : fmt::format("unknown {} '{}'", verb == &program ? "verb" : "word", word);
}

}  // namespace snellen::cli
