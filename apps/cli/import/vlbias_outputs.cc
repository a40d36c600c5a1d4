// SPDX-License-Identifier: Apache-2.0
// What VLBiasBench's own runner leaves behind: answers of several models side by side, their newest
// runs as one archive, and result.json from the log of a run that did not end.
#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/import/vlbias.h"
#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "snellen/annotations/bias/vlbias_runs.h"
#include "snellen/annotations/table_file.h"
#include "snellen/base/files.h"
#include "snellen/base/python_json.h"
#include "snellen/formats/archive_writer.h"
#include "snellen/store/run_folder.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using annotations::ResultRow;
using annotations::VlbiasRun;

constexpr int kFailedItems = 4;

// Answers of models may hold anything: nothing of it moves the terminal.
std::string printable(std::string text) {
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) c = '?';
  }
  return text;
}

struct RunsFlags {
  std::string outputs;
  std::string dataset;
  std::string after;
};

std::vector<config::Option> runs_options() {
  using config::option;
  using S = RunsFlags;
  return {option(&S::outputs, "outputs", "the runner's folder outputs").positional().required(),
          option(&S::dataset, "dataset", "name of the data set, as run folders begin").required(),
          option(&S::after,
                 "time",
                 "take the first run after this time, as 20240131-120000 (default: the latest)")};
}

std::vector<VlbiasRun> runs_of(const RunsFlags& flags) {
  std::vector<VlbiasRun> runs = annotations::vlbias_runs(flags.outputs, flags.dataset, flags.after);
  if (runs.empty())
    throw Error{ErrorCode::kNotFound,
                fmt::format("holds no run of '{}'", flags.dataset),
                flags.outputs,
                "run folders are called DATASET_YYYYMMDD-HHMMSS, in a folder per model"};
  return runs;
}

// The row of a result.json with this id; nothing where it has none.
std::optional<ResultRow> row_of(const fs::path& file, const std::string& id) {
  const annotations::TableFile table(file);
  for (size_t number = 0; number < table.size(); ++number) {
    annotations::TableRow row = table.row(number);
    Result<ResultRow> read = annotations::read_result_row(row);
    if (read && read->id == id) return std::move(read).value();
  }
  return std::nullopt;
}

struct CollectFlags : RunsFlags {
  std::string id;
};

int collect(const Context& context, const CollectFlags& flags) {
  Json all = Json::array();
  bool is_any_missing = false;
  for (const VlbiasRun& run : runs_of(flags)) {
    const fs::path file = run.folder / "result.json";
    std::error_code ignored;
    const std::optional<ResultRow> row =
        fs::is_regular_file(file, ignored) ? row_of(file, flags.id) : std::nullopt;
    is_any_missing = is_any_missing || !row;
    all.push_back({{"model", run.model},
                   {"time", run.time},
                   {"instruction", row ? Json(row->instruction) : Json(nullptr)},
                   {"images", row ? Json(row->in_images) : Json(nullptr)},
                   {"answer", row ? Json(row->answer) : Json(nullptr)}});
  }
  if (context.wants_json) {
    fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return is_any_missing ? kFailedItems : 0;
  }
  bool is_first = true;
  for (const Json& one : all) {
    if (is_first && one["instruction"].is_string()) {
      fmt::print("{}: {}\n", flags.id, printable(one["instruction"].get<std::string>()));
      is_first = false;
    }
  }
  for (const Json& one : all)
    fmt::print("\n[{} {}]\n{}\n",
               one["model"].get<std::string>(),
               one["time"].get<std::string>(),
               one["answer"].is_string() ? printable(one["answer"].get<std::string>())
                                         : "(no answer to this id)");
  return is_any_missing ? kFailedItems : 0;
}

struct PackFlags : RunsFlags {
  std::string out;
};

int pack(const Context& context, const PackFlags& flags) {
  const fs::path out = flags.out.empty() ? fs::path(flags.dataset + ".zip") : fs::path(flags.out);
  const std::string ending = out.extension().string();
  if (ending != ".zip" && ending != ".tar")
    throw Error{ErrorCode::kUsage,
                fmt::format("'{}' is neither a .zip nor a .tar", out.string()),
                "--out",
                "name the archive DATASET.zip or DATASET.tar"};
  formats::ArchiveWriter archive(
      out, ending == ".zip" ? formats::ArchiveKind::kZip : formats::ArchiveKind::kTar);
  uint64_t num_files = 0;
  const std::vector<VlbiasRun> runs = runs_of(flags);
  for (const VlbiasRun& run : runs) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(run.folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      const fs::path name =
          fs::path(run.model) / run.folder.filename() / file.lexically_relative(run.folder);
      archive.add(name.generic_string(), MappedFile(file).bytes());
      ++num_files;
    }
  }
  archive.finish();
  if (context.wants_json) {
    fmt::print(
        "{}\n",
        store::json_text({{"out", out.string()}, {"runs", runs.size()}, {"files", num_files}}));
  } else {
    fmt::print("{} files of {} runs packed into {}\n", num_files, runs.size(), out.string());
  }
  return 0;
}

