// SPDX-License-Identifier: Apache-2.0
// CIDEr on its own. Document frequencies are counted over all entries given, so the whole input is
// read before the first score.
#include <fmt/format.h>

#include "apps/cli/print.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/text/text_lines.h"
#include "apps/cli/verb.h"
#include "snellen/annotations/visdial/generations.h"
#include "snellen/annotations/visdial/pairing.h"
#include "snellen/annotations/visdial/references.h"
#include "snellen/base/error.h"
#include "snellen/base/json_object.h"
#include "snellen/metrics/text/visdial_metrics.h"

namespace snellen::cli {
namespace {

struct CiderCommand {
  std::string input = "-";
  std::string generations;
  std::string references;
  std::string variant = "plain";
  std::string preprocess;  // empty: none for JSON lines, nltk34 for VisDial files
  int64_t n = 4;
};

// What is scored: entry i is texts(i) against set i.
struct CiderEntries {
  text::StringSets sets;
  std::vector<std::string> names;  // "image_id<tab>round_id"; empty for JSON lines
  size_t count = 0;
  // Read again for each entry: generation files may be larger than the memory.
  std::function<std::vector<std::string>(size_t)> texts;
};

CiderEntries read_lines(const std::string& input) {
  CiderEntries entries;
  auto hypotheses = std::make_shared<std::vector<std::string>>();
  for_each_text_line(input, [&](TextLine&& line) {
    entries.sets.start_set();
    for (const std::string& text : line.references) entries.sets.add(text);
    hypotheses->push_back(std::move(line.hypothesis));
  });
  entries.count = hypotheses->size();
  entries.texts = [hypotheses](size_t i) { return std::vector<std::string>{(*hypotheses)[i]}; };
  return entries;
}

CiderEntries read_visdial(const CiderCommand& command) {
  auto generations = std::make_shared<annotations::Generations>(command.generations);
  annotations::References references = annotations::read_references(command.references);
  annotations::Pairing pairing =
      annotations::pair_by_key(references.keys, generations->entries(), references.path);
  CiderEntries entries;
  for (const annotations::DialogKey& key : references.keys)
    entries.names.push_back(fmt::format("{}\t{}", key.image_id, key.round_id));
  entries.count = references.keys.size();
  entries.texts = [generations, places = std::move(pairing.entries)](size_t i) {
    return generations->texts(places[i]);
  };
  entries.sets = std::move(references.sets);
  return entries;
}

CiderEntries read_entries(const CiderCommand& command) {
  bool has_generations = !command.generations.empty();
  if (has_generations != !command.references.empty())
    throw Error{ErrorCode::kUsage,
                "VisDial's generations and references go together",
                has_generations ? "--references" : "--generations",
                "name both, or give JSON lines with --input"};
  return has_generations ? read_visdial(command) : read_lines(command.input);
}

metrics::CiderOptions options_of(const CiderCommand& command) {
  if (command.n < 1 || command.n > 64)
    throw Error{ErrorCode::kUsage, fmt::format("is {}, expected 1 to 64", command.n), "-n"};
  return {.n = static_cast<size_t>(command.n),
          .variant =
              command.variant == "d" ? metrics::CiderVariant::kD : metrics::CiderVariant::kPlain};
}

// A line of text: the entry's name, then cider_1 .. cider_n; an entry without a word has none.
void print_entry(const CiderEntries& entries,
                 size_t i,
                 const metrics::VisdialEntry& entry,
                 bool wants_json) {
  const std::string name = entries.names.empty() ? "" : entries.names[i] + "\t";
  if (wants_json) {
    JsonObject json;
    if (const size_t tab = name.find('\t'); tab != std::string::npos)
      json.add({{"image_id", JsonText{name.substr(0, tab)}},
                {"round_id", JsonText{name.substr(tab + 1, name.size() - tab - 2)}}});
    return print_json(json.add({{"cider", entry.values}}));
  }
  std::string line = name;
  for (size_t n = 0; n < entry.values.size(); ++n)
    line += (n > 0 ? "\t" : "") + python_float(entry.values[n]);
  fmt::print("{}\n", line);
}

// For people, also beside JSON, whose lines are entries one and all.
void print_summary(const metrics::VisdialSummary& summary) {
  std::string means;
  for (const metrics::ColumnSummary& column : summary.columns)
    means += fmt::format(" {} {:.4f}", column.name, column.mean);
  print_note("mean of {} entries ({} without a word left out):{}\n",
             summary.num_pairs - summary.num_skipped,
             summary.num_skipped,
             means);
}

int run_cider(const CiderCommand& command, bool wants_json) {
  metrics::CiderOptions options = options_of(command);
  std::string preprocess = command.preprocess;
  if (preprocess.empty()) preprocess = command.generations.empty() ? "none" : "nltk34";
  metrics::VisdialSettings settings{.preprocess = text::preprocess_of(preprocess)};
  CiderEntries entries = read_entries(command);
  if (entries.count == 0) throw Error{ErrorCode::kInvalidInput, "holds no entry", command.input};
  metrics::CiderCorpus corpus(entries.sets, options);
  metrics::VisdialMetrics scorer(entries.sets, {.cider = &corpus, .meteor = {}}, settings);
  std::vector<metrics::VisdialEntry> scored;
  for (size_t i = 0; i < entries.count; ++i) {
    scored.push_back(scorer.evaluate(i, entries.texts(i)));
    print_entry(entries, i, scored.back(), wants_json);
  }
  print_summary(metrics::summarize(scorer.columns(), scored));
  return 0;
}

}  // namespace

std::function<int()> add_cider(Command app, Context& context) {
  using config::option;
  using S = CiderCommand;
  Command verb =
      app.add_subcommand("cider", "CIDEr of JSON lines or of VisDial generations, all orders");
  verb.footer(
      "Prints cider_1 .. cider_n of every entry, separated by tabs; null where no word is left.\n"
      "Reads JSON lines {\"hypothesis\": text, \"references\": [text, ...]}, or VisDial's files.\n"
      "Examples:\n"
      "  snellen cider --input pairs.jsonl --variant d\n"
      "  snellen cider --generations gens.json --references refs_S_full_val.json -n 4");
  return verb_with(
      verb,
      S{},
      {option(&S::input, "input", "JSON lines to score; -: stdin").value("FILE"),
       option(&S::generations, "generations", "generated answers of VisDial").value("FILE"),
       option(&S::references, "references", "reference sets of VisDial").value("FILE"),
       option(&S::variant, "variant", "plain as published; d: CIDEr-D of captioning toolkits")
           .choices({"plain", "d"}),
       option(&S::n, "n", "longest n-gram").alias("n"),
       option(&S::preprocess,
              "preprocess",
              "how generations are prepared (default: nltk34 for VisDial's files, none for JSON "
              "lines)")
           .choices({"nltk34", "modern", "none"})},
      [&context](const S& command) { return run_cider(command, context.wants_json); });
}

}  // namespace snellen::cli
