#include "tests/structure/type_rules.hpp"

#include <gtest/gtest.h>

#include "tests/structure/temporary_tree.hpp"

namespace xrunlab::structure {
namespace {

std::string in_namespace(const std::string& text) {
  return "namespace xrunlab {\n" + text + "\n}\n";
}

TEST(TypeRules, TwoTypesOfOneNameInOneNamespaceAreFound) {
  TemporaryTree tree;
  tree.plant("include/xrunlab/audio/a.hpp", in_namespace("struct Options {\n  int rate = 1;\n};"));
  tree.plant("include/xrunlab/cli/b.hpp",
             in_namespace("struct Options final : Base {\n  int clients = 20;\n};"));
  tree.plant("src/load/c.cpp",
             in_namespace("template <class T>\nenum class Options : std::uint8_t { one };"));
  EXPECT_EQ(to_text(check_type_names(tree.read())),
            "include/xrunlab/cli/b.hpp:2: another type xrunlab::Options is in include/xrunlab/audio/a.hpp:2\n"
            "src/load/c.cpp:3: another type xrunlab::Options is in include/xrunlab/audio/a.hpp:2\n");
}

TEST(TypeRules, AHiddenTypeMustNotBearTheNameOfOneInAHeader) {
  TemporaryTree tree;
  tree.plant("include/xrunlab/core/clock.hpp", in_namespace("class Clock {};"));
  tree.plant("src/disk/a.cpp", in_namespace("namespace {\nclass Clock {};\n}"));
  tree.plant("src/disk/b.cpp", "namespace xrunlab::deep {\nnamespace {\nstruct Clock {};\n}\n}\n");
  tree.plant("src/disk/c.cpp", in_namespace("namespace {\nclass Watch {};\n}"));
  tree.plant("src/load/d.cpp", in_namespace("namespace {\nstruct Watch {};\n}"));
  EXPECT_EQ(to_text(check_type_names(tree.read())),
            "src/disk/a.cpp:3: another type xrunlab::Clock is in include/xrunlab/core/clock.hpp:2\n"
            "src/disk/b.cpp:3: another type xrunlab::Clock is in include/xrunlab/core/clock.hpp:2\n");
}

TEST(TypeRules, OtherScopesDeclarationsAndUsesAreLeftAlone) {
  TemporaryTree tree;
  tree.plant("include/xrunlab/core/a.hpp",
             in_namespace("struct State {};\nenum class Mode { on };\ntemplate <> struct Hash<State> {};\n"
                          "class [[nodiscard]] alignas(64) Line {\n public:\n  struct State {};\n};"));
  tree.plant(
      "include/xrunlab/core/b.hpp",
      in_namespace(
          "struct State;\nenum class Mode : int;\ntemplate <> struct Hash<Mode> {};\n"
          "class Ring {\n  class State;\n  struct State begin_{};\n};\nstruct State make() { return {}; }"));
  tree.plant("src/core/b.cpp",
             in_namespace("class Ring::State {\n  struct Line {};\n};\nvoid f() {\n  struct Mode {};\n}\n"
                          "namespace {\nclass Own {\n  struct Line {};\n};\n}\n"
                          "namespace other {\nstruct Line {};\n}\nextern \"C\" {\nstruct Plain {};\n}"));
  tree.plant("tests/core/a_test.cpp", in_namespace("struct State {};"));
  EXPECT_EQ(to_text(check_type_names(tree.read())), "");
}

}  // namespace
}  // namespace xrunlab::structure
