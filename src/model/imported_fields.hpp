// Names every field of what is known of an import, as run_fields does for the rest of a run file. Included by
// run_json.cpp alone.
#pragma once

#include "described.hpp"
#include "xrunlab/model/imported.hpp"

namespace xrunlab {

void describe(auto& archive, Of<ImportInfo> auto& imported) {
  archive.field("format", imported.format);
  archive.field("title", imported.title);
  archive.field("origin", imported.origin);
  archive.field("date", imported.date);
  archive.field("machine", imported.machine);
  archive.field("notes", imported.notes);
  archive.field("listing", imported.listing);
}

}  // namespace xrunlab
