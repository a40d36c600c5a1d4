// SPDX-License-Identifier: Apache-2.0
// Sample logs of lmms-eval (--log_samples): one JSON object per line with `doc_id`, `input`,
// `target`, `filtered_resps` and the metrics under names of their own.
#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "apps/cli/import/import.h"
#include "apps/cli/import/imported.h"
#include "snellen/formats/json.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kLongestLine = size_t{64} << 20;
constexpr size_t kMostLines = 20'000'000;
// What a line holds beside metrics.
constexpr std::array kOwnKeys = {"doc_id",
                                 "doc",
                                 "input",
                                 "target",
                                 "arguments",
                                 "resps",
                                 "filtered_resps",
                                 "doc_hash",
                                 "prompt_hash",
                                 "target_hash",
                                 "filter",
                                 "metrics",
                                 "token_counts"};

std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "" : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

LoggedSample sample_of(const json& line, const std::string& where) {
  LoggedSample sample;
  const auto id = line.find("doc_id");
  if (id == line.end())
    throw Error{ErrorCode::kInvalidInput,
                "has no 'doc_id'",
                where,
                "give a file that lmms-eval wrote with --log_samples"};
  sample.item = text_of(*id);
  if (line.contains("input")) sample.input = text_of(line["input"]);
  if (line.contains("target")) sample.texts.push_back(text_of(line["target"]));
  if (const auto answers = line.find("filtered_resps"); answers != line.end()) {
    if (answers->is_array()) {
      for (const json& answer : *answers) sample.answers.push_back(text_of(answer));
    } else {
      sample.answers.push_back(text_of(*answers));
    }
  }
  for (const auto& [key, value] : line.items()) {
    if (std::find(kOwnKeys.begin(), kOwnKeys.end(), key) == kOwnKeys.end())
      add_logged_values(key, value, sample);
  }
  return sample;
}

// samples_mme.jsonl, or 20260101_120000_samples_mme.jsonl: mme.
std::string task_of(const fs::path& log) {
  std::string stem = log.stem().string();
  const size_t at = stem.rfind("samples_");
  return at == std::string::npos ? stem : stem.substr(at + 8);
}

int import_lmms_eval(const Context& context, ImportFlags flags) {
  const fs::path log = flags.log;
  if (flags.task.empty()) flags.task = task_of(log);
  // lmms-eval writes into a folder that is named after the model.
  if (flags.name.empty()) flags.name = fs::absolute(log).parent_path().filename().string();
  return write_imported(context,
                        flags,
                        "lmms-eval",
                        read_lmms_log(flags.log),
                        {"the log names no pictures: they cannot be shown",
                         "the log has no scores of texts: there are no margins"});
}

}  // namespace

std::vector<LoggedSample> read_lmms_log(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error{ErrorCode::kNotFound, "cannot be opened", path, "name a .jsonl file"};
  std::vector<LoggedSample> logged;
  std::string line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    const std::string where = fmt::format("{}: line {}", path, number);
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line.size() > kLongestLine || number > kMostLines)
      throw Error{ErrorCode::kInvalidInput, "is longer than is read", where, "split the file"};
    logged.push_back(sample_of(formats::parse_json_object(line, where), where));
  }
  if (file.bad()) throw Error{ErrorCode::kIo, "cannot be read to its end", path};
  if (logged.empty())
    throw Error{ErrorCode::kInvalidInput, "holds no sample", path, "name a sample log"};
  return logged;
}

std::function<int()> add_import_lmms_eval(Command import, Context& context) {
  Command verb = import.add_subcommand("lmms-eval", "sample logs of lmms-eval (JSON lines)");
  verb.footer(
      "Lines of the same doc_id are repeats of one item.\n"
      "Example:\n"
      "  snellen import lmms-eval logs/llava/samples_mme.jsonl --metric score --output runs");
  return verb_with(
      verb,
      ImportFlags{},
      import_options("the .jsonl file that --log_samples wrote"),
      [&context](const ImportFlags& flags) { return import_lmms_eval(context, flags); });
}

}  // namespace snellen::cli
