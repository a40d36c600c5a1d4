// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/cli/print.h"
#include "apps/cli/run/cache_place.h"
#include "apps/cli/setting_flags.h"
#include "apps/cli/stop_signal.h"
#include "apps/cli/verb.h"
#include "snellen/viewer/viewer.h"

namespace snellen::cli {
namespace {

namespace fs = std::filesystem;

struct ViewSettings {
  std::vector<fs::path> folders = {"runs"};
  std::string host = "127.0.0.1";
  int port = 0;
  std::string index;
};

int run_view(const Context& context, const ViewSettings& settings) {
  for (const fs::path& folder : settings.folders) {
    if (!fs::exists(folder))
      throw Error{ErrorCode::kNotFound,
                  "no such folder",
                  folder.string(),
                  "name a run folder, or one that holds some"};
  }
  viewer::Gate gate{.host = settings.host};
  if (!viewer::is_loopback(settings.host)) gate.token = viewer::new_token();
  fs::path index = settings.index;
  if (index.empty() && !user_cache().empty()) index = user_cache() / "view";
  viewer::Viewer viewer(settings.folders, index, gate);
  http::Server server({.host = settings.host,
                       .port = settings.port,
                       .num_threads = 16,
                       .max_body_bytes = size_t{1} << 20,
                       .idle_s = 5},
                      [&](const http::Request& request) { return viewer.answer(request); });
  const std::string page = viewer.first_page();
  std::string address = server.address() + page;
  if (!gate.token.empty())
    address += fmt::format("{}token={}", page.find('?') == page.npos ? "?" : "&", gate.token);
  if (context.wants_json) {
    fmt::print("{}\n", nlohmann::json{{"address", address}}.dump());
  } else {
    fmt::print("{}\n", address);
    if (!viewer::Viewer::has_pages())
      print_note("snellen: built without Node, so there are no pages; ./dev setup brings them\n");
    print_note("snellen: open the address above; Ctrl-C ends it\n");
  }
  std::fflush(stdout);
  stop_on_signals();
  while (!is_stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  server.stop();
  return 0;
}

}  // namespace

std::function<int()> add_view(Command app, Context& context) {
  using config::option;
  using S = ViewSettings;
  Command verb = app.add_subcommand("view", "look at runs in a browser, item by item");
  verb.footer(
      "Prints an address on this machine. Compare runs, filter and search items, see pictures, "
      "mark\n"
      "items; every view has an address of its own. Runs are only read: marks lie beside them, "
      "and\n"
      "indexes of large runs in the cache.\n"
      "Example:\n  snellen view runs\n  snellen view runs/a-probe-c runs/b-probe-c   (compares "
      "them)");
  return verb_with(
      verb,
      S{},
      {option(&S::folders, "runs", "run folders, or folders that hold some").positional().many(),
       option(&S::host, "host", "address to listen on; one that others reach asks for a token"),
       option(&S::port, "port", "port to listen on; 0: any that is free").range(0, 65535),
       option(
           &S::index, "index", "folder for the indexes of large runs (default: the user's cache)")
           .value("DIR")},
      [&context](const S& settings) { return run_view(context, settings); });
}

}  // namespace snellen::cli
