// SPDX-License-Identifier: Apache-2.0
// Compares this build with a folder of golden vectors, file by file. One .cc
// per kind lists the files it knows; a file that is not listed, and a kind with no file at all, is
// a failure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace snellen::golden {

using Json = nlohmann::ordered_json;

// What the comparisons of one file came to. A case passes when none of its expectations failed.
class Tally {
 public:
  // Begins a case; later expectations belong to it.
  void start(std::string name);
  void expect(bool holds, std::string_view what);
  // Absolute tolerance; a null `want` asks for NaN.
  void near(double got, const Json& want, double tolerance, std::string_view what);
  // |got - want| <= tolerance * max(1, |want|): for values of any size.
  void near_relative(double got, const Json& want, double tolerance, std::string_view what);
  // Compares two JSON values: numbers to `tolerance`, everything else exactly; key order too when
  // asked.
  void same(const Json& got,
            const Json& want,
            double tolerance,
            std::string_view what,
            bool key_order = false);
  // A part that a later issue brings.
  void pending(std::string part) { pending_.push_back(std::move(part)); }
  // A case that needs data the user must bring.
  void skip(std::string reason) { skipped_.push_back(std::move(reason)); }

  int num_passed() const;
  int num_failed() const;
  const std::vector<std::string>& failures() const { return failures_; }
  const std::vector<std::string>& pending_parts() const { return pending_; }
  const std::vector<std::string>& skipped() const { return skipped_; }

 private:
  struct Case {
    std::string name;
    bool has_failed = false;
  };
  std::vector<Case> cases_;
  std::vector<std::string> failures_;
  std::vector<std::string> pending_;
  std::vector<std::string> skipped_;
};

struct Context {
  std::filesystem::path file;  // the vector being compared, a file or a folder
  std::filesystem::path kind;  // its kind's folder, for companions named by the vector
  // Folders that may hold real data, first that exists wins: DIR/../data, then ../shared/data.
  std::vector<std::filesystem::path> data_roots;

  // The vector, parsed. Throws on bad JSON.
  Json json() const;
  // The path of real data under a data root, empty when it is nowhere.
  std::filesystem::path find_data(const std::filesystem::path& relative) const;
};

struct KnownFile {
  std::string
      name;  // relative to the kind's folder; a folder name ends with '/' and stands for all in it
  void (*check)(const Context&, Tally&) = nullptr;  // null: see is_companion and is_pending
  bool is_companion = false;  // read by another vector's check, nothing to compare itself
  bool is_pending = false;    // its part comes with a later issue
};

KnownFile vector_file(std::string name, void (*check)(const Context&, Tally&));
KnownFile companion(std::string name);
KnownFile pending_file(std::string name);

// Each kind's table of contents.
std::vector<KnownFile> probe_files();
std::vector<KnownFile> vilma_files();
std::vector<KnownFile> visdial_files();
std::vector<KnownFile> bias_files();
std::vector<KnownFile> models_files();

}  // namespace snellen::golden
