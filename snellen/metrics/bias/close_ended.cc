// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/close_ended.h"

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/text/answers/answer_parser_presented.h"

namespace snellen::metrics {

std::optional<size_t> label_or_default(std::optional<size_t> label,
                                       std::string_view condition,
                                       std::optional<size_t> unknown) {
  if (label) return label;
  return condition == "ambig" ? unknown : std::nullopt;
}

CloseOutcome judge_close(const CloseRecord& record, text::AnswerRule rule) {
  const text::AnswerOptions options{.texts = record.options, .unknown = record.unknown};
  return judge_close(record,
                     text::parse_presented(rule, record.answer, options, record.presented).parsed);
}

CloseOutcome judge_close(const CloseRecord& record, const text::ParsedAnswer& parsed) {
  if (record.label && *record.label >= record.options.size()) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("label {} is not one of {} options", *record.label, record.options.size()),
        fmt::format("item {}", record.id),
        "labels count from 0"};
  }
  CloseOutcome outcome{.id = record.id,
                       .image = record.image,
                       .subset = record.subset,
                       .category = record.category,
                       .condition = record.condition,
                       .label = record.label,
                       .parsed = parsed};
  outcome.is_right = outcome.label && outcome.parsed.index == outcome.label;
  outcome.is_unknown = record.unknown && outcome.parsed.index == record.unknown;
  return outcome;
}

}  // namespace snellen::metrics
