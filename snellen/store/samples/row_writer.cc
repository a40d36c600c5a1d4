// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/samples/row_writer.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace snellen::store {
namespace {

// One statement inserts this many rows: SQLite opens and closes its cursors once for all of them.
constexpr size_t kRowsPerStatement = 8;

// `bind(row, statement, first)` binds a row's columns; `first` is its first parameter.
template <typename Bind>
void insert_rows(
    Database& database, const char* table, size_t num_columns, size_t num_rows, const Bind& bind) {
  const std::string row =
      fmt::format("({})", fmt::join(std::vector<const char*>(num_columns, "?"), ","));
  size_t done = 0;
  for (size_t together : {kRowsPerStatement, size_t{1}}) {
    if (num_rows - done < together) continue;
    Statement insert(database,
                     fmt::format("INSERT INTO {} VALUES{}",
                                 table,
                                 fmt::join(std::vector<std::string>(together, row), ","))
                         .c_str());
    for (; num_rows - done >= together; done += together) {
      for (size_t i = 0; i < together; ++i)
        bind(done + i, insert, 1 + static_cast<int>(i * num_columns));
      insert.step();
      insert.reset();
    }
  }
}

void bind_id(Statement& statement, int parameter, int64_t id) {
  id == 0 ? statement.bind_null(parameter) : statement.bind(parameter, id);
}

std::string_view bytes_of(const auto& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(numbers[0])};
}

ContentKey key_of(uint32_t task, std::string_view name, std::string_view path) {
  const ContentKey named = content_key(name, task);
  return content_key(path, named.low ^ named.high);
}

// A stretch of a list: the sample's and the place of its first number.
struct Stretch {
  const Sample* sample;
  size_t first;
};

std::vector<Stretch> stretches_of(std::span<const Sample> batch, const auto& size_of) {
  std::vector<Stretch> stretches;
  for (const Sample& sample : batch) {
    for (size_t first = 0; first < size_of(sample); first += kStretch)
      stretches.push_back({&sample, first});
  }
  return stretches;
}

// Binds a stretch behind its two keys; what lies behind the end is NULL.
template <typename BindOne>
void bind_stretch(Statement& insert,
                  int parameter,
                  const Stretch& stretch,
                  size_t count,
                  const BindOne& bind_one) {
  insert.bind(parameter++, row_id(stretch.sample->task, stretch.sample->position));
  insert.bind(parameter++, static_cast<int64_t>(stretch.first));
  for (size_t i = stretch.first; i < stretch.first + kStretch; ++i, ++parameter)
    i < count ? bind_one(parameter, i) : static_cast<void>(insert.bind_null(parameter));
}

}  // namespace

RowWriter::RowWriter(Database& database, RowLayout layout)
    : database_(database),
      layout_(std::move(layout)),
      visuals_(database.integer("SELECT coalesce(max(id), 0) FROM visuals")),
      texts_(database.integer("SELECT coalesce(max(id), 0) FROM texts")),
      lists_(database.integer("SELECT coalesce(max(list), 0) FROM lists")),
      pairs_(database.integer("SELECT coalesce(max(layout), 0) FROM pairs")),
      shapes_(database.integer("SELECT coalesce(max(id), 0) FROM detail_shapes")) {
  load_recent();
}

void RowWriter::load_recent() {
  constexpr auto kMost = static_cast<int64_t>(RecentIds::kMostKnown / 2);
  Statement texts(database_, "SELECT id, text FROM texts ORDER BY id DESC LIMIT ?");
  texts.bind(1, kMost);
  while (texts.step()) texts_.know(content_key(texts.text(1)), texts.integer(0));
  Statement visuals(database_, "SELECT id, task, name, path FROM visuals ORDER BY id DESC LIMIT ?");
  visuals.bind(1, kMost);
  while (visuals.step()) {
    visuals_.know(
        key_of(static_cast<uint32_t>(visuals.integer(1)), visuals.text(2), visuals.text(3)),
        visuals.integer(0));
  }
}

int64_t RowWriter::visual_id(uint32_t task, const ShownVisual& visual) {
  auto [id, is_new] = visuals_.add(key_of(task, visual.name, visual.path));
  if (!is_new) return id;
  NewVisual& made = new_visuals_.emplace_back(NewVisual{id, task, &visual, visual.read, {}});
  if (visual.is_looked_at && !made.read && !visual.path.empty()) made.read = stat_of(visual.path);
  if (made.read && made.read->key) made.key = hex_of(*made.read->key);
  return id;
}

