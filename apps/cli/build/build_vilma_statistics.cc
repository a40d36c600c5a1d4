// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_output.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/verb.h"
#include "snellen/base/files.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/output_folder.h"
#include "snellen/builders/vilma/word_counts.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;
namespace vilma_building = builders::vilma;

struct StatisticsFlags {
  std::string out;
  std::vector<fs::path> annotations;
  bool is_proficiency = false;
  bool is_compat = false;
};

builders::BuildReport run_statistics(const StatisticsFlags& flags) {
  const vilma_building::WordCounts counts =
      vilma_building::count_words(flags.annotations,
                                  flags.is_proficiency ? vilma_building::CountedWords::kProficiency
                                                       : vilma_building::CountedWords::kMain,
                                  flags.is_compat);
  const FileLock lock = builders::open_output_folder(
      flags.out, "vilma-statistics", {"word-counts.csv", "word-counts.json"});
  const fs::path csv = fs::path(flags.out) / "word-counts.csv";
  const fs::path json = fs::path(flags.out) / "word-counts.json";
  write_text_file(csv, vilma_building::word_counts_csv(counts));
  write_text_file(json, vilma_building::word_counts_json(counts));
  builders::BuildReport report{.counts = {{"statistics", "items", counts.num_items, ""},
                                          {"statistics", "words", counts.words.size(), ""}},
                               .bad_records = counts.bad_records,
                               .files = {csv, json}};
  builders::BuildRecord record{.builder = "vilma-statistics", .options = {}, .sources = {}};
  for (const fs::path& file : flags.annotations)
    record.sources.emplace_back(file.filename().string(), builders::shown_path(file));
  builders::write_record(std::move(record), flags.out, report);
  return report;
}

}  // namespace

std::function<int()> add_build_vilma_statistics(Command build, Context& context) {
  using config::option;
  using S = StatisticsFlags;
  Command verb = build.add_subcommand("vilma-statistics",
                                      "how often each word occurs in captions and in foils");
  verb.footer(
      "Writes DIR/word-counts.csv and DIR/word-counts.json: class, captions, foils.\n"
      "Example:\n  snellen build vilma-statistics -a relations.json --out statistics");
  return verb_with(
      verb,
      S{},
      {option(&S::out, "out", "folder to write to").alias("o", "output").value("DIR").required(),
       option(&S::annotations, "annotations", "ViLMA annotation files")
           .alias("a", "i", "annotation-file")
           .value("FILE")
           .many()
           .required(),
       option(&S::is_proficiency, "proficiency", "count the words of the proficiency pairs"),
       option(&S::is_compat, "compat", "use 'classes_foil' as the file has it")},
      [&context](const S& flags) { return show_build(context, run_statistics(flags), flags.out); });
}

}  // namespace snellen::cli
