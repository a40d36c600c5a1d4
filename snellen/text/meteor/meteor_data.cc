// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/meteor_data.h"

#include "snellen/base/files.h"
#include "snellen/formats/zip.h"
#include "snellen/text/meteor/index_cache.h"
#include "snellen/text/meteor/paraphrase_builder.h"
#include "snellen/text/meteor/wordnet.h"

namespace snellen::text::meteor {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostJarBytes = size_t{256} << 20;
constexpr std::string_view kJarSynsets = "synonym/english.synsets";
constexpr std::string_view kJarExceptions = "synonym/english.exceptions";
constexpr const char* kHint =
    "give the meteor folder of an installed pycocoevalcap 1.2 (./dev setup --meteor brings it)";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

fs::path first_file(std::initializer_list<fs::path> candidates) {
  for (const fs::path& path : candidates) {
    if (is_file(path)) return path;
  }
  return {};
}

void look_in(const fs::path& folder, DataFiles& files) {
  if (files.paraphrase.empty()) {
    files.paraphrase =
        first_file({folder / "paraphrase-en.gz", folder / "data" / "paraphrase-en.gz"});
  }
  if (files.has_lexicon()) return;
  for (const fs::path& place : {folder, folder / "synonym"}) {
    if (is_file(place / "english.synsets") && is_file(place / "english.exceptions")) {
      files.synsets = place / "english.synsets";
      files.exceptions = place / "english.exceptions";
      return;
    }
  }
  files.jar = first_file({folder / "meteor-1.5.jar"});
}

void require_file(const fs::path& path, const char* what) {
  if (!is_file(path))
    throw Error{ErrorCode::kNotFound, fmt::format("{} is not there", what), path.string(), kHint};
}

LexiconTexts texts_from_jar(const fs::path& jar) {
  MappedFile file(jar);
  LexiconTexts texts;
  texts.synsets_name = fmt::format("{}!{}", jar.string(), kJarSynsets);
  texts.exceptions_name = fmt::format("{}!{}", jar.string(), kJarExceptions);
  auto synsets = formats::find_zip_entry(file.bytes(), kJarSynsets, jar.string());
  auto exceptions = formats::find_zip_entry(file.bytes(), kJarExceptions, jar.string());
  if (!synsets || !exceptions) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("holds no {}", synsets ? kJarExceptions : kJarSynsets),
                jar.string(),
                kHint};
  }
  texts.synsets = formats::unpack(*synsets, kMostJarBytes, jar.string());
  texts.exceptions = formats::unpack(*exceptions, kMostJarBytes, jar.string());
  return texts;
}

LexiconTexts texts_of(const DataFiles& files) {
  if (!files.jar.empty()) return texts_from_jar(files.jar);
  if (!files.wordnet.empty()) return lexicon_from_wordnet(files.wordnet);
  LexiconTexts texts;
  texts.synsets = read_text_file(files.synsets, size_t{256} << 20);
  texts.exceptions = read_text_file(files.exceptions, size_t{256} << 20);
  texts.synsets_name = files.synsets.string();
  texts.exceptions_name = files.exceptions.string();
  return texts;
}

Lexicon load_lexicon(const DataFiles& files, const fs::path& cache_folder) {
  if (!files.has_lexicon()) return {};
  IndexSource source{"meteor-lexicon", kLexiconFormat, {files.synsets, files.exceptions}};
  if (!files.jar.empty()) source.files = {files.jar};
  if (!files.wordnet.empty()) source.files = wordnet_files(files.wordnet);
  auto build = [&files](const std::string& sha256) {
    return build_lexicon(texts_of(files), sha256);
  };
  try {
    return Lexicon(open_or_build(source, cache_folder, build).index);
  } catch (const Error&) {
    // A cached file may be whole and yet not ours; the tables themselves then speak.
    if (cache_folder.empty()) throw;
    return load_lexicon(files, {});
  }
}

}  // namespace

DataFiles find_meteor_files(const DataPlaces& places) {
  DataFiles files;
  if (!places.paraphrase_file.empty()) {
    require_file(places.paraphrase_file, "the paraphrase table");
    files.paraphrase = places.paraphrase_file;
  }
  if (!places.named_folder.empty()) {
    DataFiles inside;
    look_in(places.named_folder, inside);
    if (inside.paraphrase.empty() && !inside.has_lexicon()) {
      throw Error{ErrorCode::kNotFound,
                  "the METEOR data folder holds neither paraphrase-en.gz, english.synsets nor "
                  "meteor-1.5.jar",
                  places.named_folder.string(),
                  kHint};
    }
    if (!files.paraphrase.empty()) inside.paraphrase = files.paraphrase;
    files = inside;
  } else {
    for (const fs::path& folder : places.default_folders) {
      look_in(folder, files);
      if (!files.paraphrase.empty() && files.has_lexicon()) break;
    }
  }
  if (!places.wordnet_folder.empty() && !files.has_lexicon()) {
    for (const fs::path& file : wordnet_files(places.wordnet_folder))
      require_file(file, "a file of WordNet");
    files.wordnet = places.wordnet_folder;
  }
  return files;
}

MeteorData load_meteor_data(const DataPlaces& places) {
  return load_meteor_data(find_meteor_files(places), places.cache_folder);
}

MeteorData load_meteor_data(const DataFiles& files, const fs::path& cache_folder) {
  MeteorData data;
  data.files = files;
  data.lexicon = load_lexicon(data.files, cache_folder);
  if (!data.files.paraphrase.empty()) {
    data.paraphrases = load_paraphrases(data.files.paraphrase, cache_folder).index;
  } else {
    data.warnings.push_back(
        "METEOR runs without its paraphrase table: its scores are not those of published papers "
        "(./dev setup --meteor brings the table)");
  }
  if (!data.files.has_lexicon()) {
    data.warnings.push_back(
        "METEOR runs without synonyms: no english.synsets and no WordNet were found");
  }
  return data;
}

}  // namespace snellen::text::meteor
