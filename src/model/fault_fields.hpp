// The fields of an injected fault in a run file. Part of run_fields.hpp.
#pragma once

#include "described.hpp"
#include "xrunlab/model/run.hpp"

namespace xrunlab {

void describe(auto& archive, Of<FaultData> auto& fault) {
  archive.field("spec", fault.spec);
  archive.field("count", fault.count);
  archive.field("first_ns", fault.first_ns);
}

}  // namespace xrunlab
