// SPDX-License-Identifier: Apache-2.0
// The native side of tools/parity/tokenizers.py and tools/bench/tokens.py.
//   tokens_parity check FOLDER FAMILY   lines "HEX ID ID ..." on stdin: the bytes of a text and its
//                                       ids; FAMILY may be "auto"; exit 1 if one differs
//   tokens_parity time FOLDER FAMILY REPEATS   one text per line on stdin; prints a line per
//   repeat:
//                                       tokens per second of one thread, and of two
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/text/tokenizers/load_tokenizer.h"

namespace {

using snellen::text::TokenId;
using snellen::text::Tokenizer;

std::unique_ptr<const Tokenizer> open(const std::string& folder, const std::string& family) {
  return snellen::text::load_tokenizer({.folder = folder,
                                        .family = snellen::text::tokenizer_family_of(family),
                                        .clip_vocabulary = {}});
}

std::string bytes_of(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return bytes;
}

int check(const Tokenizer& tokenizer) {
  constexpr size_t kShown = 5;
  size_t num_compared = 0;
  size_t num_different = 0;
  snellen::text::TokenizerScratch scratch;
  for (std::string line; std::getline(std::cin, line);) {
    size_t space = std::min(line.find(' '), line.size());
    std::string text = bytes_of(std::string_view(line).substr(0, space));
    std::istringstream rest(line.substr(space));
    std::vector<TokenId> want;
    for (TokenId id = 0; rest >> id;) want.push_back(id);
    std::vector<TokenId> got;
    tokenizer.encode_into(text, {}, scratch, got);
    ++num_compared;
    if (got == want) continue;
    if (++num_different > kShown) continue;
    size_t at = 0;
    while (at < std::min(got.size(), want.size()) && got[at] == want[at]) ++at;
    auto around = [&](const std::vector<TokenId>& ids) {
      std::string shown;
      for (size_t i = at < 3 ? 0 : at - 3; i < std::min(ids.size(), at + 6); ++i)
        shown += fmt::format(" {}({})", tokenizer.piece(ids[i]), ids[i]);
      return shown;
    };
    fmt::print("differs at token {} of {}: {}\n  got {}\n  want{}\n",
               at,
               want.size(),
               text.size() < 400 ? text : text.substr(0, 400) + "...",
               around(got),
               around(want));
  }
  fmt::print("{} texts compared, {} differ\n", num_compared, num_different);
  return num_different == 0 && num_compared > 0 ? 0 : 1;
}

size_t count_tokens(const Tokenizer& tokenizer, const std::vector<std::string>& texts) {
  snellen::text::TokenizerScratch scratch;
  std::vector<TokenId> ids;
  size_t count = 0;
  for (const std::string& text : texts) {
    ids.clear();
    tokenizer.encode_into(text, {}, scratch, ids);
    count += ids.size();
  }
  return count;
}

// Each thread takes all texts, so that two do twice the work.
double tokens_per_second(const Tokenizer& tokenizer,
                         const std::vector<std::string>& texts,
                         size_t num_threads) {
  std::vector<size_t> counts(num_threads);
  auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < num_threads; ++t)
      threads.emplace_back([&, t] { counts[t] = count_tokens(tokenizer, texts); });
  }
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  size_t total = 0;
  for (size_t count : counts) total += count;
  return static_cast<double>(total) / seconds.count();
}

int time_tokens(const Tokenizer& tokenizer, int repeats) {
  std::vector<std::string> texts;
  for (std::string line; std::getline(std::cin, line);) texts.push_back(line);
  for (int i = 0; i < repeats; ++i) {
    double one = tokens_per_second(tokenizer, texts, 1);
    fmt::print("{} {}\n", one, tokens_per_second(tokenizer, texts, 2));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 3 && arguments[0] == "check")
      return check(*open(arguments[1], arguments[2]));
    if (arguments.size() == 4 && arguments[0] == "time")
      return time_tokens(*open(arguments[1], arguments[2]), std::stoi(arguments[3]));
  } catch (const std::exception& error) {
    fmt::print(stderr, "tokens_parity: {}\n", error.what());
    return 3;
  }
  fmt::print(stderr, "usage: tokens_parity check|time FOLDER FAMILY [REPEATS]\n");
  return 2;
}
