// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/bias/bias_answers.h"

#include <fmt/format.h>

namespace snellen::annotations {
namespace {

constexpr size_t kMaxOptions = 26;

std::string id_of(TableRow& row) {
  if (auto id = row.text_of({"id", "idx", "index"})) return *id;
  return std::to_string(row.entry());
}

std::string image_of(TableRow& row) {
  if (auto image = row.text_of({"image", "image_path"})) return *image;
  for (std::string_view name : {"in_images", "images"}) {
    auto images = row.texts(name);
    if (images && !images->empty()) return images->front();
  }
  return {};
}

std::string text_or_empty(TableRow& row, std::string_view name) {
  return row.text(name).value_or("");
}

std::optional<std::string> answer_of(TableRow& row) {
  return row.text_of({"answer", "raw", "response", "prediction"});
}

std::vector<std::string> options_of(TableRow& row) {
  if (auto options = row.texts("options")) return *options;
  std::vector<std::string> options;
  for (std::string_view name : {"ans0", "ans1", "ans2"}) {
    if (auto option = row.text(name)) options.push_back(*option);
  }
  return options;
}

// An index below `limit`; out of range is the row's error.
std::optional<size_t> index_of(TableRow& row, std::string_view name, size_t limit) {
  std::optional<int64_t> value = row.integer(name);
  if (!value) return std::nullopt;
  if (*value < 0 || static_cast<uint64_t>(*value) >= limit) {
    row.fail(fmt::format("'{}' is {}, expected 0 to {}", name, *value, limit == 0 ? 0 : limit - 1));
    return std::nullopt;
  }
  return static_cast<size_t>(*value);
}

std::vector<size_t> presented_of(TableRow& row) {
  std::vector<size_t> order;
  std::vector<bool> is_seen;
  for (int64_t index : row.integers("presented").value_or(std::vector<int64_t>{})) {
    if (index < 0 || index >= static_cast<int64_t>(kMaxOptions)) {
      row.fail(fmt::format("'presented' holds {}, expected option indices", index));
      return {};
    }
    auto option = static_cast<size_t>(index);
    is_seen.resize(std::max(is_seen.size(), option + 1));
    if (is_seen[option]) {
      row.fail(fmt::format("'presented' holds {} twice", index));
      return {};
    }
    is_seen[option] = true;
    order.push_back(option);
  }
  return order;
}

std::optional<char> class_of(TableRow& row) {
  std::optional<std::string> text = row.text("class");
  if (!text || text->empty()) return std::nullopt;
  if (text->size() != 1 || text->find_first_not_of("ABCRU") != std::string::npos) {
    row.fail(fmt::format("'class' is \"{}\", expected A, B, C, R or U", text->substr(0, 20)));
    return std::nullopt;
  }
  return text->front();
}

template <typename Record>
Result<Record> checked(const TableRow& row, Record record) {
  if (row.failed()) return row.error();
  return record;
}

}  // namespace

Result<CloseRow> read_close_row(TableRow& row) {
  if (row.failed()) return row.error();
  CloseRow record;
  record.id = id_of(row);
  record.image = image_of(row);
  record.subset = text_or_empty(row, "subset");
  record.category = text_or_empty(row, "category");
  record.condition = text_or_empty(row, "condition");
  record.context = text_or_empty(row, "context");
  record.question = text_or_empty(row, "question");
  record.options = options_of(row);
  if (!row.failed() && (record.options.empty() || record.options.size() > kMaxOptions)) {
    row.fail(fmt::format("has {} options, expected 1 to {} in 'options' or ans0, ans1, ans2",
                         record.options.size(),
                         kMaxOptions));
  }
  record.unknown = index_of(row, "unknown_index", record.options.size());
  if (!row.has("unknown_index") && record.options.size() == 3) record.unknown = 2;
  record.label = index_of(row, "label", record.options.size());
  record.presented = presented_of(row);
  for (size_t option : record.presented) {
    if (option >= record.options.size())
      row.fail(
          fmt::format("'presented' holds {}, there are {} options", option, record.options.size()));
  }
  record.answer = answer_of(row);
  return checked(row, std::move(record));
}

Result<OpenRow> read_open_row(TableRow& row) {
  if (row.failed()) return row.error();
  OpenRow record;
  record.id = id_of(row);
  std::optional<std::string> label = row.text("label");
  if (!label) row.fail("'label' is missing: the group the person belongs to");
  record.label = label.value_or("");
  record.image = image_of(row);
  record.instruction = text_or_empty(row, "instruction");
  record.answer = answer_of(row);
  return checked(row, std::move(record));
}

Result<ResultRow> read_result_row(TableRow& row) {
  if (row.failed()) return row.error();
  ResultRow record;
  record.id = id_of(row);
  record.instruction = text_or_empty(row, "instruction");
  record.in_images = row.texts("in_images").value_or(std::vector<std::string>{});
  if (!row.has("answer")) row.fail("'answer' is missing");
  record.answer = text_or_empty(row, "answer");
  return checked(row, std::move(record));
}

Result<AnswerRow> read_answer_row(TableRow& row) {
  if (row.failed()) return row.error();
  AnswerRow record;
  // Here `index` is the option that was chosen, so only `id` names the question.
  std::optional<std::string> id = row.text("id");
  if (!id) row.fail("'id' is missing");
  record.id = id.value_or("");
  record.image = image_of(row);
  record.level = row.text("level").value_or(record.level);
  record.sigma = row.number("sigma");
  record.replicate = row.integer("replicate").value_or(0);
  record.order = row.integer("order").value_or(0);
  record.presented = presented_of(row);
  record.raw = answer_of(row);
  record.status = row.text("status");
  record.index = index_of(row, "index", kMaxOptions);
  record.answer_class = class_of(row);
  record.rule = text_or_empty(row, "rule");
  record.finish_reason = text_or_empty(row, "finish_reason");
  record.error = row.text("error");
  if (record.error && record.error->empty()) record.error.reset();
  record.category = text_or_empty(row, "category");
  record.condition = text_or_empty(row, "condition");
  record.subset = text_or_empty(row, "subset");
  // "raw": null is an empty answer, not a missing one.
  bool has_answer = row.has("raw") || row.has("answer") || record.raw || record.answer_class;
  if (!record.error && !has_answer) row.fail("has neither 'raw' nor 'class'");
  return checked(row, std::move(record));
}

Result<LadderRow> read_ladder_row(TableRow& row) {
  if (row.failed()) return row.error();
  LadderRow record{.id = id_of(row),
                   .image = image_of(row),
                   .category = text_or_empty(row, "category"),
                   .condition = text_or_empty(row, "condition"),
                   .subset = text_or_empty(row, "subset"),
                   .answers = text_or_empty(row, "answers")};
  if (record.answers.empty() || record.answers.find_first_not_of("ABCRU") != std::string::npos) {
    row.fail("'answers' is not a row of the letters A, B, C, R, U, one per level");
  }
  return checked(row, std::move(record));
}

Result<ScoreRow> read_score_row(TableRow& row) {
  if (row.failed()) return row.error();
  ScoreRow record;
  std::optional<std::string> id = row.text("id");
  if (!id) row.fail("'id' is missing");
  record.id = id.value_or("");
  if (!row.has("score")) row.fail("'score' is missing");
  record.score = row.number("score");
  return checked(row, std::move(record));
}

}  // namespace snellen::annotations
