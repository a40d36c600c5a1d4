// SPDX-License-Identifier: Apache-2.0
// Reference sets of VisDial: their sizes, and rounds to look at. From run folders of visdial-sets
// and from the statistics.json of `build densevisdial`.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "snellen/report/pages/report_input.h"

namespace snellen::report {

// How many rounds have a set of 0, 1 ... 100 members.
struct SetSizes {
  std::string name;  // of the sets
  std::array<uint64_t, 101> rounds = {};
};

// Of every file of sets that a run measured.
std::vector<SetSizes> measured_set_sizes(const ReportRun& run);
// Of every rule. Throws kInvalidInput for another file than statistics.json.
std::vector<SetSizes> built_set_sizes(const std::filesystem::path& file);

// A round and who chose which of its candidates.
struct ShownRound {
  std::string item;                // "IMAGE/ROUND"
  std::string picture;             // its name
  std::string picture_bytes = {};  // a JPEG or PNG; empty where it is not there
  std::string question = {};
  std::vector<std::string> candidates = {};
  struct Chosen {
    std::string by;  // the name of a file of sets, or "people"
    std::vector<size_t> places;
  };
  std::vector<Chosen> chosen = {};
};

// Rounds whose sets have more than one member, in the order of the run; none where the run kept no
// texts (`--dialogs`).
std::vector<ShownRound> shown_rounds(const ReportRun& run, size_t at_most);

std::vector<std::string> texts_at(const ShownRound& round, const ShownRound::Chosen& chosen);

bool has_sets(const ReportRun& run);

}  // namespace snellen::report
