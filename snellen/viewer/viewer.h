// SPDX-License-Identifier: Apache-2.0
// `snellen view`: pages and JSON about run folders. Reads runs, never changes one.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "snellen/http/server.h"
#include "snellen/report/pages/figure.h"
#include "snellen/viewer/compared.h"
#include "snellen/viewer/gatekeeper.h"
#include "snellen/viewer/run_shelf.h"

namespace snellen::viewer {

// Safe from many threads.
class Viewer {
 public:
  Viewer(std::vector<std::filesystem::path> places, std::filesystem::path index_folder, Gate gate);

  // Any request, also a hostile one. Errors are answers with a status and a JSON error.
  http::Response answer(const http::Request& request);

  // The address of the page that is seen first, from the path on: of two runs or more that were
  // named their comparison, else all runs.
  std::string first_page();

  // Whether the pages are built in; without Node a page says how to get them.
  static bool has_pages();

 private:
  using Json = nlohmann::ordered_json;
  using Route = Json (Viewer::*)(const http::Request& request);

  http::Response route(const http::Request& request);
  http::Response page(const std::string& path);

  // JSON, by path.
  Json runs(const http::Request& request);
  Json run(const http::Request& request);
  Json items(const http::Request& request);
  Json histogram(const http::Request& request);
  Json item(const http::Request& request);
  Json failures(const http::Request& request);
  Json compare(const http::Request& request);
  Json figures(const http::Request& request);
  Json mark(const http::Request& request);
  Json marks(const http::Request& request);
  Json trainings(const http::Request& request);

  // Others.
  http::Response picture(const http::Request& request);
  http::Response figure(const http::Request& request);
  http::Response exported(const http::Request& request, bool as_csv);
  http::Response exported_marks(const http::Request& request, bool as_csv);

  Json rungs(ViewedRun& run, const store::Sample& sample);
  // What a row of a list says beyond its sample.
  Json with_mark(ViewedRun& run, Json row);
  std::vector<report::Figure> figures_of(const std::vector<std::string>& ids);
  std::shared_ptr<const ComparedItems> joined(
      const std::vector<std::string>& ids,
      const std::vector<std::shared_ptr<store::ItemIndex>>& indexes);

  const std::filesystem::path map_folder_;  // keeps maps of features; empty: made anew
  RunShelf shelf_;
  const Gate gate_;
  std::mutex mutex_;  // guards the caches below
  std::map<std::string, std::vector<report::Figure>> figures_;
  struct Joined {
    std::vector<std::shared_ptr<store::ItemIndex>> indexes;
    std::shared_ptr<const ComparedItems> items;
  };
  std::map<std::string, Joined> joined_;
};

}  // namespace snellen::viewer
