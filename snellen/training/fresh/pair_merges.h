// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace snellen::training {

// A word as the symbols it is written with, and how often it occurs.
using CountedWords = std::map<std::vector<std::string>, uint64_t>;

// Byte-pair encoding learnt from words (Sennrich et al. 2016): the most frequent pair of neighbours
// becomes one symbol, again and again, until every word is one symbol or `max_merges` are made. Of
// pairs that are equally frequent the first in byte order is taken.
std::vector<std::pair<std::string, std::string>> learn_merges(CountedWords words,
                                                              size_t max_merges);

}  // namespace snellen::training
