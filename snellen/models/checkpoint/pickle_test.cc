// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/pickle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models {
namespace {

using Kind = PickleValue::Kind;
using testing::HasSubstr;

constexpr std::array<std::string_view, 2> kAllowed = {"collections.OrderedDict", "good.name"};

std::string refusal(const std::string& bytes, const PickleLimits& limits = {}) {
  try {
    (void)read_pickle(bytes, kAllowed, "w.bin", limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    return error.message();
  }
  return "was read";
}

TEST(Pickle, BuildsNumbersTextsAndContainers) {
  // ("a", -2, 300, 7, True, None, 1.5, [1])
  std::string bytes = "\x80\x02(X\x01" + std::string(3, '\0') + "a" + "J\xfe\xff\xff\xff" +
                      "M\x2c\x01" + "\x8a\x01\x07" + "\x88N" + "G\x3f\xf8" + std::string(6, '\0') +
                      "](K\x01" + "et.";
  Pickle pickle = read_pickle(bytes, kAllowed, "w.bin");
  const PickleValue& root = pickle.values[pickle.root];
  ASSERT_EQ(root.kind, Kind::kTuple);
  ASSERT_EQ(root.items.size(), 8u);
  auto item = [&](size_t i) { return pickle.values[root.items[i]]; };
  EXPECT_EQ(item(0).text, "a");
  EXPECT_EQ(item(1).integer, -2);
  EXPECT_EQ(item(2).integer, 300);
  EXPECT_EQ(item(3).integer, 7);
  EXPECT_EQ(item(4).kind, Kind::kBool);
  EXPECT_EQ(item(5).kind, Kind::kNone);
  EXPECT_EQ(item(6).number, 1.5);
  EXPECT_EQ(item(7).kind, Kind::kList);
  EXPECT_EQ(pickle.values[item(7).items[0]].integer, 1);
}

TEST(Pickle, SharesWhatItRemembersAndBearsACycle) {
  // A list that holds itself twice.
  Pickle pickle = read_pickle(
      "\x80\x02]q\x05h\x05"
      "ah\x05"
      "a.",
      kAllowed,
      "w.bin");
  EXPECT_EQ(pickle.values.size(), 1u);
  EXPECT_EQ(pickle.values[0].items, (std::vector<uint32_t>{0, 0}));
  EXPECT_THAT(refusal("h\x05."), HasSubstr("recalls value 5"));
}

TEST(Pickle, NeverCarriesOutACall) {
  Pickle pickle = read_pickle("cgood\nname\nK\x01\x85R.", kAllowed, "w.bin");
  const PickleValue& call = pickle.values[pickle.root];
  ASSERT_EQ(call.kind, Kind::kCall);
  EXPECT_EQ(pickle.values[call.items[0]].text, "good.name");
  Pickle dict = read_pickle("ccollections\nOrderedDict\n)R}b.", kAllowed, "w.bin");
  EXPECT_EQ(dict.values[dict.root].kind, Kind::kDict);
}

TEST(Pickle, RefusesEveryOtherGlobalByName) {
  EXPECT_THAT(refusal("cos\nsystem\n" + handmade::text("id") + "\x85R."),
              HasSubstr(R"(names "os.system")"));
  EXPECT_THAT(refusal("\x80\x04" + handmade::text("os") + handmade::text("system") + "\x93."),
              HasSubstr(R"(names "os.system")"));
  EXPECT_THAT(refusal("(ios\nsystem\n."), HasSubstr(R"(names "os.system")"));
  EXPECT_THAT(refusal("c\x1b[31m\nx\n."), HasSubstr(R"(\u001b)"));
}

TEST(Pickle, RefusesOpcodesThatBuildObjects) {
  for (const char* opcode : {"\x81", "\x92", "o", "\x82\x01", "P0\n", "B", "\x8b"})
    EXPECT_THAT(refusal(std::string(")") + opcode + "."), HasSubstr("opcode")) << opcode;
  EXPECT_THAT(refusal("\x80\x06."), HasSubstr("protocol 6"));
}

TEST(Pickle, RefusesToTakeWhatIsNotThere) {
  EXPECT_THAT(refusal(""), HasSubstr("ends early"));
  EXPECT_THAT(refusal("X\xff\xff\xff\xff"
                      "a"),
              HasSubstr("ends early"));
  EXPECT_THAT(refusal("."), HasSubstr("stack"));
  EXPECT_THAT(refusal("K\x01\x86."), HasSubstr("stack"));
  EXPECT_THAT(refusal("K\x01(0."), HasSubstr("stack"));
  EXPECT_THAT(refusal("t."), HasSubstr("no mark"));
  EXPECT_THAT(refusal("NK\x01"
                      "a."),
              HasSubstr("not a list"));
  EXPECT_THAT(refusal("}(K\x01u."), HasSubstr("not a list or dictionary"));
  EXPECT_THAT(refusal("K\x01K\x02R."), HasSubstr("not a name"));
  EXPECT_THAT(refusal("K\x01}b."), HasSubstr("state"));
  EXPECT_THAT(refusal("\x8a\x09"
                      "123456789."),
              HasSubstr("9 bytes"));
  EXPECT_THAT(refusal("cno end"), HasSubstr("without an end"));
}

TEST(Pickle, StopsAtItsLimits) {
  PickleLimits limits{.max_opcodes = 100, .max_values = 50, .max_stack = 10};
  EXPECT_THAT(refusal(std::string(20, 'N'), limits), HasSubstr("stacks more than 10"));
  EXPECT_THAT(refusal(std::string(20, '('), limits), HasSubstr("more than 10 marks"));
  std::string pairs;
  for (int i = 0; i < 60; ++i) pairs += "N0";
  EXPECT_THAT(refusal(pairs, limits), HasSubstr("more than 100 opcodes"));
  limits.max_opcodes = 1000;
  EXPECT_THAT(refusal(pairs, limits), HasSubstr("more than 50 values"));
  EXPECT_THAT(refusal("Nr\xff\xff\xff\x7f.", limits), HasSubstr("number 2147483647"));
}

}  // namespace
}  // namespace snellen::models
