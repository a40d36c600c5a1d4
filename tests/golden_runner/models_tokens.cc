// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/models_tokens.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/files.h"
#include "snellen/text/tokenizers/load_tokenizer.h"
#include "snellen/text/tokenizers/pipeline.h"
#include "snellen/text/tokenizers/vocabulary_files.h"

namespace snellen::golden {
namespace {

namespace fs = std::filesystem;
using text::TokenId;

// The pipeline of transformers' CLIPTokenizer over open_clip's vocabulary.
text::Pipeline hugging_face_clip(const fs::path& path) {
  text::SimpleVocabulary simple =
      text::read_simple_vocabulary(MappedFile(path).bytes(), path.string());
  text::Vocabulary vocabulary(path.string());
  for (size_t i = 0; i < simple.vocabulary.size(); ++i) {
    TokenId id = simple.vocabulary.id(i);
    std::string_view token = simple.vocabulary.token(i);
    vocabulary.add(id == simple.start ? "<|startoftext|>"
                   : id == simple.end ? "<|endoftext|>"
                                      : token,
                   id);
  }
  text::BpeOptions options;
  options.word_end = "</w>";
  options.unk_token = "<|endoftext|>";
  options.is_byte_level = true;
  text::PipelineParts parts;
  parts.model = std::make_unique<text::BpeModel>(
      std::move(vocabulary), simple.merges, std::move(options), path.string());
  parts.normalizer =
      text::Normalizer({text::NormalForm::kNfc, text::CollapseSpaces{}, text::Lowercase{}});
  parts.pre_tokenizer = text::PreTokenizer(
      {text::Split{text::SplitPattern::kClipWithMarks, text::SplitBehavior::kRemoved, true},
       text::ByteLevel{}});
  for (auto [content, id] :
       {std::pair{"<|startoftext|>", simple.start}, std::pair{"<|endoftext|>", simple.end}}) {
    text::AddedToken token;
    token.content = content;
    token.id = id;
    parts.added_tokens.push_back(std::move(token));
  }
  parts.frame = {{simple.start}, {simple.end}, false};
  return text::Pipeline(std::move(parts), {});
}

}  // namespace

void check_hugging_face_tokens(const Context& context, Tally& tally) {
  const Json fixture = Json::parse(read_text_file(context.file / "fixture.json"));
  if (!fixture.contains("tokens_hf")) return;
  text::Pipeline tokenizer = hugging_face_clip(context.file / "bpe_simple_vocab_16e6.txt.gz");
  text::EncodeOptions options{.max_length = fixture["text"]["max_length"].get<size_t>()};
  const Json& differing = fixture["tokens_hf"];
  for (size_t i = 0; i < fixture["texts"].size(); ++i) {
    std::string key = fmt::format("{}", i);
    tally.start(fmt::format("text {} as transformers reads it", i));
    std::vector<TokenId> got =
        tokenizer.encode(fixture["texts"][i].get<std::string>(), options).ids;
    std::vector<TokenId> want = differing.contains(key) ? differing[key] : fixture["tokens"][i];
    tally.expect(got == want,
                 fmt::format("ids are [{}], want [{}]", fmt::join(got, " "), fmt::join(want, " ")));
  }
}

}  // namespace snellen::golden
