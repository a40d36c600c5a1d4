// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/change_state_build.h"

#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "snellen/base/ascii.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/output_folder.h"
#include "snellen/builders/vilma/item_file.h"
#include "snellen/builders/vilma/state_item.h"
#include "snellen/formats/json_elements.h"

namespace snellen::builders::vilma {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kItemsAtOnce = 64;

struct Made {
  std::string base_id;
  std::array<std::string, kStateKinds.size()> items;  // JSON
  std::optional<Error> error;
};

bool is_letter(char c) {
  return c >= 'a' && c <= 'z';
}

// The candidates of an item: by its id or the number in it, else by its object.
std::vector<annotations::FoilCandidate> candidates_of(const annotations::FoilCandidates& candidates,
                                                      std::string_view id,
                                                      std::string_view object) {
  for (const std::string_view key : {id, state_number(id), object}) {
    const auto found = candidates.lists.find(key);
    if (found != candidates.lists.end()) return found->second;
  }
  return {};
}

Made made_of(const formats::JsonElements& elements,
             uint64_t index,
             const annotations::FoilCandidates& candidates,
             const StateTextOptions& options,
             const FoilJudges& judges,
             formats::PythonJsonParser& parser) {
  Made made;
  made.base_id = elements.key(index);
  const auto base = read_state_item(parser, elements.element(index), elements.where(index));
  if (!base) {
    made.error = base.error();
    return made;
  }
  const ObjectSwap swap = swapped_object(
      base->change, options, candidates_of(candidates, made.base_id, base->change.object), judges);
  for (size_t i = 0; i < kStateKinds.size(); ++i)
    made.items.at(i) = state_item_json(parser, *base, kStateKinds.at(i), options, swap);
  return made;
}

std::string file_of(StateKind kind) {
  return fmt::format("change-state-{}.json", name_of(kind));
}

// The four files, written side by side.
class Output {
 public:
  explicit Output(const fs::path& out) {
    for (const StateKind kind : kStateKinds)
      files_.push_back(std::make_unique<ItemFile>(out / file_of(kind)));
  }

  void take(const Made& made, const fs::path& source, builders::BadRecords& bad) {
    if (made.error) return bad.add(*made.error);
    for (size_t i = 0; i < files_.size(); ++i) {
      if (files_[i]->add_text(state_id(kStateKinds.at(i), made.base_id), made.items.at(i)))
        continue;
      return bad.add(Error{ErrorCode::kInvalidInput,
                           fmt::format("'{}' is there already", made.base_id),
                           source.string(),
                           "give each item a number of its own"});
    }
  }

  void finish(builders::BuildReport& report) {
    for (size_t i = 0; i < files_.size(); ++i) {
      files_[i]->commit();
      report.counts.push_back({fmt::format("change of state, {}", name_of(kStateKinds.at(i))),
                               "items",
                               files_[i]->size(),
                               "624"});
      report.files.push_back(files_[i]->path());
    }
  }

 private:
  std::vector<std::unique_ptr<ItemFile>> files_;
};

formats::JsonElements items_of(const fs::path& path) {
  formats::JsonElements elements(path);
  if (elements.is_object()) return elements;
  throw Error{ErrorCode::kInvalidInput,
              "is a list, expected an object of items by id",
              path.string(),
              "give items with 'change_of_state' by id"};
}

builders::BuildRecord record_of(const ChangeStateSources& sources,
                                const StateTextOptions& options,
                                const FoilJudges& judges) {
  auto flag = [](bool is_set) { return std::string(is_set ? "true" : "false"); };
  builders::BuildRecord record = {
      .builder = "vilma-change-state",
      .options = {{"preserve-original", flag(options.keeps_verb)},
                  {"extended", flag(options.is_extended)},
                  {"start-adverb", options.start_adverb},
                  {"central-adverb", options.central_adverb},
                  {"end-adverb", options.end_adverb},
                  {"compat", flag(options.is_compat)}},
      .sources = {{"data", builders::shown_path(sources.data)},
                  {"candidates", builders::shown_path(sources.candidates)}}};
  add_to_record(judges, record);
  return record;
}

}  // namespace

std::vector<StateGap> state_gaps(const fs::path& data, const StateTextOptions& options) {
  const formats::JsonElements elements = items_of(data);
  StateTextOptions brief = options;
  brief.is_extended = false;
  formats::PythonJsonParser parser;
  std::vector<StateGap> gaps;
  for (size_t i = 0; i < elements.size(); ++i) {
    const auto base = read_state_item(parser, elements.element(i), elements.where(i));
    if (!base) continue;  // the build names it
    const std::string word = object_noun(base->change);
    const std::string caption = state_texts(base->change, StateKind::kAction, brief).caption;
    const std::string lower = ascii_lower(caption);
    const std::string wanted = ascii_lower(word);
    std::vector<size_t> places;
    for (size_t at = lower.find(wanted); !word.empty() && at != std::string::npos;
         at = lower.find(wanted, at + 1)) {
      const size_t end = at + word.size();
      const bool is_whole =
          (at == 0 || !is_letter(lower[at - 1])) && (end == lower.size() || !is_letter(lower[end]));
      if (is_whole) places.push_back(at);
    }
    if (places.size() != 1) continue;
    std::string masked = caption;
    masked.replace(places[0], word.size(), "[MASK]");
    gaps.push_back({std::string(elements.key(i)), std::move(masked), caption, word});
  }
  return gaps;
}

builders::BuildReport build_change_state(const ChangeStateSources& sources,
                                         const StateTextOptions& options,
                                         const fs::path& out,
                                         const builders::Workers& workers,
                                         const FoilJudges& judges) {
  const formats::JsonElements elements = items_of(sources.data);
  annotations::FoilCandidates candidates;
  if (!sources.candidates.empty())
    candidates = annotations::read_foil_candidates(sources.candidates);
  builders::BuildReport report;
  report.bad_records.add(candidates.bad_records);
  std::vector<fs::path> names;
  for (const StateKind kind : kStateKinds) names.emplace_back(file_of(kind));
  const FileLock lock = builders::open_output_folder(out, "vilma-change-state", names);
  Output output(out);
  uint64_t num_done = 0;
  ordered_pipeline<std::vector<Made>>(
      (elements.size() + kItemsAtOnce - 1) / kItemsAtOnce,
      workers.num_threads,
      [&](uint64_t chunk) {
        formats::PythonJsonParser parser;
        std::vector<Made> made;
        const uint64_t end = std::min<uint64_t>(elements.size(), (chunk + 1) * kItemsAtOnce);
        for (uint64_t i = chunk * kItemsAtOnce; i < end; ++i)
          made.push_back(made_of(elements, i, candidates, options, judges, parser));
        return made;
      },
      [&](std::vector<Made>&& chunk) {
        for (const Made& made : chunk) output.take(made, sources.data, report.bad_records);
        workers.tell("change of state", num_done += chunk.size(), elements.size());
      },
      [] { return false; });
  output.finish(report);
  builders::write_record(record_of(sources, options, judges), out, report);
  return report;
}

}  // namespace snellen::builders::vilma
