// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/control/answers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/parse_number.h"
#include "snellen/text/answers/answer_parser_presented.h"

namespace snellen::tasks::control {
namespace {

using annotations::AnswerRow;
using annotations::CloseRow;
using annotations::TableRow;
using metrics::LadderAnswer;

// A level is two columns of the store, and columns are bits of one word.
constexpr size_t kMostLevels = 24;
const std::vector<std::string>& seed_levels() {
  static const std::vector<std::string> names = {"clean", "e2", "e3", "e4", "pure"};
  return names;
}

std::optional<double> number_of(std::string_view text) {
  const std::optional<double> value = parse_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

void check_number(size_t num_levels, const std::string& where) {
  if (num_levels >= 1 && num_levels <= kMostLevels) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("has {} levels, expected 1 to {}", num_levels, kMostLevels),
              where,
              "name the levels to score with --levels clean,e2,e3,e4"};
}

Levels with_sigmas(std::vector<std::string> names) {
  Levels levels{.names = std::move(names), .sigmas = {}};
  for (const std::string& name : levels.names)
    levels.sigmas.push_back(sigma_of_level(name).value_or(0));
  return levels;
}

// What a question's options are: the row's own, those of --questions, or nothing.
struct Asked {
  std::vector<std::string> options;
  std::optional<size_t> unknown;
};

struct Single {
  AnswerRow row;
  LadderAnswer answer;
  std::string where;
};

// Reads single answers; what is wrong with one becomes a slot of its own.
class SingleAnswers {
 public:
  SingleAnswers(const annotations::TableFile& file,
                const std::optional<QuestionFile>& questions,
                const ReadOptions& options)
      : questions_(questions), options_(options) {
    for (size_t number = 0; number < file.size(); ++number) {
      TableRow row = file.row(number);
      Result<Single> single = read(row);
      if (single) {
        singles.push_back(std::move(single).value());
      } else {
        bad.push_back({.id = fmt::format("record {}", number),
                       .ladder = std::nullopt,
                       .error = single.error()});
      }
    }
  }

  std::vector<Single> singles;
  std::vector<LadderSlot> bad;

 private:
  Result<Single> read(TableRow& row) const {
    Result<AnswerRow> answer = annotations::read_answer_row(row);
    if (!answer) return answer.error();
    if (std::optional<Error> failure = recorded_failure(row)) return *failure;
    Single single{.row = std::move(answer).value(), .answer = {}, .where = row.where()};
    std::optional<Asked> asked;
    if (row.has("options") || row.has("ans0")) {
      Result<CloseRow> own = annotations::read_close_row(row);
      if (!own) return own.error();
      asked = Asked{own->options, own->unknown};
    }
    if (questions_) {
      Result<CloseRow> question = questions_->question(single.row.id);
      if (!question) return question.error();
      if (!asked) asked = Asked{question->options, question->unknown};
      if (single.row.image.empty()) single.row.image = question->image;
      if (single.row.category.empty()) single.row.category = question->category;
      if (single.row.condition.empty()) single.row.condition = question->condition;
      if (single.row.subset.empty()) single.row.subset = question->subset;
    }
    Result<LadderAnswer> classified = classify(row, single.row, asked);
    if (!classified) return classified.error();
    single.answer = *classified;
    return single;
  }

  Result<LadderAnswer> classify(TableRow& row,
                                const AnswerRow& answer,
                                const std::optional<Asked>& asked) const {
    bool has_text = answer.raw && !answer.raw->empty();
    if (answer.finish_reason == "content_filter" ||
        (!has_text && answer.status == std::optional<std::string>("refusal")))
      return LadderAnswer{.answer = metrics::AnswerClass::kR};
    bool has_raw = row.has("raw") || answer.raw;
    bool takes_class = answer.answer_class && !(has_raw && (asked || options_.is_rule_asked));
    if (takes_class) return metrics::ladder_answers(std::string(1, *answer.answer_class)).front();
    // The seed's three options, where the file does not say what was offered.
    Asked options = asked.value_or(Asked{{"Yes", "No", "Not enough information"}, 2});
    for (size_t option : answer.presented) {
      if (option < options.options.size()) continue;
      row.fail(fmt::format(
          "'presented' holds {}, there are {} options", option, options.options.size()));
      return row.error();
    }
    text::PresentedAnswer parsed =
        text::parse_presented(options_.rule,
                              answer.raw.value_or(""),
                              {.texts = options.options, .unknown = options.unknown},
                              answer.presented);
    return metrics::ladder_answer(parsed.parsed, options.unknown);
  }

