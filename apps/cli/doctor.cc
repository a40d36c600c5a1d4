// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <simdjson.h>
#include <sqlite3.h>
#include <unistd.h>

#include "apps/cli/data_folder.h"
#include "apps/cli/print.h"
#include "apps/cli/run/cache_place.h"
#include "apps/cli/run/networks.h"
#include "apps/cli/text/meteor_places.h"
#include "apps/cli/verb.h"
#include "snellen/base/version.h"
#include "snellen/config/data_registry.h"
#include "snellen/dist/group.h"
#include "snellen/media/video/video_reader.h"
#include "snellen/models/checkpoint/hub_cache.h"
#include "snellen/report/table.h"
#include "snellen/run/catalogue.h"

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
        std::pair{"TextBlob subjectivity lexicon", "textblob/en-sentiment.xml"},
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

// The networks' torch, and the GPUs that the system shows.
void add_networks(const Context& context, std::vector<Finding>& findings) {
  Finding torch{"torch", "not built: libsnellen_networks.so is not beside the program", true};
  torch.mend = "./dev build";
  if (has_network_module(context)) {
    try {
      torch = {"torch", open_network_module(context).torch()};
    } catch (const Error& error) {
      torch = {"torch", error.message(), true, error.hint()};
    }
  }
  const bool has_cuda = torch.found.find("CUDA") != std::string::npos;
  findings.push_back(std::move(torch));
  std::string gpus;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/driver/nvidia/gpus", ignored)) {
    std::ifstream facts(entry.path() / "information");
    std::string line;
    std::getline(facts, line);  // "Model:   NVIDIA H200"
    const size_t begin = line.find_first_not_of(" \t", std::min(line.find(':') + 1, line.size()));
    gpus += (gpus.empty() ? "" : ", ") + line.substr(std::min(begin, line.size()));
  }
  const bool is_idle = !gpus.empty() && !has_cuda;
  findings.push_back(
      {"GPU",
       gpus.empty() ? "no NVIDIA GPU: networks run on the processor" : gpus,
       is_idle,
       is_idle ? "build with a CUDA torch: SNELLEN_TORCH_DIR, see docs/models.md" : ""});
}

void add_meteor(std::vector<Finding>& findings) {
  const text::meteor::DataFiles files = text::meteor::find_meteor_files(meteor_places({}));
  const std::string lexicon = files.is_exact()      ? "synsets of METEOR"
                              : files.has_lexicon() ? "synsets of WordNet"
                                                    : "no synsets";
  const bool is_whole = files.has_lexicon() && !files.paraphrase.empty();
  findings.push_back(
      {"METEOR tables",
       lexicon + (files.paraphrase.empty() ? ", no paraphrase table" : ", paraphrase table"),
       !is_whole,
       is_whole ? "" : "./dev setup --meteor"});
}

// What belongs to the user: checkpoints, computed rows, where data sets lie.
void add_user_folders(const Context& context, std::vector<Finding>& findings) {
  const std::filesystem::path& hub = context.catalogue.installation.hub;
  findings.push_back(
      {"model cache",
       fmt::format("{} checkpoints in {}", models::installed_snapshots(hub).size(), hub.string())});
  const std::filesystem::path rows = row_cache_folder({});
  findings.push_back({"row cache", rows.empty() ? "off (SNELLEN_CACHE)" : rows.string()});
  try {
    const config::DataRegistry registry(data_registry_file());
    std::string names;
    for (const auto& [name, folder] : registry.folders())
      names += (names.empty() ? "" : ", ") + name;
    findings.push_back(
        {"data registry",
         fmt::format("{} in {}", names.empty() ? "nothing yet" : names, registry.file().string()),
         false,
         names.empty() ? "snellen data add NAME DIR" : ""});
  } catch (const Error& error) {
    findings.push_back({"data registry", error.what(), true, error.hint()});
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
  add_networks(context, findings);
  add_data(context, findings);
  add_meteor(findings);
  add_user_folders(context, findings);
  return findings;
}

}  // namespace

std::function<int()> add_doctor(Command app, Context& context) {
  Command verb = app.add_subcommand(
      "doctor", "show what this machine offers, what is missing and how to install it");
  verb.footer("Example:\n  snellen doctor");
  return [&context] {
    report::Table table({{"part"}, {"found"}, {"to fix it"}});
    for (const Finding& finding : examine(context))
      table.add({finding.what, (finding.is_missing ? "! " : "") + finding.found, finding.mend});
    fmt::print("{}", context.wants_json ? table.as_json() + "\n" : table.as_text(kTextWidth));
    return 0;
  };
}

}  // namespace snellen::cli
