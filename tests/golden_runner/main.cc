// SPDX-License-Identifier: Apache-2.0
// snellen-golden DIR [kind...]: the program behind `./dev golden`.
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/base/nearest.h"
#include "tests/golden_runner/golden.h"

namespace snellen::golden {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::vector<KnownFile> (*)()>& kinds() {
  static const std::map<std::string, std::vector<KnownFile> (*)()> table = {
      {"probe", probe_files},
      {"vilma", vilma_files},
      {"visdial", visdial_files},
      {"bias", bias_files},
      {"models", models_files}};
  return table;
}

struct Sum {
  int passed = 0;
  int failed = 0;
  std::vector<std::string> pending;
};

bool covers(const KnownFile& known, const std::string& name) {
  return known.name == name || (known.name.ends_with('/') && name.starts_with(known.name));
}

void print_tally(const std::string& name, const Tally& tally, Sum& sum) {
  bool is_good = tally.num_failed() == 0;
  fmt::print("{} {} ({} cases)\n",
             is_good ? "ok  " : "FAIL",
             name,
             tally.num_passed() + tally.num_failed());
  for (size_t i = 0; i < std::min<size_t>(5, tally.failures().size()); ++i) {
    fmt::print("       {}\n", tally.failures()[i]);
  }
  if (tally.failures().size() > 5) fmt::print("       and {} more\n", tally.failures().size() - 5);
  for (const std::string& reason : tally.skipped()) fmt::print("skip {}: {}\n", name, reason);
  for (const std::string& part : tally.pending_parts())
    sum.pending.push_back(fmt::format("{}:{}", name, part));
  sum.passed += tally.num_passed();
  sum.failed += tally.num_failed();
}

void check_file(const KnownFile& known, const Context& context, const std::string& name, Sum& sum) {
  Tally tally;
  try {
    known.check(context, tally);
    bool is_silent = tally.num_passed() + tally.num_failed() == 0;
    if (is_silent && tally.skipped().empty() && tally.pending_parts().empty())
      tally.expect(false, "compared nothing");
  } catch (const std::exception& error) {
    tally.start("file");
    tally.expect(false, error.what());
  }
  print_tally(name, tally, sum);
}

void check_kind(const fs::path& dir,
                const std::string& kind,
                const std::vector<fs::path>& data_roots,
                Sum& sum) {
  std::vector<KnownFile> known = kinds().at(kind)();
  fs::path folder = dir / kind;
  std::set<std::string> names;
  if (fs::is_directory(folder)) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file())
        names.insert(fs::relative(entry.path(), folder).generic_string());
    }
  }
  names.erase("README.md");
  if (names.empty()) {
    fmt::print("FAIL {}: no vectors in {}\n", kind, folder.string());
    ++sum.failed;
    return;
  }
  std::set<std::string> pending;
  std::set<std::string> checked_folders;
  for (const std::string& name : names) {
    auto found = std::find_if(
        known.begin(), known.end(), [&](const KnownFile& k) { return covers(k, name); });
    std::string shown = fmt::format("{}/{}", kind, name);
    if (found == known.end()) {
      fmt::print("FAIL {}: unknown file\n", shown);
      ++sum.failed;
    } else if (found->is_pending) {
      pending.insert(fmt::format("{}/{}", kind, found->name));
    } else if (found->name.ends_with('/') && found->check) {
      if (checked_folders.insert(found->name).second)
        check_file(*found,
                   {folder / found->name, folder, data_roots},
                   fmt::format("{}/{}", kind, found->name),
                   sum);
    } else if (!found->is_companion) {
      check_file(*found, {folder / name, folder, data_roots}, shown, sum);
    }
  }
  sum.pending.insert(sum.pending.end(), pending.begin(), pending.end());
}

int run(std::vector<std::string> arguments) {
  if (arguments.empty())
    throw Error{ErrorCode::kUsage, "no folder given", "", "snellen-golden DIR [kind...]"};
  fs::path dir = arguments.front();
  std::vector<std::string> asked(arguments.begin() + 1, arguments.end());
  std::vector<std::string> known;
  for (const auto& [name, files] : kinds()) known.push_back(name);
  Sum sum;
  for (const std::string& kind : asked) {
    if (!kinds().contains(kind)) {
      fmt::print("FAIL {}: unknown kind ({})\n", kind, suggest(kind, known));
      ++sum.failed;
    }
  }
  if (asked.empty()) {
    // All kinds that DIR holds; a folder of another name is an unknown kind.
    if (fs::is_directory(dir)) {
      for (const fs::directory_entry& entry : fs::directory_iterator(dir)) {
        std::string name = entry.path().filename().string();
        if (entry.is_directory() || name != "README.md") asked.push_back(name);
      }
    }
    std::sort(asked.begin(), asked.end());
    if (asked.empty()) {
      fmt::print("FAIL {}: an empty or missing folder\n", dir.string());
      ++sum.failed;
    }
    for (const std::string& kind : asked) {
      if (!kinds().contains(kind)) {
        fmt::print("FAIL {}: unknown kind\n", kind);
        ++sum.failed;
      }
    }
  }
  std::vector<fs::path> data_roots = {dir / ".." / "data",
                                      fs::path(SNELLEN_SOURCE_DIR) / ".." / "shared" / "data"};
  for (const std::string& kind : asked) {
    if (kinds().contains(kind)) check_kind(dir, kind, data_roots, sum);
  }
  if (!sum.pending.empty()) fmt::print("pending: {}\n", fmt::join(sum.pending, ", "));
  fmt::print("{} passed, {} failed\n", sum.passed, sum.failed);
  return sum.failed == 0 && sum.passed > 0 ? 0 : 1;
}

}  // namespace
}  // namespace snellen::golden

int main(int argc, char** argv) {
  try {
    return snellen::golden::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "snellen-golden: {}\n", error.what());
    return 2;
  }
}
