// SPDX-License-Identifier: Apache-2.0
// Published checkpoints by name, found in the cache that Hugging Face's tools keep. Nothing is
// downloaded.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::models {

// "openai/clip-vit-base-patch32", with a branch, tag or commit.
struct HubName {
  std::string repository;
  std::string revision = "main";
};
// Reads "ORG/NAME", "hf:NAME", either with "@REVISION"; nothing for what is no such name.
std::optional<HubName> hub_name_of(std::string_view word);

// The published checkpoint that a name of the reference scripts stands for: "bridgetower",
// "clip_ViT-B/32". Nothing for any other word.
std::optional<HubName> reference_checkpoint(std::string_view word);
std::vector<std::string> reference_names();

struct HubSnapshot {
  std::string repository;
  std::string commit;
  std::filesystem::path folder;
  uint64_t num_bytes = 0;  // of the files that are there
};

// Every snapshot below `cache`, by repository and commit; none where the folder is not there.
std::vector<HubSnapshot> installed_snapshots(const std::filesystem::path& cache);

// The folder of a checkpoint in the cache. Throws kNotFound with the command that downloads it,
// and for a snapshot whose links lead to files that are gone; kInvalidInput for a ref that names no
// commit.
std::filesystem::path find_in_hub_cache(const HubName& name, const std::filesystem::path& cache);

// Throws kInvalidInput for the small text that a clone without Git LFS has in a file's place.
void refuse_lfs_pointer(std::string_view bytes, const std::filesystem::path& path);

}  // namespace snellen::models
