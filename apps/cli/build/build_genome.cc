// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_genome.h"

#include <fmt/format.h>

namespace snellen::cli {

std::vector<config::Option> genome_options() {
  using config::option;
  using S = GenomeFlags;
  return {option(&S::folder, "visual-genome", "folder of Visual Genome's files")
              .alias("vg")
              .value("DIR"),
          option(&S::relationships, "relationships", "relationships.json, if it lies elsewhere")
              .value("FILE"),
          option(&S::objects, "objects", "objects.json, if it lies elsewhere").value("FILE"),
          option(&S::has_no_aliases, "no-aliases", "do not use the alias files")};
}

builders::probe_r::VisualGenome genome_of(const GenomeFlags& flags) {
  if (flags.folder.empty() && (flags.relationships.empty() || flags.objects.empty())) {
    throw Error{ErrorCode::kUsage,
                "Visual Genome is not named",
                "--visual-genome",
                "pass its folder, or both --relationships and --objects"};
  }
  std::error_code ignored;
  if (std::filesystem::is_regular_file(flags.folder, ignored)) {
    throw Error{ErrorCode::kUsage,
                fmt::format("{} is a file, not a folder", flags.folder),
                "--visual-genome",
                "give the folder of relationships.json and objects.json; unpack archives first"};
  }
  std::filesystem::path folder = flags.folder.empty()
                                     ? std::filesystem::path(flags.objects).parent_path()
                                     : std::filesystem::path(flags.folder);
  builders::probe_r::VisualGenome genome = builders::probe_r::VisualGenome::in(folder);
  if (!flags.relationships.empty()) genome.relationships = flags.relationships;
  if (!flags.objects.empty()) genome.objects = flags.objects;
  if (flags.has_no_aliases) {
    genome.object_aliases.clear();
    genome.relationship_aliases.clear();
  }
  return genome;
}

}  // namespace snellen::cli
