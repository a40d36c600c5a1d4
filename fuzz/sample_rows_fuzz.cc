// SPDX-License-Identifier: Apache-2.0
// samples.db whose rows another program has changed: any bytes in any column of any table. Every
// row is read or refused.
#include <array>
#include <string>

#include <fmt/format.h>

#include "fuzz/fuzz_file.h"
#include "snellen/store/samples.h"

namespace {

namespace fs = std::filesystem;
using namespace snellen;

fs::path database_path(const char* name) {
  return fs::temp_directory_path() / fmt::format("snellen_fuzz_{}_{}.db", name, getpid());
}

// A database with a scored, a failed and a long item.
const fs::path& whole_database() {
  static const fs::path kPath = [] {
    fs::path path = database_path("whole");
    fs::remove(path);
    store::Samples samples = store::Samples::open_to_write(path);
    samples.set_tasks({{.name = "t",
                        .parts = {{"p", 3}},
                        .columns = {{.name = "acc", .is_share = true}, {.name = "conf"}},
                        .shape = {.num_visuals = 1, .num_texts = 2, .num_scores = 2}}});
    samples.set_identity({{"sha256", "x"}});
    store::Sample scored{.item = "a",
                         .clusters = {"c", "d"},
                         .scores = {1, 2},
                         .values = {1, 0.5},
                         .detail = store::Detail::of_json(R"({"k": [1, 2.5], "t": "x"})"),
                         .texts = {"x", "y"}};
    store::Sample failed{.position = 1,
                         .item = "b",
                         .status = store::SampleStatus::kFailed,
                         .error = Error{ErrorCode::kInvalidInput, "bad", "here", "mend it"}};
    store::Sample large = scored;
    large.position = 2;
    large.item = "c";
    large.scores.assign(40, 0.25);
    const std::array batch = {scored, failed, large};
    samples.add(batch);
    return path;
  }();
  return kPath;
}

constexpr std::array kPlaces = {
    std::pair{"samples", "part"},         std::pair{"samples", "item"},
    std::pair{"samples", "cluster"},      std::pair{"samples", "cluster_2"},
    std::pair{"samples", "status"},       std::pair{"samples", "ties"},
    std::pair{"samples", "margin"},       std::pair{"samples", "detail"},
    std::pair{"samples", "layout"},       std::pair{"samples", "more_texts"},
    std::pair{"samples", "more_visuals"}, std::pair{"samples", "num_scores"},
    std::pair{"samples", "micros"},       std::pair{"more_scores", "first"},
    std::pair{"detail_shapes", "shape"},  std::pair{"detail_texts", "text"},
    std::pair{"detail_numbers", "first"}, std::pair{"failures", "code"},
    std::pair{"columns", "chance"},       std::pair{"parts", "num_items"},
    std::pair{"tasks", "name"},           std::pair{"texts", "text"}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const auto& [table, column] = kPlaces[data[0] % kPlaces.size()];
  const std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  const fs::path path = database_path("changed");
  fs::copy_file(whole_database(), path, fs::copy_options::overwrite_existing);
  fuzz::try_reading([&, table = table, column = column] {
    {
      store::Database database(path, store::Database::Access::kReadWrite);
      const std::string sql = fmt::format("UPDATE {} SET {} = ?", table, column);
      store::Statement change(database, sql.c_str());
      int64_t number = 0;
      std::copy_n(
          rest.begin(), std::min(rest.size(), sizeof number), reinterpret_cast<char*>(&number));
      if (data[1] % 3 == 0)
        change.bind(1, number);
      else if (data[1] % 3 == 1)
        change.bind(1, rest);
      else
        change.bind(1, static_cast<double>(number));
      change.step();
    }
    store::Samples samples = store::Samples::open_to_read(path);
    for (auto reading : {store::Reading::kWithoutScores, store::Reading::kEverything}) {
      fuzz::try_reading([&] {
        samples.for_each(
            0,
            std::nullopt,
            [&](store::Sample& sample) { store::check_values(sample, 2, path); },
            reading);
      });
    }
    fuzz::try_reading([&] { (void)samples.tasks(); });
    fuzz::try_reading([&] { (void)samples.counts(0); });
    fuzz::try_reading([&] { (void)samples.done(0, 3); });
    fuzz::try_reading([&] { (void)samples.digest(); });
    fuzz::try_reading([&] { (void)samples.failures(0, 5); });
  });
  return 0;
}
