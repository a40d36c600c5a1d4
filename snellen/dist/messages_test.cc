// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/messages.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace snellen::dist {
namespace {

store::Sample scored() {
  store::Sample sample;
  sample.task = 2;
  sample.position = uint64_t{1} << 39;
  sample.part = 1;
  sample.item = "item \xFF with any bytes";
  sample.clusters = {"picture", "other"};
  sample.category = "red";
  sample.scores = {1.5, std::numeric_limits<double>::quiet_NaN(), -0.0};
  sample.values = {std::numeric_limits<double>::infinity()};
  sample.ties = 5;
  sample.is_correct = false;
  sample.margin = 0.1;
  sample.detail = store::Detail::of_json(R"({"a": [1, 0.5, "x"]})");
  sample.visuals = {
      {.name = "v", .path = "/v.png", .read = store::ShownVisual::Read{5, -7, ContentKey{1, 2}}},
      {.name = "w"}};
  sample.texts = {"a cat", ""};
  sample.pairs = {{0, 1}, {1, 0}};
  sample.answers = {"yes"};
  sample.micros = 77;
  return sample;
}

TEST(Messages, CarrySamplesWithoutLoss) {
  store::Sample failed;
  failed.item = "b";
  failed.status = store::SampleStatus::kSkipped;
  failed.error = Error{ErrorCode::kNotFound, "what \xFE", "where", "hint"};
  SamplesWriter writer;
  writer.add(scored());
  writer.add(failed);
  EXPECT_EQ(writer.num_samples(), 2U);
  SamplesMessage got = decode_samples(writer.finish(9));
  EXPECT_EQ(writer.num_samples(), 0U);
  EXPECT_EQ(got.grant_micros, 9U);
  ASSERT_EQ(got.samples.size(), 2U);
  const store::Sample& one = got.samples[0];
  const store::Sample want = scored();
  EXPECT_EQ(one.task, want.task);
  EXPECT_EQ(one.position, want.position);
  EXPECT_EQ(one.part, want.part);
  EXPECT_EQ(one.item, want.item);
  EXPECT_EQ(one.clusters, want.clusters);
  EXPECT_EQ(one.category, want.category);
  EXPECT_EQ(one.scores[0], 1.5);
  EXPECT_TRUE(std::isnan(one.scores[1]));
  EXPECT_TRUE(std::signbit(one.scores[2]));
  EXPECT_EQ(one.values, want.values);
  EXPECT_EQ(one.ties, want.ties);
  EXPECT_EQ(one.is_correct, want.is_correct);
  EXPECT_EQ(one.margin, want.margin);
  EXPECT_EQ(one.detail, want.detail);
  ASSERT_EQ(one.visuals.size(), 2U);
  EXPECT_EQ(one.visuals[0].path, "/v.png");
  EXPECT_EQ(one.visuals[0].read, want.visuals[0].read);
  EXPECT_FALSE(one.visuals[1].read);
  EXPECT_EQ(one.texts, want.texts);
  EXPECT_EQ(one.pairs, want.pairs);
  EXPECT_EQ(one.answers, want.answers);
  EXPECT_EQ(one.micros, want.micros);
  EXPECT_FALSE(one.error);
  const store::Sample& two = got.samples[1];
  EXPECT_EQ(two.status, store::SampleStatus::kSkipped);
  EXPECT_FALSE(two.is_correct);
  ASSERT_TRUE(two.error);
  EXPECT_EQ(two.error->code(), ErrorCode::kNotFound);
  EXPECT_EQ(two.error->message(), "what \xFE");
  EXPECT_EQ(two.error->where(), "where");
  EXPECT_EQ(two.error->hint(), "hint");
}

TEST(Messages, CarryGrantsAndHellosAndFailures) {
  EXPECT_EQ(decode_grant(encode_grant({})), Items());
  EXPECT_EQ(decode_grant(encode_grant({3, 4, 1000000})), Items({3, 4, 1000000}));
  // A byte for the kind, one for the count, and one for each small step.
  EXPECT_EQ(encode_grant({3, 4, 5}).size(), 5U);
  Hello hello = decode_hello(encode(Hello{{"host", 12}, "traits"}));
  EXPECT_EQ(hello.where.host, "host");
  EXPECT_EQ(hello.where.process, 12U);
  EXPECT_EQ(hello.traits, "traits");
  const HostProcess where{"h", 1};
  const Failure sent{where, Error{ErrorCode::kIo, "full"}};
  Failure failure = decode_failure(encode(sent));
  EXPECT_EQ(failure.error.code(), ErrorCode::kIo);
  EXPECT_EQ(failure.error.message(), "full");
  EXPECT_EQ(kind_of(bare_message(MessageKind::kStop)), MessageKind::kStop);
}

TEST(Messages, CarryNotes) {
  EXPECT_EQ(decode_notes(encode_notes({})), Notes());
  EXPECT_EQ(decode_notes(encode_notes({"one", "", "\xFE three"})),
            (Notes{"one", "", "\xFE three"}));
  EXPECT_EQ(decode_notes(encode_notes(Notes(kMostNotes + 1))).size(), kMostNotes);
  // More notes than there may be, and more than there are.
  EXPECT_THROW(decode_notes("\x07\xFF\xFF\xFF\xFF\x0F"), Error);
  EXPECT_THROW(decode_notes("\x07\x02"), Error);
}

TEST(Messages, RefuseWhatIsCutOffOrUnknown) {
  EXPECT_THROW(kind_of(""), Error);
  EXPECT_THROW(kind_of(std::string_view("\0", 1)), Error);
  EXPECT_THROW(kind_of("\x09"), Error);
  SamplesWriter writer;
  writer.add(scored());
  std::string whole = writer.finish(0);
  for (size_t size = 1; size < whole.size(); ++size)
    EXPECT_THROW(decode_samples(whole.substr(0, size)), Error) << size;
  EXPECT_THROW(decode_samples(whole + "x"), Error);
  // A count of items that the message cannot hold.
  EXPECT_THROW(decode_grant("\x02\xFF\xFF\xFF\xFF\x0F"), Error);
}

}  // namespace
}  // namespace snellen::dist