int64_t RowWriter::list_id(std::span<const int64_t> members) {
  auto [id, is_new] = lists_.add(content_key(bytes_of(members)));
  if (!is_new) return id;
  const size_t count = (members.size() + kStretch - 1) / kStretch;
  insert_rows(database_,
              "lists",
              kStretch + 2,
              count,
              [&, id = id](size_t row, Statement& insert, int parameter) {
                insert.bind(parameter++, id);
                insert.bind(parameter++, static_cast<int64_t>(row * kStretch));
                for (size_t i = row * kStretch; i < (row + 1) * kStretch; ++i)
                  bind_id(insert, parameter++, i < members.size() ? members[i] : 0);
              });
  return id;
}

int64_t RowWriter::pairs_id(const Sample& sample) {
  if (sample.pairs.empty()) return 0;
  auto [id, is_new] = pairs_.add(content_key(bytes_of(sample.pairs)));
  if (!is_new) return id;
  insert_rows(
      database_, "pairs", 4, sample.pairs.size(), [&, id = id](size_t i, Statement& row, int at) {
        row.bind(at, id).bind(at + 1, static_cast<int64_t>(i));
        row.bind(at + 2, int64_t{sample.pairs[i].visual})
            .bind(at + 3, int64_t{sample.pairs[i].text});
      });
  return id;
}

int64_t RowWriter::shape_id(const std::string& shape) {
  if (shape.empty()) return 0;
  auto [id, is_new] = shapes_.add(content_key(shape));
  if (!is_new) return id;
  Statement(database_, "INSERT INTO detail_shapes VALUES(?,?)")
      .bind(1, id)
      .bind(2, std::string_view(shape))
      .step();
  int64_t num_numbers = 0;
  int64_t num_texts = 0;
  for (const DetailHole& hole : holes_of(shape)) {
    Statement insert(database_, "INSERT INTO detail_names VALUES(?,?,?,?,?)");
    insert.bind(1, id).bind(2, int64_t{hole.is_text});
    insert.bind(3, hole.is_text ? num_texts++ : num_numbers++);
    insert.bind(4, std::string_view(hole.name)).bind(5, int64_t{hole.place}).step();
  }
  return id;
}

RowWriter::References RowWriter::refer(const Sample& sample) {
  // Room for all ids of the batch was made: spans of them stay.
  auto begun = [&] { return ids_.data() + ids_.size(); };
  const int64_t* first = begun();
  for (const ShownVisual& visual : sample.visuals) ids_.push_back(visual_id(sample.task, visual));
  References found;
  found.visuals = {first, sample.visuals.size()};
  first = begun();
  for (const std::string& text : sample.texts) {
    auto [id, is_new] = texts_.add(content_key(text));
    if (is_new) new_texts_.push_back({id, &text});
    ids_.push_back(id);
  }
  found.texts = {first, sample.texts.size()};
  if (found.visuals.size() > layout_.num_visuals) found.more_visuals = list_id(found.visuals);
  if (found.texts.size() > layout_.num_texts) found.more_texts = list_id(found.texts);
  found.pairs = pairs_id(sample);
  found.detail = shape_id(sample.detail.shape);
  return found;
}

void RowWriter::add(std::span<const Sample> batch) {
  new_texts_.clear();
  new_visuals_.clear();
  size_t num_ids = 0;
  for (const Sample& sample : batch) num_ids += sample.visuals.size() + sample.texts.size();
  ids_.clear();
  ids_.reserve(num_ids);
  std::vector<References> references;
  references.reserve(batch.size());
  for (const Sample& sample : batch) references.push_back(refer(sample));
  insert_rows(database_, "texts", 2, new_texts_.size(), [&](size_t i, Statement& row, int at) {
    row.bind(at, new_texts_[i].id).bind(at + 1, std::string_view(*new_texts_[i].text));
  });
  insert_rows(database_, "visuals", 7, new_visuals_.size(), [&](size_t i, Statement& row, int at) {
    const NewVisual& one = new_visuals_[i];
    row.bind(at, one.id).bind(at + 1, int64_t{one.task});
    row.bind(at + 2, std::string_view(one.visual->name));
    row.bind(at + 3, std::string_view(one.visual->path));
    one.read ? row.bind(at + 4, static_cast<int64_t>(one.read->size)) : row.bind_null(at + 4);
    one.read ? row.bind(at + 5, one.read->mtime_ns) : row.bind_null(at + 5);
    one.key.empty() ? row.bind_null(at + 6) : row.bind(at + 6, std::string_view(one.key));
  });
  add_rows(batch, references);
  add_lists(batch);
  add_failures(batch);
}

