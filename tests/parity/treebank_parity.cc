// SPDX-License-Identifier: Apache-2.0
// treebank_parity FILE: FILE holds one JSON string a line; prints for each a JSON object with the
// tokens and the joined text of both releases. tools/parity/treebank.py compares them with the
// toolkit itself.
#include <fstream>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "snellen/text/words/treebank_join.h"

namespace {

nlohmann::json both_ways(const std::string& text, snellen::text::Treebank version) {
  std::vector<std::string> tokens = snellen::text::treebank_tokens(text, version);
  return {{"tokens", tokens},
          {"joined",
           snellen::text::treebank_join_text(fmt::format("{}", fmt::join(tokens, " ")), version)}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: treebank_parity FILE\n";
    return 2;
  }
  std::ifstream file(argv[1]);
  std::string line;
  while (std::getline(file, line)) {
    std::string text = nlohmann::json::parse(line);
    nlohmann::json answer = {{"3.4", both_ways(text, snellen::text::Treebank::kNltk34)},
                             {"3.8", both_ways(text, snellen::text::Treebank::kModern)}};
    std::cout << answer.dump() << '\n';
  }
  return 0;
}