struct LogFlags {
  std::string log;
  std::string out;
};

// As Python's json.dump(indent=4) writes a row; whole numbers as ids stay numbers.
std::string result_json(const ResultRow& row) {
  const bool is_number = !row.id.empty() && row.id.size() < 16 &&
                         row.id.find_first_not_of("0123456789") == std::string::npos &&
                         (row.id == "0" || row.id.front() != '0');
  std::string images;
  for (const std::string& image : row.in_images)
    images += (images.empty() ? "\n            " : ",\n            ") + python_string(image);
  if (!images.empty()) images += "\n        ";
  return fmt::format(
      "    {{\n        \"id\": {},\n        \"instruction\": {},\n        \"in_images\": [{}],\n   "
      " "
      "    \"answer\": {}\n    }}",
      is_number ? row.id : python_string(row.id),
      python_string(row.instruction),
      images,
      python_string(row.answer));
}

int log_to_json(const Context& context, const LogFlags& flags) {
  const fs::path out =
      flags.out.empty() ? fs::path(flags.log).parent_path() / "result.json" : fs::path(flags.out);
  AtomicFile file(out);
  bool is_first = true;
  file.write("[");
  const annotations::LogReading reading =
      annotations::read_vlbias_log(flags.log, [&](const ResultRow& row) {
        file.write((is_first ? "\n" : ",\n") + result_json(row));
        is_first = false;
      });
  if (reading.num_samples == 0)
    throw Error{ErrorCode::kInvalidInput,
                "holds no sample",
                flags.log,
                "give a log.txt of VLBiasBench's runner"};
  file.write("\n]");
  file.commit();
  if (context.wants_json) {
    fmt::print("{}\n",
               store::json_text({{"out", out.string()},
                                 {"samples", reading.num_samples},
                                 {"cut_off", reading.num_cut}}));
  } else {
    fmt::print("{} samples written to {}\n", reading.num_samples, out.string());
    if (reading.num_cut > 0)
      print_note("snellen: the last sample of the log is cut off and was left out\n");
  }
  return reading.num_cut > 0 ? kFailedItems : 0;
}

}  // namespace

std::function<int()> add_import_collect(Command import, Context& context) {
  using config::option;
  using S = CollectFlags;
  Command verb =
      import.add_subcommand("collect", "answers of several models to one question of VLBiasBench");
  verb.footer(
      "Reads OUTPUTS/MODEL/DATASET_TIME/result.json, of every model its latest run.\n"
      "Example:\n  snellen import collect outputs --dataset close_ended --id 572");
  return verb_with(verb,
                   S{},
                   config::joined({config::inherited<S, RunsFlags>(runs_options()),
                                   {option(&S::id, "id", "the question's id").required()}}),
                   [&context](const S& flags) { return collect(context, flags); });
}

std::function<int()> add_import_pack(Command import, Context& context) {
  using config::option;
  using S = PackFlags;
  Command verb =
      import.add_subcommand("pack", "the newest VLBiasBench run of every model in one archive");
  verb.footer(
      "Example:\n  snellen import pack outputs --dataset close_ended --out close_ended.zip");
  return verb_with(
      verb,
      S{},
      config::joined({config::inherited<S, RunsFlags>(runs_options()),
                      {option(&S::out, "out", "a .zip or .tar to write (default: DATASET.zip)")
                           .alias("output")
                           .value("FILE")}}),
      [&context](const S& flags) { return pack(context, flags); });
}

std::function<int()> add_import_log2json(Command import, Context& context) {
  using config::option;
  using S = LogFlags;
  Command verb = import.add_subcommand("log2json", "result.json from a log.txt of VLBiasBench");
  verb.footer(
      "For runs that were stopped: the runner writes result.json only at its end.\n"
      "Example:\n  snellen import log2json outputs/llava/close_ended_20240131-120000/log.txt");
  return verb_with(verb,
                   S{},
                   {option(&S::log, "log", "the log.txt").positional().required(),
                    option(&S::out, "out", "file to write (default: result.json beside the log)")
                        .alias("output")
                        .value("FILE")},
                   [&context](const S& flags) { return log_to_json(context, flags); });
}

}  // namespace snellen::cli
