// Runs a test body once for every vector target that this CPU has, the best one last restored.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace xrunlab {

/// Makes conversion and mixing use one Highway target as long as it lives.
class ForcedTarget {
 public:
  explicit ForcedTarget(std::int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ~ForcedTarget() {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  ForcedTarget(const ForcedTarget&) = delete;
  ForcedTarget& operator=(const ForcedTarget&) = delete;
};

template <class Body>
void on_every_target(Body body) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    const ForcedTarget forced(target);
    body();
  }
}

}  // namespace xrunlab
