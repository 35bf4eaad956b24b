#include "tests/structure/layer_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/structure/temporary_tree.hpp"

namespace xrunlab::structure {
namespace {

using ::testing::HasSubstr;

class LayerRules : public ::testing::Test {
 protected:
  LayerRules() {
    tree_.plant("include/xrunlab/core/units.hpp", "// Units.\n")
        .plant("include/xrunlab/disk/reader.hpp", "// Reader.\n#include \"xrunlab/core/units.hpp\"\n")
        .plant("src/disk/reader.cpp", "#include \"xrunlab/disk/reader.hpp\"\n\n#include <liburing.h>\n");
  }
  std::string findings() const { return to_text(check_layers(tree_.read())); }

  TemporaryTree tree_;
};

TEST_F(LayerRules, AGoodTreePasses) {
  EXPECT_EQ(findings(), "");
}

TEST_F(LayerRules, AnIncludeAgainstTheDirectionIsFoundWithItsLine) {
  tree_.plant("src/core/units.cpp", "#include <string>\n#include \"xrunlab/disk/reader.hpp\"\n");
  EXPECT_EQ(findings(), "src/core/units.cpp:2: core must not include disk\n");
}

TEST_F(LayerRules, TheRingbufferStandsAlone) {
  tree_.plant("ringbuffer/block_ring.hpp",
              "// Ring.\n#include <boost/lockfree/spsc_queue.hpp>\n#include \"xrunlab/core/units.hpp\"\n");
  EXPECT_EQ(findings(), "ringbuffer/block_ring.hpp:3: ringbuffer must not include core\n");
}

TEST_F(LayerRules, AThirdPartyHeaderInAHeaderIsFound) {
  tree_.plant("include/xrunlab/disk/ring.hpp", "// Ring.\n#include <liburing.h>\n");
  EXPECT_THAT(findings(), HasSubstr("include/xrunlab/disk/ring.hpp:2: liburing must not be seen"));
}

TEST_F(LayerRules, AThirdPartyHeaderInAStrangeRoomIsFound) {
  const std::pair<const char*, const char*> cases[] = {{"src/disk/a.cpp", "alsa/asoundlib.h"},
                                                       {"src/audio/a.cpp", "sndfile.h"},
                                                       {"src/engine/a.cpp", "nlohmann/json.hpp"},
                                                       {"src/model/a.cpp", "fmt/format.h"},
                                                       {"src/report/a.cpp", "CLI/CLI.hpp"},
                                                       {"src/disk/b.cpp", "hwy/highway.h"},
                                                       {"src/disk/c.cpp", "boost/lockfree/spsc_queue.hpp"}};
  for (const auto& [path, header] : cases) {
    tree_.plant(path, std::string("#include <") + header + ">\n");
    EXPECT_THAT(findings(), HasSubstr(std::string(path) + ":1: ")) << header;
  }
}

TEST_F(LayerRules, PrivateHeadersAreFoundFromBesideThemAndFromSrc) {
  tree_.plant("src/disk/parts.hpp", "// Parts.\n#include <liburing.h>\n")
      .plant("src/disk/deep/a.cpp", "#include \"../parts.hpp\"\n");
  tree_.plant("src/disk/b.cpp", "#include \"parts.hpp\"\n")
      .plant("src/disk/c.cpp", "#include \"disk/parts.hpp\"\n");
  EXPECT_EQ(findings(), "");
  tree_.plant("src/audio/d.cpp", "#include \"disk/parts.hpp\"\n");
  EXPECT_EQ(findings(), "src/audio/d.cpp:1: audio must not include disk\n");
}

TEST_F(LayerRules, UnknownRoomsAndHeadersAreFound) {
  tree_.plant("src/attic/old.cpp", "\n").plant("src/core/a.cpp", "#include \"xrunlab/core/gone.hpp\"\n");
  tree_.plant("src/core/b.cpp", "#include \"tests/fixtures/x.hpp\"\n");
  EXPECT_THAT(findings(), HasSubstr("src/attic/old.cpp: there is no room 'attic'"));
  EXPECT_THAT(findings(), HasSubstr("src/core/a.cpp:1: xrunlab/core/gone.hpp does not exist"));
  EXPECT_THAT(findings(), HasSubstr("src/core/b.cpp:1: "));
}

}  // namespace
}  // namespace xrunlab::structure
