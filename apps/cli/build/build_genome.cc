// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/build/build_genome.h"

namespace snellen::cli {

void add_genome_flags(CLI::App& verb, GenomeFlags& flags) {
  verb.add_option("--visual-genome,--vg", flags.folder, "folder of Visual Genome's files")
      ->type_name("DIR");
  verb.add_option("--relationships", flags.relationships, "relationships.json, if elsewhere")
      ->type_name("FILE");
  verb.add_option("--objects", flags.objects, "objects.json, if elsewhere")->type_name("FILE");
  verb.add_flag("--no-aliases", flags.has_no_aliases, "leave the alias files out");
}

builders::probe_r::VisualGenome genome_of(const GenomeFlags& flags) {
  if (flags.folder.empty() && (flags.relationships.empty() || flags.objects.empty())) {
    throw Error{ErrorCode::kUsage,
                "Visual Genome is not named",
                "--visual-genome",
                "pass its folder, or both --relationships and --objects"};
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
