// SPDX-License-Identifier: Apache-2.0
// Many ranks in one process: what handing out, sending and recording cost rank 0 as ranks are
// added.
//   ranks_bench FOLDER RANKS ITEMS MICROSECONDS_AN_ITEM
// The ranks are threads that speak the messages of a real run over memory and score with the fake
// model, which waits as long as asked; rank 0 writes a real samples.db into FOLDER.
#include <ctime>

#include <chrono>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/dist/coordinator.h"
#include "snellen/dist/memory_link.h"
#include "snellen/dist/worker.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/open_tasks.h"
#include "snellen/run/ranks/chunks.h"
#include "snellen/run/ranks/ranks.h"

namespace {

namespace fs = std::filesystem;
using snellen::dist::Items;
using Clock = std::chrono::steady_clock;

constexpr size_t kRowsPerCommit = 8192;  // as the engine does

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void write_groups(const fs::path& folder, uint64_t count) {
  snellen::AtomicFile file(folder / "data_compositional_switch.json");
  file.write("[");
  for (uint64_t i = 0; i < count; ++i) {
    file.write(fmt::format(
        R"({}{{"img1_id": "{}", "img2_id": "{}", "img1_prompt": "A photo of a red cat {}.", "img2_prompt": "A photo of a blue cat {}.", "img1_composition": "red"}})",
        i > 0 ? "," : "",
        i % (count / 12 + 1),
        i * 7 % (count / 12 + 1),
        i % 97,
        i % 89));
  }
  file.write("]");
  file.commit(snellen::Sync::kLater);
}

struct Setup {
  snellen::run::Catalogue catalogue = snellen::run::Catalogue::built_in();
  snellen::config::Options options{snellen::run::run_options(catalogue)};
  snellen::run::RunSettings settings;
  std::vector<snellen::run::OpenTask> tasks;
  std::unique_ptr<snellen::models::Model> model;

  Setup(const fs::path& folder, uint64_t micros) {
    options.set("model", "fake", "bench");
    options.set("tasks", "probe-c", "bench");
    options.set("data", folder.string(), "bench");
    options.set("num-workers", "1", "bench");
    options.set("batch-size", "16", "bench");
    settings = snellen::run::settings_of(options, catalogue);
    tasks = snellen::run::open_tasks(catalogue, options, settings);
    model = catalogue.model("fake").open(
        {.argument = fmt::format("wait={}", micros), .seed = 0, .read_line = {}});
  }
};

// Writes rows as the engine does.
class Recorder {
 public:
  Recorder(snellen::store::Samples& samples, snellen::run::DuplicateGuard guard)
      : samples_(samples), guard_(std::move(guard)) {}
  void take(std::vector<snellen::store::Sample>&& batch) {
    double before = thread_seconds();
    for (snellen::store::Sample& sample : batch) {
      guard_.check(sample);
      rows_.push_back(std::move(sample));
    }
    if (rows_.size() >= kRowsPerCommit) commit();
    cpu_seconds_ += thread_seconds() - before;
  }
  double cpu_seconds() const { return cpu_seconds_; }
  void commit() {
    samples_.add(rows_);
    rows_.clear();
  }

 private:
  snellen::store::Samples& samples_;
  snellen::run::DuplicateGuard guard_;
  std::vector<snellen::store::Sample> rows_;
  double cpu_seconds_ = 0;
};

void run(const fs::path& folder, int num_ranks, uint64_t num_items, uint64_t micros) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  write_groups(folder, num_items);
  Setup setup(folder, micros);
  snellen::run::Plan plan(setup.tasks, 0);
  std::vector<std::vector<bool>> done = {std::vector<bool>(num_items)};
  Clock::time_point start = Clock::now();
  snellen::run::Survey survey = snellen::run::survey_items({plan, setup.tasks, {}, done, 2});
  double survey_seconds = seconds_since(start);
  snellen::store::Samples samples = snellen::store::Samples::open_to_write(folder / "samples.db");
  samples.set_tasks(snellen::run::task_records(setup.tasks));
  Recorder recorder(samples, std::move(survey.guard));

  snellen::dist::InMemoryRanks world(num_ranks);
  auto link = world.join(0);
  std::vector<std::jthread> ranks;
  snellen::dist::Coordinator coordinator(*link);
  for (int rank = 1; rank < num_ranks; ++rank) {
    ranks.emplace_back([&, rank] {
      auto end = world.join(rank);
      snellen::dist::work(*end, {.open = [&] {
        return snellen::dist::OpenedRank{
            "same", snellen::run::score_of_rank({plan, setup.tasks, *setup.model, setup.settings})};
      }});
    });
  }
  double cpu_before = thread_seconds();
  start = Clock::now();
  coordinator.run({.chunks = std::move(survey.chunks),
                   .difference = [](const std::string&) { return std::string(); },
                   .take = [&](auto&& batch) { recorder.take(std::move(batch)); }});
  recorder.commit();
  double seconds = seconds_since(start);
  double cpu = thread_seconds() - cpu_before;
  const snellen::dist::MessageCounts& counts = coordinator.message_counts();
  auto items = static_cast<double>(num_items);
  fmt::print(
      "{} ranks, {} items of {} us: {:.2f} s, {:.0f} items/s, {:.0f} % of what the models could "
      "do\n"
      "  rank 0: busy {:.0f} %; CPU {:.2f} us an item to record, {:.1f} us a message for the rest; "
      "survey {:.2f} us an item\n"
      "  {} messages in, {:.0f} items and {:.0f} bytes each, {:.0f} bytes an item; {} grants out, "
      "{:.2f} bytes an item\n",
      num_ranks,
      num_items,
      micros,
      seconds,
      items / seconds,
      100 * items / seconds * static_cast<double>(micros) * 1e-6 / (num_ranks - 1),
      100 * counts.seconds_busy / counts.seconds,
      recorder.cpu_seconds() / items * 1e6,
      (cpu - recorder.cpu_seconds()) / static_cast<double>(counts.messages_in) * 1e6,
      survey_seconds / items * 1e6,
      counts.messages_in,
      items / static_cast<double>(counts.messages_in),
      static_cast<double>(counts.bytes_in) / static_cast<double>(counts.messages_in),
      static_cast<double>(counts.bytes_in) / items,
      counts.messages_out,
      static_cast<double>(counts.bytes_out) / items);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 || std::atoi(argv[2]) < 2) {
    fmt::print(stderr,
               "usage: ranks_bench FOLDER RANKS ITEMS MICROSECONDS_AN_ITEM\n"
               "RANKS counts rank 0, which only records here: 2 or more\n");
    return 2;
  }
  run(argv[1],
      std::atoi(argv[2]),
      std::strtoull(argv[3], nullptr, 10),
      std::strtoull(argv[4], nullptr, 10));
  return 0;
}
