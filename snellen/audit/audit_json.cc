// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "snellen/audit/audit.h"
#include "snellen/store/run_folder.h"

namespace snellen::audit {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const CueRow& row) {
  return {{"group", row.group.kind},
          {"name", row.group.name},
          {"cue", name_of(row.cue)},
          {"value", row.value},
          {"n", row.n},
          {"low", number(row.low)},
          {"high", number(row.high)},
          {"chance", row.chance},
          {"p", number(row.p)},
          {"p_holm", number(row.p_holm)},
          {"alarm", row.is_alarm},
          {"reason", row.reason.empty() ? Json(nullptr) : Json(row.reason)}};
}

Json json_of(const WordOrderRow& row) {
  return {{"group", row.group.kind},
          {"name", row.group.name},
          {"n", row.n},
          {"same_words", row.num_same_words},
          {"share",
           row.n > 0 ? Json(static_cast<double>(row.num_same_words) / static_cast<double>(row.n))
                     : Json(nullptr)},
          {"low", number(row.low)},
          {"high", number(row.high)}};
}

Json json_of(const LeakyItem& item) {
  Json cues = Json::array();
  for (const Cue cue : item.cues) cues.push_back(name_of(cue));
  return {{"id", item.id},
          {"part", item.part},
          {"category", item.category},
          {"cues", cues},
          {"lead", item.lead},
          {"right", item.right},
          {"wrong", item.wrong}};
}

template <typename Rows>
Json list_of(const Rows& rows) {
  Json list = Json::array();
  for (const auto& row : rows) list.push_back(json_of(row));
  return list;
}

}  // namespace

std::string audit_json(const AuditReport& report) {
  const Json json = {{"schema", 1},
                     {"task", report.task},
                     {"model", report.model.empty() ? Json(nullptr) : Json(report.model)},
                     {"items", report.num_items},
                     {"bad_records", report.num_bad},
                     {"questions_left_out", report.num_left_out},
                     {"confidence", report.confidence},
                     {"alarm", report.has_alarm()},
                     {"cues", list_of(report.rows)},
                     {"word_order", list_of(report.word_order)},
                     {"leakiest", list_of(report.items)},
                     {"notes", report.notes}};
  return store::json_text(json, 1) + "\n";
}

}  // namespace snellen::audit
