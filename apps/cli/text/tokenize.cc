// SPDX-License-Identifier: Apache-2.0
// Text in, token ids and pieces out, by the tokenizer of a model folder. Lines are encoded one by
// one; memory does not grow with the input.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/print.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/json_object.h"
#include "snellen/base/nearest.h"
#include "snellen/text/utf8.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using text::TokenId;

constexpr size_t kMostLineBytes = size_t{64} << 20;
constexpr size_t kListed = 20;  // truncated lines that are named one by one

struct TokenizeFlags {
  std::string model;
  std::string input = "-";
  std::optional<std::string> text;
  std::string family;
  size_t max_length = 0;
  bool pads = false;
  bool is_bare = false;
};

struct Truncated {
  size_t line;
  size_t num_dropped;
};

class TokenPrinter {
 public:
  TokenPrinter(const text::Tokenizer& tokenizer, const TokenizeFlags& flags, bool wants_json)
      : tokenizer_(tokenizer), flags_(flags), wants_json_(wants_json) {}

  void take(std::string_view line) {
    ++num_lines_;
    std::vector<TokenId> ids;
    size_t dropped = tokenizer_.encode_into(
        line,
        {.max_length = flags_.max_length, .adds_special_tokens = !flags_.is_bare},
        scratch_,
        ids);
    if (dropped > 0) truncated_.push_back({num_lines_, dropped});
    size_t count = ids.size();
    if (flags_.pads && ids.size() < flags_.max_length)
      ids.resize(flags_.max_length, tokenizer_.facts().pad_id.value_or(0));
    print(wants_json_ ? json_of(ids, count, dropped) : text_of(ids));
  }

  // What was cut off, for people; --json says it on every line.
  void report() const {
    if (truncated_.empty() || wants_json_) return;
    print_note(
        "{} of {} lines truncated to {} tokens:", truncated_.size(), num_lines_, flags_.max_length);
    for (size_t i = 0; i < std::min(kListed, truncated_.size()); ++i)
      print_note(" {} (-{})", truncated_[i].line, truncated_[i].num_dropped);
    print_note("{}\n", truncated_.size() > kListed ? " ..." : "");
  }

 private:
  // A piece of a damaged vocabulary may be any bytes; what is printed is UTF-8.
  std::string shown(TokenId id) const {
    std::string storage;
    return std::string(text::replace_ill_formed(tokenizer_.piece(id), storage));
  }

  std::string text_of(const std::vector<TokenId>& ids) const {
    std::string pieces;
    for (TokenId id : ids) pieces += (pieces.empty() ? "" : " ") + shown(id);
    return fmt::format("{}\t{}\n", fmt::join(ids, " "), pieces);
  }

  std::string json_of(const std::vector<TokenId>& ids, size_t count, size_t dropped) const {
    std::vector<std::string> pieces;
    for (TokenId id : ids) pieces.push_back(shown(id));
    return json_object(
               {{"ids", ids}, {"pieces", pieces}, {"tokens", count}, {"truncated", dropped}})
               .text +
           "\n";
  }

  void print(const std::string& line) const {
    if (std::fwrite(line.data(), 1, line.size(), stdout) == line.size()) return;
    throw Error{
        ErrorCode::kIo, fmt::format("cannot be written: {}", std::strerror(errno)), "stdout"};
  }

  const text::Tokenizer& tokenizer_;
  const TokenizeFlags& flags_;
  bool wants_json_;
  text::TokenizerScratch scratch_;
  size_t num_lines_ = 0;
  std::vector<Truncated> truncated_;
};

void for_each_line(std::istream& in, const std::string& name, TokenPrinter& printer) {
  for (std::string line; std::getline(in, line);) {
    if (line.size() > kMostLineBytes) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("a line has more than {} bytes", kMostLineBytes),
                  name,
                  "give one text per line"};
    }
    if (line.ends_with('\r')) line.pop_back();
    printer.take(line);
  }
  if (in.bad()) throw Error{ErrorCode::kIo, "cannot be read", name};
}

void read_lines(const std::string& input, TokenPrinter& printer) {
  if (input == "-") return for_each_line(std::cin, "stdin", printer);
  if (fs::is_directory(input))
    throw Error{ErrorCode::kInvalidInput, "is a folder, not a file of texts", input};
  std::ifstream file(input, std::ios::binary);
  if (!file) {
    throw Error{ErrorCode::kNotFound,
                fmt::format("cannot be opened: {}", std::strerror(errno)),
                input,
                "check the path, or pass - for stdin"};
  }
  for_each_line(file, input, printer);
}

std::optional<text::TokenizerFamily> family_named(const std::string& name) {
  if (name.empty()) return {};
  if (auto family = text::tokenizer_family_of(name)) return family;
  std::vector<std::string> known;
  for (std::string_view one : text::tokenizer_family_names()) known.emplace_back(one);
  throw Error{ErrorCode::kUsage,
              fmt::format("unknown family '{}'", name),
              "--family",
              suggest(name, known)};
}

}  // namespace

std::function<int()> add_tokenize(Command app, Context& context) {
  using config::option;
  using S = TokenizeFlags;
  Command verb =
      app.add_subcommand("tokenize", "token ids and pieces of each line, by a model's tokenizer");
  verb.footer(
      "Prints the ids, a tab and the pieces, one line for each line read. --json prints one "
      "object\n"
      "per line. Truncated lines are counted and listed on stderr.\n"
      "Examples:\n"
      "  snellen tokenize --model clip-vit-base-patch32 captions.txt\n"
      "  echo 'a dog on a couch' | snellen tokenize --model DIR --max-length 77 --json");
  return verb_with(
      verb,
      S{},
      {option(&S::input, "input", "file with one text per line; -: stdin").positional(),
       option(&S::model, "model", "folder with the tokenizer's files").value("DIR").required(),
       option(&S::text, "text", "encode this text instead of a file"),
       option(&S::family,
              "family",
              fmt::format("family of the tokenizer (default: from the folder): {}",
                          fmt::join(text::tokenizer_family_names(), " "))),
       option(
           &S::max_length, "max-length", "most tokens per line, with special tokens; 0: no limit"),
       option(&S::pads, "pad", "pad every line to --max-length"),
       option(&S::is_bare, "no-special-tokens", "leave out the special tokens")},
      [&context](const S& flags) {
        if (flags.pads && flags.max_length == 0)
          throw Error{ErrorCode::kUsage, "needs a length", "--pad", "pass --max-length N too"};
        std::unique_ptr<const text::Tokenizer> tokenizer =
            open_tokenizer(context, flags.model, family_named(flags.family));
        TokenPrinter printer(*tokenizer, flags, context.wants_json);
        if (flags.text) {
          printer.take(*flags.text);
        } else {
          read_lines(flags.input, printer);
        }
        if (std::fflush(stdout) != 0)
          throw Error{
              ErrorCode::kIo, fmt::format("cannot be written: {}", std::strerror(errno)), "stdout"};
        printer.report();
        return 0;
      });
}

}  // namespace snellen::cli
