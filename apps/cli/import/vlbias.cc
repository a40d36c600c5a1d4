// SPDX-License-Identifier: Apache-2.0
// VLBiasBench's close-ended questions as JSON lines, one question each (docs/spec/bias.md 1.4).
#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/import/vlbias.h"
#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "snellen/annotations/bias/vlbias.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/store/run_folder.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kFailedItems = 4;
// What a line says under names of its own; all other fields of a record go into "extra".
constexpr std::array<std::string_view, 8> kTaken = {
    "condition", "context", "question", "ans0", "ans1", "ans2", "label", "image_path"};

struct VlbiasFlags {
  std::string root;
  std::string out;
};

Json json_of(const annotations::TableCell& cell) {
  using Kind = annotations::TableCell::Kind;
  switch (cell.kind) {
    case Kind::kNull:
      return nullptr;
    case Kind::kText:
      return cell.text;
    case Kind::kList: {
      Json list = Json::array();
      for (const annotations::TableCell& one : cell.list) list.push_back(json_of(one));
      return list;
    }
    case Kind::kNumber:
    case Kind::kFlag:
    case Kind::kOther:
      break;
  }
  Json value = formats::parse_ordered_json(cell.text);
  return value.is_discarded() ? Json(cell.text) : value;
}

Json line_of(const annotations::CloseRow& question, const annotations::TableRow& row) {
  Json line = {{"id", question.id},
               {"image", question.image},
               {"context", question.context},
               {"question", question.question},
               {"options", question.options},
               {"unknown_index", question.unknown ? Json(*question.unknown) : Json(nullptr)},
               {"label", question.label ? Json(*question.label) : Json(nullptr)},
               {"category", question.category},
               {"condition", question.condition},
               {"subset", question.subset}};
  Json extra = Json::object();
  for (const auto& [name, cell] : row.fields()) {
    if (std::find(kTaken.begin(), kTaken.end(), name) == kTaken.end()) extra[name] = json_of(cell);
  }
  if (!extra.empty()) line["extra"] = std::move(extra);
  return line;
}

int import_vlbias(const Context& context, const VlbiasFlags& flags) {
  const auto questions = annotations::CloseQuestions::of_vlbias(flags.root);
  AtomicFile out{fs::path(flags.out)};
  uint64_t num_written = 0;
  uint64_t num_bad = 0;
  for (size_t number = 0; number < questions.size(); ++number) {
    const Result<annotations::CloseRow> question = questions.question(number);
    if (!question) {
      if (num_bad++ < 10) print_note("snellen: {}\n", question.error().what());
      continue;
    }
    out.write(line_of(*question, questions.row(number))
                  .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
              "\n");
    ++num_written;
  }
  out.commit();
  if (context.wants_json) {
    fmt::print("{}\n",
               store::json_text({{"out", flags.out},
                                 {"questions", num_written},
                                 {"bad_records", num_bad},
                                 {"images", questions.images().string()}}));
  } else {
    fmt::print("{} questions written to {}{}; their pictures lie in {}\n",
               num_written,
               flags.out,
               num_bad > 0 ? fmt::format(", {} bad records left out", num_bad) : "",
               questions.images().string());
  }
  return num_bad > 0 ? kFailedItems : 0;
}

}  // namespace

std::function<int()> add_import_vlbias(Command import, Context& context) {
  using config::option;
  using S = VlbiasFlags;
  Command verb =
      import.add_subcommand("vlbias", "VLBiasBench's close-ended questions as JSON lines");
  verb.footer(
      "Lines are what `run --tasks control --questions FILE --images DIR` reads. Ids are the "
      "numbers\n"
      "of the published loader; what a record says beyond them is kept under \"extra\".\n"
      "Example:\n  snellen import vlbias VLBiasBench --out questions.jsonl");
  return verb_with(
      verb,
      S{},
      {option(&S::root, "root", "the folder that holds close-ended/json").positional().required(),
       option(&S::out, "out", "file to write").alias("output").value("FILE").required()},
      [&context](const S& flags) { return import_vlbias(context, flags); });
}

}  // namespace snellen::cli
