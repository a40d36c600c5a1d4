// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/browse/item_index.h"

#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include <fmt/format.h>

#include "snellen/base/cores.h"
#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/store/browse/column_file.h"

namespace snellen::store {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kFewItems = 20'000;  // built in less than a second
constexpr size_t kMostNames = 65'000;   // of categories and tags; later ones count as none
constexpr size_t kSearchesKept = 8;
constexpr uint64_t kLookEvery = 4096;
constexpr size_t kMostShapes = 1000;
constexpr uint64_t kItemsPerLook = 64;  // that are read at once where a file is damaged

// Names as numbers, in the order in which they come.
class Numbered {
 public:
  explicit Numbered(std::vector<std::string>& names) : names_(names) { number(""); }

  uint16_t number(const std::string& name) {
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) return found->second;
    if (names_.size() >= kMostNames) return 0;
    names_.push_back(name);
    return numbers_.emplace(name, static_cast<uint16_t>(names_.size() - 1)).first->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, uint16_t> numbers_;
};

// As planned.
uint64_t num_items_of(const TaskRecord& task) {
  uint64_t total = 0;
  for (const TaskRecord::Part& part : task.parts) total += part.num_items;
  return total;
}

ItemOutcome outcome_of(const Sample& sample) {
  if (sample.status == SampleStatus::kFailed) return ItemOutcome::kFailed;
  if (sample.status == SampleStatus::kSkipped) return ItemOutcome::kSkipped;
  if (!sample.is_correct) return ItemOutcome::kUndecided;
  if (*sample.is_correct) return ItemOutcome::kRight;
  return sample.margin == 0 ? ItemOutcome::kTie : ItemOutcome::kWrong;
}

// Which texts of a detail are the item's tags, which tasks of a user's own files keep by this name.
class TagPlaces {
 public:
  const std::vector<size_t>& of(const std::string& shape) {
    const auto known = places_.find(shape);
    if (known != places_.end()) return known->second;
    std::vector<size_t> places;
    size_t text = 0;
    for (const DetailHole& hole : holes_of(shape)) {
      if (!hole.is_text) continue;
      if (hole.name == "tags") places.push_back(text);
      ++text;
    }
    if (places_.size() >= kMostShapes) places_.clear();
    return places_.emplace(shape, std::move(places)).first->second;
  }

 private:
  std::unordered_map<std::string, std::vector<size_t>> places_;
};

class Builder {
 public:
  Builder(const fs::path& samples, Database& words, IndexProgress& progress)
      : samples_(Samples::open_to_read(samples)),
        tasks_(samples_.tasks()),
        words_(words),
        progress_(progress) {
    // By two at least: one reads all in one statement, and a run in progress could not commit until
    // its end.
    samples_.read_with(std::max(2U, num_cores()));
  }

  ItemColumns build() {
    Transaction transaction(words_);
    words_.run(
        "CREATE VIRTUAL TABLE words USING fts5(text, content='', detail=none, columnsize=0, "
        "prefix='3')");
    Statement insert(words_, "INSERT INTO words(rowid, text) VALUES(?, ?)");
    for (const TaskRecord& task : tasks_) progress_.total += num_items_of(task);
    for (uint32_t task = 0; task < tasks_.size(); ++task) {
      uint64_t next = 0;
      auto take = [&](Sample& sample) {
        next = sample.position + 1;
        add(sample);
        const std::string text = text_of(sample);
        insert.bind(1, static_cast<int64_t>(columns_.size()))
            .bind(2, std::string_view(text))
            .step();
        insert.reset();
        if (++progress_.done % kLookEvery == 0 && progress_.stops)
          throw Error{ErrorCode::kInterrupted, "the index was not finished"};
      };
      try {
        samples_.for_each(task, std::nullopt, take, Reading::kEverything);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kInvalidInput) throw;
        read_what_is_left(task, next, take);
      }
    }
    transaction.commit();
    columns_.sort();
    return std::move(columns_);
  }

