// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <simdjson.h>
#include <sqlite3.h>
#include <unistd.h>

#include "apps/cli/data_folder.h"
#include "apps/cli/verb.h"
#include "snellen/base/version.h"
#include "snellen/dist/group.h"
#include "snellen/media/video/video_reader.h"
#include "snellen/report/table.h"

namespace snellen::cli {
namespace {

struct Finding {
  std::string what;
  std::string found;
  bool is_missing = false;
  std::string mend = {};  // the command that mends it
};

std::string instruction_sets() {
  std::string sets;
  auto add = [&](bool has, const char* name) {
    sets += has ? fmt::format("{}{}", sets.empty() ? "" : " ", name) : "";
  };
  add(__builtin_cpu_supports("sse4.2") != 0, "sse4.2");
  add(__builtin_cpu_supports("avx2") != 0, "avx2");
  add(__builtin_cpu_supports("fma") != 0, "fma");
  add(__builtin_cpu_supports("avx512f") != 0, "avx512f");
  add(__builtin_cpu_supports("avx512bw") != 0, "avx512bw");
  return sets;
}

bool is_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
    size_t end = std::min(rest.find(':'), rest.size());
    if (::access((std::filesystem::path(rest.substr(0, end)) / program).c_str(), X_OK) == 0)
      return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// The language data that `./dev setup` brings.
void add_data(const Context& context, std::vector<Finding>& findings) {
  for (const auto& [what, file] :
       {std::pair{"VADER lexicon", "vader/vader_lexicon.txt"},
        std::pair{"VADER emoji table", "vader/emoji_utf8_lexicon.txt"},
        std::pair{"CLIP vocabulary", "clip/bpe_simple_vocab_16e6.txt.gz"}}) {
    std::filesystem::path path = find_data_or_none(context, file);
    findings.push_back({what,
                        path.empty()
                            ? fmt::format("not in {}", data_folders(context).front().string())
                            : path.string(),
                        path.empty(),
                        path.empty() ? "./dev setup, or set SNELLEN_DATA" : ""});
  }
}

std::vector<Finding> examine(const Context& context) {
  double gib = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
               static_cast<double>(::sysconf(_SC_PAGE_SIZE)) / (1 << 30);
  std::vector<Finding> findings = {
      {"snellen", fmt::format("{} ({}), {}", version(), revision(), __VERSION__)},
      {"processor",
       fmt::format("{} threads, {}", std::thread::hardware_concurrency(), instruction_sets())},
      {"memory", fmt::format("{:.1f} GiB", gib)},
      {"SQLite", sqlite3_libversion()},
      {"simdjson",
       fmt::format("{}.{}.{}, {}",
                   simdjson::SIMDJSON_VERSION_MAJOR,
                   simdjson::SIMDJSON_VERSION_MINOR,
                   simdjson::SIMDJSON_VERSION_REVISION,
                   simdjson::get_active_implementation()->name())},
  };
  findings.push_back({"video",
                      media::video_support(),
                      !media::has_video_support(),
                      media::has_video_support() ? "" : "build with -DSNELLEN_FFMPEG=ON"});
  bool has_launcher = is_on_path("mpirun") || is_on_path("srun");
  findings.push_back({"MPI",
                      dist::mpi_support() + (has_launcher ? "" : "; no mpirun or srun"),
                      !dist::has_mpi() || !has_launcher,
                      !dist::has_mpi() ? "build with -DSNELLEN_MPI=ON"
                      : has_launcher   ? ""
                                       : "apt-get install openmpi-bin"});
  std::error_code code;
  std::filesystem::path temporary = std::filesystem::temp_directory_path(code);
  double free_gib =
      static_cast<double>(std::filesystem::space(temporary, code).available) / (1 << 30);
  findings.push_back({"temporary folder",
                      fmt::format("{} with {:.1f} GiB free", temporary.string(), free_gib),
                      free_gib < 1,
                      free_gib < 1 ? "set TMPDIR to a folder with room" : ""});
  add_data(context, findings);
  return findings;
}

}  // namespace

std::function<int()> add_doctor(CLI::App& app, Context& context) {
  CLI::App* verb = app.add_subcommand(
      "doctor", "show what this machine offers, what is missing and how to install it");
  verb->footer("Example:\n  snellen doctor");
  return [&context] {
    report::Table table({{"part"}, {"found"}, {"to fix it"}});
    for (const Finding& finding : examine(context))
      table.add({finding.what, (finding.is_missing ? "! " : "") + finding.found, finding.mend});
    fmt::print("{}", context.wants_json ? table.as_json() + "\n" : table.as_text());
    return 0;
  };
}

}  // namespace snellen::cli