void RowWriter::add_rows(std::span<const Sample> batch, std::span<const References> references) {
  const size_t num_columns =
      16 + layout_.num_visuals + layout_.num_texts + layout_.num_scores + layout_.num_values;
  insert_rows(
      database_, "samples", num_columns, batch.size(), [&](size_t i, Statement& row, int at) {
        const Sample& sample = batch[i];
        const References& shown = references[i];
        const bool is_scored = sample.status == SampleStatus::kScored;
        SNELLEN_CHECK(sample.clusters.size() <= 2);
        SNELLEN_CHECK(sample.values.size() ==
                      (is_scored ? layout_.num_columns.at(sample.task) : 0));
        auto cluster = [&](size_t place) { return std::string_view(sample.clusters[place]); };
        row.bind(at++, row_id(sample.task, sample.position));
        row.bind(at++, int64_t{sample.part});
        row.bind(at++, std::string_view(sample.item));
        row.bind(at++, sample.clusters.empty() ? std::string_view() : cluster(0));
        sample.clusters.size() < 2 ? row.bind_null(at++) : row.bind(at++, cluster(1));
        row.bind(at++, std::string_view(sample.category));
        row.bind(at++, name_of(sample.status));
        row.bind(at++, static_cast<int64_t>(sample.ties));
        sample.is_correct ? row.bind(at++, int64_t{*sample.is_correct}) : row.bind_null(at++);
        is_scored ? row.bind(at++, sample.margin) : row.bind_null(at++);
        for (int64_t id : {shown.detail, shown.pairs, shown.more_visuals, shown.more_texts})
          bind_id(row, at++, id);
        row.bind(at++, static_cast<int64_t>(sample.scores.size()));
        row.bind(at++, static_cast<int64_t>(sample.micros));
        auto add_ids = [&](std::span<const int64_t> ids, size_t count) {
          for (size_t place = 0; place < count; ++place)
            bind_id(row, at++, place < ids.size() && ids.size() <= count ? ids[place] : 0);
        };
        add_ids(shown.visuals, layout_.num_visuals);
        add_ids(shown.texts, layout_.num_texts);
        auto add_numbers = [&](const std::vector<double>& numbers, size_t count) {
          for (size_t place = 0; place < count; ++place) {
            place < numbers.size() && numbers.size() <= count ? row.bind(at++, numbers[place])
                                                              : row.bind_null(at++);
          }
        };
        add_numbers(sample.scores, layout_.num_scores);
        add_numbers(sample.values, layout_.num_values);
      });
}

void RowWriter::add_lists(std::span<const Sample> batch) {
  auto add = [&](const char* table, const auto& size_of, const auto& bind_one) {
    const std::vector<Stretch> stretches = stretches_of(batch, size_of);
    insert_rows(
        database_, table, kStretch + 2, stretches.size(), [&](size_t i, Statement& row, int at) {
          const Sample& sample = *stretches[i].sample;
          bind_stretch(row, at, stretches[i], size_of(sample), [&](int to, size_t place) {
            bind_one(row, to, sample, place);
          });
        });
  };
  add(
      "more_scores",
      [&](const Sample& sample) {
        return sample.scores.size() > layout_.num_scores ? sample.scores.size() : 0;
      },
      [](Statement& row, int to, const Sample& sample, size_t place) {
        row.bind(to, sample.scores[place]);
      });
  add(
      "detail_numbers",
      [](const Sample& sample) { return sample.detail.numbers.size(); },
      [](Statement& row, int to, const Sample& sample, size_t place) {
        std::visit([&](auto number) { row.bind(to, number); }, sample.detail.numbers[place]);
      });
  struct PlacedText {
    int64_t sample;
    size_t place;
    const std::string* text;
  };
  auto add_texts = [&](const char* table, const auto& texts_of) {
    std::vector<PlacedText> rows;
    for (const Sample& sample : batch) {
      const std::vector<std::string>& texts = texts_of(sample);
      for (size_t i = 0; i < texts.size(); ++i)
        rows.push_back({row_id(sample.task, sample.position), i, &texts[i]});
    }
    insert_rows(database_, table, 3, rows.size(), [&](size_t i, Statement& row, int at) {
      row.bind(at, rows[i].sample).bind(at + 1, static_cast<int64_t>(rows[i].place));
      row.bind(at + 2, std::string_view(*rows[i].text));
    });
  };
  add_texts(
      "detail_texts", [](const Sample& sample) -> const auto& { return sample.detail.texts; });
  add_texts(
      "answers", [](const Sample& sample) -> const auto& { return sample.answers; });
}

void RowWriter::add_failures(std::span<const Sample> batch) {
  std::vector<const Sample*> failed;
  for (const Sample& sample : batch) {
    if (sample.error) failed.push_back(&sample);
  }
  insert_rows(database_, "failures", 5, failed.size(), [&](size_t i, Statement& row, int at) {
    const Error& error = *failed[i]->error;
    row.bind(at, row_id(failed[i]->task, failed[i]->position));
    row.bind(at + 1, name_of(error.code()));
    row.bind(at + 2, std::string_view(error.message()));
    row.bind(at + 3, std::string_view(error.where()));
    row.bind(at + 4, std::string_view(error.hint()));
  });
}

}  // namespace snellen::store