 private:
  // Of a damaged file the items that can be read, from one on: a few at a time, where these fail
  // one by one.
  void read_what_is_left(uint32_t task, uint64_t begin, const std::function<void(Sample&)>& take) {
    auto read = [&](uint64_t from, uint64_t to) {
      std::vector<Sample> found;
      try {
        samples_.for_each_between(
            task, from, to, [&](Sample& one) { found.push_back(std::move(one)); });
      } catch (const Error& error) {
        if (error.code() != ErrorCode::kInvalidInput) throw;
        return false;
      }
      for (Sample& one : found) take(one);
      return true;
    };
    const uint64_t end = num_items_of(tasks_[task]);
    for (uint64_t from = begin; from < end; from += kItemsPerLook) {
      const uint64_t to = std::min(end, from + kItemsPerLook);
      if (read(from, to)) continue;
      for (uint64_t one = from; one < to; ++one)
        if (!read(one, one + 1)) ++columns_.num_unreadable;
    }
  }

  void add(const Sample& sample) {
    const TaskRecord& task = tasks_.at(sample.task);
    const std::string part =
        sample.part < task.parts.size() ? task.parts[sample.part].name : std::string();
    columns_.ids.push_back(row_id(sample.task, sample.position));
    columns_.margins.push_back(sample.margin);
    columns_.outcomes.push_back(outcome_of(sample));
    columns_.group.push_back(group_of({sample.task, sample.part}));
    columns_.category.push_back(categories_.number(sample.category));
    for (const size_t place : tag_places_.of(sample.detail.shape))
      if (place < sample.detail.texts.size())
        columns_.tags_of_rows.push_back(tags_.number(sample.detail.texts[place]));
    columns_.tags_end.push_back(static_cast<uint32_t>(columns_.tags_of_rows.size()));
    columns_.item_keys.push_back(item_key(task.name, part, sample.item));
    columns_.visual_keys.push_back(
        sample.visuals.empty() ? 0 : content_key(sample.visuals.front().path).low);
  }

  uint16_t group_of(ItemColumns::Group group) {
    auto& groups = columns_.groups;
    const auto found = std::find(groups.begin(), groups.end(), group);
    if (found != groups.end()) return static_cast<uint16_t>(found - groups.begin());
    SNELLEN_CHECK(groups.size() < kMostNames);
    groups.push_back(group);
    return static_cast<uint16_t>(groups.size() - 1);
  }

  static std::string text_of(const Sample& sample) {
    std::string text = sample.item;
    auto add = [&](const std::string& more) { text.append(" ").append(more); };
    add(sample.category);
    for (const std::string& one : sample.texts) add(one);
    for (const std::string& one : sample.answers) add(one);
    for (const ShownVisual& visual : sample.visuals) add(fs::path(visual.path).filename().string());
    if (sample.error) add(sample.error->message());
    return text;
  }

  Samples samples_;
  std::vector<TaskRecord> tasks_;
  Database& words_;
  IndexProgress& progress_;
  ItemColumns columns_;
  Numbered categories_{columns_.categories};
  Numbered tags_{columns_.tags};
  TagPlaces tag_places_;
};

// The first half stands for the file, the second changes with every write to it.
struct IndexName {
  std::string file;
  std::string version;
  std::string whole() const { return file + "-" + version; }
};

IndexName name_of_index(const fs::path& samples) {
  struct stat facts {};
  if (::stat(samples.c_str(), &facts) != 0) return {};
  const std::string version =
      fmt::format("3 {} {}.{}", facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
  return {sha256_hex(fs::absolute(samples).lexically_normal().string()).substr(0, 16),
          sha256_hex(version).substr(0, 16)};
}

// Indexes of the same file as it was before.
void remove_older(const fs::path& folder, const IndexName& name) {
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
    const std::string other = entry.path().filename().string();
    std::error_code ignored;
    if (other.starts_with(name.file + "-") && !other.starts_with(name.whole()) &&
        (other.ends_with(".columns") || other.ends_with(".words")))
      fs::remove(entry.path(), ignored);
  }
}

