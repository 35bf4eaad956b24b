#include "xrunlab/platform/shared_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/platform/fake_tree.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A process of `parent` that has mapped what `maps` says.
void plant_mapping(test::FakeTree& tree, int pid, int parent, const std::string& maps) {
  const std::string directory = "/proc/" + std::to_string(pid);
  tree.file(directory + "/stat", std::to_string(pid) + " (jackd) S " + std::to_string(parent) +
                                     " 1 1 0 -1 4194304 0 0 0 0 1 1 2 3 20 0 1 0 9\n");
  tree.file(directory + "/maps", maps);
}

TEST(SharedMemory, IsWhatATreeHasMapped) {
  test::FakeTree tree;
  plant_mapping(tree, 10, 1, "7f0-7f1 r-xp 00000000 fe:00 1 /usr/bin/jackd\n");
  plant_mapping(tree, 11, 10,
                "7f0-7f1 rw-s 00000000 00:17 1 /dev/shm/jack-0-3\n"
                "7f6-7f7 rw-s 00000000 00:17 4 /dev/shm/gone (deleted)\n");
  plant_mapping(tree, 12, 11, "7f0-7f1 rw-s 00000000 00:17 1 /dev/shm/jack-0-1\n");
  plant_mapping(tree, 13, 1, "7f4-7f5 rw-s 00000000 00:17 3 /dev/shm/of another\n");
  tree.file("/dev/shm/jack_xrunlab-12-load0_0_0", "").file("/dev/shm/jack_xrunlab-123_0_0", "");
  EXPECT_THAT(shared_memory_of_tree(10, tree.root()),
              ElementsAre("/dev/shm/jack-0-1", "/dev/shm/jack-0-3", "/dev/shm/jack_xrunlab-12-load0_0_0"));
  EXPECT_THAT(shared_memory_of_tree(99, tree.root()), IsEmpty());
}

TEST(SharedMemory, ANameThatAnotherProcessHasMappedIsInUse) {
  test::FakeTree tree;
  plant_mapping(tree, 13, 1, "7f4-7f5 rw-s 00000000 00:17 3 /dev/shm/of both\n");
  EXPECT_THAT(unmapped({"/dev/shm/of both", "/dev/shm/mine"}, tree.root()), ElementsAre("/dev/shm/mine"));
}

}  // namespace
}  // namespace xrunlab
