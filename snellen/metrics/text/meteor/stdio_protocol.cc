// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/stdio_protocol.h"

#include "snellen/text/meteor/java_text.h"

namespace snellen::metrics::meteor {
namespace {

constexpr std::string_view kSeparator = "|||";
constexpr const char* kNoHypothesis = "Error: specify hypothesis and at least one reference\n";
constexpr const char* kNoStatistics = "Error: specify Meteor stats\n";
constexpr const char* kNoCommand = "Error: specify SCORE or EVAL or SING\n";

// Cut at every separator as String.split cuts: empty pieces at the end are dropped, then pieces are
// trimmed.
void split(std::string_view line, std::vector<std::string_view>& pieces) {
  pieces.clear();
  size_t at = 0;
  for (size_t found; (found = line.find(kSeparator, at)) != std::string_view::npos;
       at = found + kSeparator.size()) {
    pieces.push_back(line.substr(at, found - at));
  }
  pieces.push_back(line.substr(at));
  while (!pieces.empty() && pieces.back().empty()) pieces.pop_back();
  for (std::string_view& piece : pieces) piece = text::meteor::java_trim(piece);
}

// All upper or all lower case, at the very start.
bool asks_for(std::string_view line, std::string_view upper, std::string_view lower) {
  return line.starts_with(upper) || line.starts_with(lower);
}

}  // namespace

void StdioProtocol::answer(std::string_view line, std::string& out) {
  split(line, pieces_);
  if (asks_for(line, "SCORE", "score")) {
    answer_score(out);
  } else if (asks_for(line, "EVAL", "eval")) {
    answer_eval(out);
  } else if (asks_for(line, "SING", "sing")) {
    answer_single(out);
  } else {
    out += kNoCommand;
  }
}

void StdioProtocol::answer_score(std::string& out) {
  if (pieces_.size() < 3) {
    out += kNoHypothesis;
    return;
  }
  std::span<const std::string_view> references(pieces_.data() + 1, pieces_.size() - 2);
  append_statistics(out, meteor_.score(pieces_.back(), references, scratch_).statistics);
  out.push_back('\n');
}

void StdioProtocol::append_score(const Statistics& statistics, std::string& out) const {
  text::meteor::append_java_double(out, score_of(statistics, meteor_.parameters()).score);
  out.push_back('\n');
}

void StdioProtocol::answer_eval(std::string& out) const {
  size_t begin = out.size();
  Statistics sum;
  for (size_t i = 1; i < pieces_.size(); ++i) {
    std::optional<Statistics> statistics = parse_statistics(pieces_[i]);
    if (!statistics) {
      out.resize(begin);
      break;
    }
    append_score(*statistics, out);
    sum.add(*statistics);
  }
  out.size() == begin ? void(out += kNoStatistics) : append_score(sum, out);
}

void StdioProtocol::answer_single(std::string& out) const {
  std::optional<Statistics> statistics;
  if (pieces_.size() == 2) statistics = parse_statistics(pieces_[1]);
  statistics ? append_score(*statistics, out) : void(out += kNoStatistics);
}

}  // namespace snellen::metrics::meteor
