#include "xrunlab/platform/proc_text.hpp"

#include <gmock/gmock.h>

namespace xrunlab {
namespace {

using testing::ElementsAre;

TEST(ProcText, SplitsAtSeparatorsAndBlanks) {
  EXPECT_THAT(split_at("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(split_at("", ','), ElementsAre(""));
  EXPECT_THAT(split_words("  one\ttwo\n three "), ElementsAre("one", "two", "three"));
  EXPECT_THAT(split_words(" \n"), testing::IsEmpty());
}

TEST(ProcText, FindsAValueByItsWholeKey) {
  constexpr std::string_view kStatus = "VmLckX:\t1 kB\nVmLck:\t  12 kB\nGroups:\nmodel name\t: Zen 3\n";
  EXPECT_EQ(value_of(kStatus, "VmLck"), "12 kB");
  EXPECT_EQ(value_of(kStatus, "model name"), "Zen 3");
  EXPECT_EQ(value_of(kStatus, "Groups"), "");
  EXPECT_EQ(value_of(kStatus, "Vm"), std::nullopt);
}

TEST(ProcText, CpuListsGoBothWays) {
  EXPECT_EQ(parse_cpu_list("0-2,5"), (std::vector{0, 1, 2, 5}));
  EXPECT_EQ(parse_cpu_list("5,0-2,1"), (std::vector{0, 1, 2, 5}));
  EXPECT_EQ(parse_cpu_list(""), std::vector<int>{});
  for (const char* const wrong : {"a", "1-", "-1", "2-1", "1,", "0-99999999"}) {
    EXPECT_EQ(parse_cpu_list(wrong), std::nullopt) << wrong;
  }
  EXPECT_EQ(parse_cpu_list("0-65535")->size(), 65536u);
  EXPECT_EQ(parse_cpu_list("0-65535,7"), std::nullopt);
  EXPECT_EQ(format_cpu_list({0, 1, 2, 5}), "0-2,5");
  EXPECT_EQ(format_cpu_list({}), "");
}

TEST(ProcText, UnescapesOctalAndKeepsWhatIsNone) {
  EXPECT_EQ(unescape_octal("/mnt/my\\040disk\\134"), "/mnt/my disk\\");
  EXPECT_EQ(unescape_octal("a\\04"), "a\\04");
  EXPECT_EQ(unescape_octal("\\303\\244"), "ä");
}

}  // namespace
}  // namespace xrunlab
