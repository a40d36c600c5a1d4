// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/visual_files.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "snellen/base/content_key.h"
#include "snellen/base/distinct_ids.h"
#include "snellen/base/error.h"
#include "snellen/base/file_content_key.h"
#include "snellen/base/ordered_pipeline.h"

namespace snellen::run {
namespace {

using store::Samples;
using store::ShownVisual;

constexpr size_t kFilesAtOnce = 64;
constexpr uint64_t kItemsAtOnce = 4096;

// Its content, whatever its size; none when it cannot be read.
std::optional<ContentKey> key_of_file(const std::string& path) {
  try {
    return content_key_of_file(path);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// `make(visual)` on several threads, `take(visual, made)` in order on this one.
template <typename Made>
void for_files(const std::vector<Samples::StoredVisual>& files,
               unsigned num_threads,
               const std::function<Made(const ShownVisual&)>& make,
               const std::function<void(const Samples::StoredVisual&, Made&&)>& take) {
  size_t at = 0;
  ordered_pipeline<std::vector<Made>>((files.size() + kFilesAtOnce - 1) / kFilesAtOnce,
                                      num_threads,
                                      [&](uint64_t batch) {
                                        std::vector<Made> made;
                                        const size_t end =
                                            std::min(files.size(), (batch + 1) * kFilesAtOnce);
                                        for (size_t i = batch * kFilesAtOnce; i < end; ++i)
                                          made.push_back(make(files[i].visual));
                                        return made;
                                      },
                                      [&](std::vector<Made>&& made) {
                                        for (Made& one : made) take(files[at++], std::move(one));
                                      },
                                      [] { return false; });
}

// Those that `is_wanted`, a bounded number at a time.
void for_stored(Samples& samples,
                const std::function<bool(const ShownVisual&)>& is_wanted,
                const std::function<void(std::vector<Samples::StoredVisual>&&)>& visit) {
  constexpr size_t kMost = 16'384;
  std::vector<Samples::StoredVisual> found;
  samples.for_each_visual([&](const Samples::StoredVisual& one) {
    if (one.visual.path.empty() || !one.visual.read || !is_wanted(one.visual)) return;
    found.push_back(one);
    if (found.size() == kMost) visit(std::exchange(found, {}));
  });
  if (!found.empty()) visit(std::move(found));
}

ContentKey name_key(uint32_t task, std::string_view name) {
  return content_key(name, task);
}

// What is recorded of the visuals, by task and name; texts are kept as hashes.
struct Recorded {
  DistinctIds names;
  struct File {
    ContentKey path;
    ShownVisual::Read read;
    bool is_checked = false;
  };
  std::vector<File> files;  // by number of the name

  explicit Recorded(Samples& samples) {
    samples.for_each_visual([&](const Samples::StoredVisual& one) {
      if (one.visual.path.empty() || !one.visual.read) return;
      if (names.add(name_key(one.task, one.visual.name)).is_new)
        files.push_back({content_key(one.visual.path), *one.visual.read});
    });
  }
};

bool has_changed(Recorded::File& file, const std::string& path) {
  const std::optional<ShownVisual::Read> now = store::stat_of(path);
  if (!now) return false;  // nobody reads it any more
  const bool looks_same = now->size == file.read.size && now->mtime_ns == file.read.mtime_ns;
  const bool is_same_place = content_key(path) == file.path;
  if (looks_same && (is_same_place || !file.read.key)) return false;
  if (now->size != file.read.size || !file.read.key) return true;
  return key_of_file(path) != file.read.key;
}

}  // namespace

void hash_shown_files(Samples& samples, unsigned num_threads) {
  std::vector<std::vector<Samples::StoredVisual>> all;
  for_stored(
      samples,
      [](const ShownVisual& visual) { return !visual.read->key; },
      [&](auto&& files) { all.push_back(std::move(files)); });
  for (const std::vector<Samples::StoredVisual>& files : all) {
    std::vector<std::pair<int64_t, ShownVisual::Read>> read;
    for_files<std::optional<ContentKey>>(
        files,
        num_threads,
        [](const ShownVisual& visual) -> std::optional<ContentKey> {
          std::optional<ContentKey> key = key_of_file(visual.path);
          return store::stat_of(visual.path) == visual.read ? key : std::nullopt;
        },
        [&](const Samples::StoredVisual& one, std::optional<ContentKey>&& key) {
          if (!key) return;
          read.emplace_back(one.id, *one.visual.read);
          read.back().second.key = key;
        });
    samples.set_read(read);
  }
}

void expect_same_files(const ShownFilesRequest& request, Samples& samples) {
  Recorded recorded(samples);
  if (recorded.files.empty()) return;
  struct Shown {
    uint32_t number;
    std::string path;
  };
  auto look = [&](uint64_t batch) {
    std::vector<Shown> shown;
    const uint64_t end = std::min(request.plan.size(), (batch + 1) * kItemsAtOnce);
    for (uint64_t index = batch * kItemsAtOnce; index < end; ++index) {
      const PlannedItem planned = request.plan[index];
      if (!request.done[planned.task][planned.position]) continue;
      Result<tasks::Item> item = request.tasks[planned.task].task->item(planned.position);
      if (!item) continue;
      for (const questions::Visual& visual : item->visuals) {
        const auto* place = std::get_if<media::VisualPlace>(&visual.source);
        const uint32_t number = recorded.names.find(name_key(planned.task, visual.name));
        if (place && number != DistinctIds::kAbsent)
          shown.push_back({number, place->path.native()});
      }
    }
    return shown;
  };
  uint64_t num_changed = 0;
  std::string first;
  ordered_pipeline<std::vector<Shown>>(
      (request.plan.size() + kItemsAtOnce - 1) / kItemsAtOnce,
      request.num_threads,
      look,
      [&](std::vector<Shown>&& shown) {
        for (const Shown& one : shown) {
          Recorded::File& file = recorded.files[one.number];
          if (std::exchange(file.is_checked, true) || !has_changed(file, one.path)) continue;
          if (num_changed++ == 0) first = one.path;
        }
      },
      [] { return false; });
  if (num_changed == 0) return;
  throw Error{
      ErrorCode::kUsage,
      fmt::format("holds another run: {} of its pictures or videos changed since items were "
                  "scored with them, the first: {}",
                  num_changed,
                  first),
      samples.path().parent_path().string(),
      "restore them, give this run another --name or --output, or throw that one away with "
      "--overwrite"};
}

ShownFilesReport check_shown_files(Samples& samples, unsigned num_threads) {
  ShownFilesReport report;
  for_stored(
      samples,
      [](const ShownVisual& visual) { return visual.read->key.has_value(); },
      [&](std::vector<Samples::StoredVisual>&& files) {
        for_files<std::optional<ContentKey>>(
            files,
            num_threads,
            [](const ShownVisual& visual) { return key_of_file(visual.path); },
            [&](const Samples::StoredVisual& one, std::optional<ContentKey>&& key) {
              if (!store::stat_of(one.visual.path)) {
                ++report.num_gone;
                return;
              }
              ++report.num_checked;
              if (key != one.visual.read->key) report.changed.push_back(one.visual.path);
            });
      });
  return report;
}

}  // namespace snellen::run