  const std::optional<QuestionFile>& questions_;
  const ReadOptions& options_;
};

// The levels a file holds, by sigma; those without one (pure, gray, none) last, as they come.
Levels levels_in(const std::vector<Single>& singles) {
  struct Found {
    std::string name;
    double sigma;
  };
  std::vector<Found> found;
  for (const Single& single : singles) {
    bool is_known = std::any_of(
        found.begin(), found.end(), [&](const Found& one) { return one.name == single.row.level; });
    if (is_known) continue;
    std::optional<double> sigma =
        single.row.sigma ? single.row.sigma : sigma_of_level(single.row.level);
    if (single.row.level == "clean") sigma = 0;
    found.push_back({single.row.level, sigma.value_or(std::numeric_limits<double>::infinity())});
    if (found.size() > kMostLevels) break;
  }
  std::stable_sort(
      found.begin(), found.end(), [](const Found& a, const Found& b) { return a.sigma < b.sigma; });
  Levels levels;
  for (const Found& one : found) {
    levels.names.push_back(one.name);
    levels.sigmas.push_back(std::isfinite(one.sigma) ? one.sigma : 0);
  }
  return levels;
}

ControlAnswers from_singles(const annotations::TableFile& file,
                            const std::optional<QuestionFile>& questions,
                            const std::optional<Levels>& asked_levels,
                            const ReadOptions& options) {
  SingleAnswers read(file, questions, options);
  ControlAnswers all;
  all.levels = asked_levels ? *asked_levels : levels_in(read.singles);
  if (all.levels.names.empty()) all.levels = with_sigmas({"clean"});
  check_number(all.levels.names.size(), file.path().string());
  std::vector<metrics::LevelAnswer> answers;
  std::set<std::tuple<std::string, size_t, int64_t, int64_t>> seen;
  for (const Single& single : read.singles) {
    const AnswerRow& row = single.row;
    auto level = std::find(all.levels.names.begin(), all.levels.names.end(), row.level);
    if (level == all.levels.names.end()) continue;  // not among --levels
    auto number = static_cast<size_t>(level - all.levels.names.begin());
    if (!seen.emplace(row.id, number, row.replicate, row.order).second) {
      read.bad.push_back(
          {.id = fmt::format(
               "{}{} at {} again", row.id, repeat_suffix(row.replicate, row.order), row.level),
           .ladder = std::nullopt,
           .error =
               Error{ErrorCode::kInvalidInput,
                     fmt::format("item {} was already answered at level {}", row.id, row.level),
                     single.where,
                     "keep one answer per item, level, replicate and order"}});
      continue;
    }
    answers.push_back({.id = row.id,
                       .image = row.image,
                       .category = row.category,
                       .condition = row.condition,
                       .subset = row.subset,
                       .level = number,
                       .replicate = row.replicate,
                       .order = row.order,
                       .answer = single.answer});
  }
  metrics::LadderSet set =
      metrics::build_ladders(answers, all.levels.names.size(), options.stops_early);
  for (size_t i = 0; i < set.items.size(); ++i) {
    metrics::LadderItem& item = set.items[i];
    std::string id = item.id + repeat_suffix(item.replicate, item.order);
    all.slots.push_back({id, Ladder{std::move(item), set.is_asked[i]}, std::nullopt});
  }
  for (const std::string& id : set.incomplete) {
    all.slots.push_back(
        {id,
         std::nullopt,
         Error{ErrorCode::kInvalidInput,
               "is not answered at every level",
               fmt::format("{}: item {}", file.path().string(), id),
               fmt::format("ask {}; or pass --early-stop if it was stopped after the first C",
                           fmt::join(all.levels.names, ", "))}});
  }
  all.slots.insert(all.slots.end(), read.bad.begin(), read.bad.end());
  return all;
}

ControlAnswers from_ladders(const annotations::TableFile& file,
                            const std::optional<Levels>& asked_levels) {
  ControlAnswers all;
  if (asked_levels) all.levels = *asked_levels;
  for (size_t number = 0; number < file.size(); ++number) {
    TableRow row = file.row(number);
    Result<annotations::LadderRow> read = annotations::read_ladder_row(row);
    if (read && all.levels.names.empty()) {
      size_t length = read->answers.size();
      check_number(length, row.where());
      std::vector<std::string> names = seed_levels();
      for (size_t i = names.size(); i < length; ++i) names.push_back(fmt::format("level{}", i));
      names.resize(length);
      all.levels = with_sigmas(std::move(names));
    }
    if (read && read->answers.size() != all.levels.names.size()) {
      row.fail(fmt::format("has {} answers for {} levels ({})",
                           read->answers.size(),
                           all.levels.names.size(),
                           fmt::join(all.levels.names, ", ")));
    }
    if (row.failed()) {
      all.slots.push_back({fmt::format("record {}", number), std::nullopt, row.error()});
      continue;
    }
    metrics::LadderItem item{.id = read->id,
                             .image = read->image,
                             .category = read->category,
                             .condition = read->condition,
                             .subset = read->subset,
                             .answers = metrics::ladder_answers(read->answers)};
    std::vector<bool> is_asked(item.answers.size(), true);
    all.slots.push_back({read->id, Ladder{std::move(item), std::move(is_asked)}, std::nullopt});
  }
  if (all.levels.names.empty()) all.levels = with_sigmas({"clean"});
  return all;
}

}  // namespace

std::optional<double> sigma_of_level(const std::string& name) {
  if (name == "clean") return 0;
  if (name.size() > 1 && name[0] == 'e') {
    if (std::optional<double> power = number_of(name.substr(1))) return std::pow(10, *power);
  }
  if (name.size() > 1 && name[0] == 's') return number_of(name.substr(1));
  if (name.starts_with("gauss:")) return number_of(name.substr(6));
  return std::nullopt;
}

std::optional<Levels> levels_from_flags(std::vector<std::string> names,
                                        const std::vector<std::string>& sigmas) {
  if (names.empty() && sigmas.empty()) return std::nullopt;
  if (names.empty()) {
    // Levels named as `noise` names them: clean, e2 for 100, s250 for 250.
    for (const std::string& sigma : sigmas) {
      std::optional<double> value = number_of(sigma);
      double power = value && *value > 0 ? std::log10(*value) : 0.5;
      names.push_back(value == 0                   ? "clean"
                      : power == std::floor(power) ? fmt::format("e{}", power)
                                                   : fmt::format("s{}", sigma));
    }
  }
  check_number(names.size(), "--levels");
  if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
    throw Error{ErrorCode::kUsage, "names a level twice", "--levels"};
  Levels levels = with_sigmas(names);
  if (sigmas.empty()) return levels;
  if (sigmas.size() != names.size()) {
    throw Error{ErrorCode::kUsage,
                fmt::format("has {} numbers for {} levels", sigmas.size(), names.size()),
                "--sigmas",
                "give one per level, 0 for clean"};
  }
  for (size_t i = 0; i < sigmas.size(); ++i) {
    std::optional<double> value = number_of(sigmas[i]);
    if (!value || *value < 0)
      throw Error{ErrorCode::kUsage,
                  fmt::format("'{}' is no number of at least 0", sigmas[i].substr(0, 40)),
                  "--sigmas"};
    levels.sigmas[i] = *value;
  }
  return levels;
}

ControlAnswers read_control_answers(const annotations::TableFile& file,
                                    const std::optional<QuestionFile>& questions,
                                    const std::optional<Levels>& asked_levels,
                                    const ReadOptions& options) {
  bool has_ladders = file.size() > 0 && file.row(0).has("answers");
  return has_ladders ? from_ladders(file, asked_levels)
                     : from_singles(file, questions, asked_levels, options);
}

}  // namespace snellen::tasks::control