uint64_t num_items_of(const fs::path& path) {
  Samples samples = Samples::open_to_read(path);
  uint64_t total = 0;
  for (const TaskRecord& task : samples.tasks()) total += num_items_of(task);
  return total;
}

// Every word a person typed, as the beginning of a word; nothing else has a meaning. What a word is
// says the index: one that it would take for several is a phrase, which it cannot look for.
std::string match_of(const std::string& words) {
  Database asked(":memory:", Database::Access::kReadWrite);
  asked.run(
      "CREATE VIRTUAL TABLE asked USING fts5(text); "
      "CREATE VIRTUAL TABLE terms USING fts5vocab(asked, 'instance')");
  Statement insert(asked, "INSERT INTO asked(text) VALUES(?)");
  insert.bind(1, std::string_view(words));
  insert.step();
  std::string match;
  Statement terms(asked, "SELECT term FROM terms ORDER BY offset");
  while (terms.step())
    match += fmt::format("{}\"{}\" *", match.empty() ? "" : " AND ", terms.text(0));
  return match;
}

}  // namespace

ItemIndex::ItemIndex(ItemColumns columns, std::unique_ptr<Database> words)
    : columns_(std::move(columns)), words_(std::move(words)) {}

std::unique_ptr<ItemIndex> ItemIndex::open(const fs::path& samples,
                                           const fs::path& folder,
                                           IndexProgress& progress) {
  const bool is_kept = !folder.empty() && num_items_of(samples) > kFewItems;
  if (!is_kept) {
    auto words = std::make_unique<Database>(":memory:", Database::Access::kReadWrite);
    ItemColumns columns = Builder(samples, *words, progress).build();
    return std::unique_ptr<ItemIndex>(new ItemIndex(std::move(columns), std::move(words)));
  }
  fs::create_directories(folder);
  const IndexName name = name_of_index(samples);
  const fs::path columns_file = folder / (name.whole() + ".columns"),
                 words_file = folder / (name.whole() + ".words");
  if (std::optional<ItemColumns> columns = read_columns(columns_file);
      columns && fs::exists(words_file)) {
    auto words = std::make_unique<Database>(words_file, Database::Access::kReadOnly);
    return std::unique_ptr<ItemIndex>(new ItemIndex(std::move(*columns), std::move(words)));
  }
  const fs::path half = half_written_path(words_file);
  ItemColumns columns;
  try {
    Database words(half, Database::Access::kReadWrite);
    words.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8192");
    columns = Builder(samples, words, progress).build();
  } catch (...) {
    std::error_code ignored;
    fs::remove(half, ignored);
    throw;
  }
  rename_into_place(half, words_file, Sync::kLater);
  write_columns(columns, columns_file);
  remove_older(folder, name);
  return std::unique_ptr<ItemIndex>(new ItemIndex(
      std::move(columns), std::make_unique<Database>(words_file, Database::Access::kReadOnly)));
}

std::shared_ptr<const std::vector<uint8_t>> ItemIndex::rows_with(const std::string& words) {
  const std::string match = match_of(words);
  if (match.empty()) return nullptr;
  std::lock_guard lock(mutex_);
  for (const auto& [known, rows] : found_)
    if (known == match) return rows;
  auto rows = std::make_shared<std::vector<uint8_t>>(columns_.size(), 0);
  Statement find(*words_, "SELECT rowid FROM words WHERE words MATCH ?");
  find.bind(1, std::string_view(match));
  while (find.step()) {
    const int64_t row = find.integer(0) - 1;
    if (row >= 0 && static_cast<size_t>(row) < rows->size()) (*rows)[static_cast<size_t>(row)] = 1;
  }
  if (found_.size() == kSearchesKept) found_.erase(found_.begin());
  found_.emplace_back(match, rows);
  return rows;
}

}  // namespace snellen::store
