#include "xrunlab/disk/header.hpp"

#include <string>

#include "xrunlab/disk/aiff.hpp"
#include "xrunlab/disk/au.hpp"
#include "xrunlab/disk/caf.hpp"
#include "xrunlab/disk/riff.hpp"
#include "xrunlab/disk/wave64.hpp"

namespace xrunlab {

bool parse_header(BoundedReader& reader, LengthRule rule, AudioFile& file) {
  if (reader.size() < 4) return false;
  const std::string magic = reader.four_characters(0);
  if (magic == "RIFF" || magic == "RIFX" || magic == "RF64" || magic == "BW64") {
    parse_riff(reader, rule, file);
  } else if (magic == "riff") {
    parse_wave64(reader, rule, file);
  } else if (magic == "caff") {
    parse_caf(reader, rule, file);
  } else if (magic == ".snd" || magic == "dns.") {
    parse_au(reader, rule, file);
  } else if (magic == "FORM" && reader.size() >= 12) {
    const std::string form = reader.four_characters(8);
    if (form != "AIFF" && form != "AIFC") return false;
    parse_aiff(reader, rule, file);
  }
  return file.raw_format.has_value();
}

}  // namespace xrunlab
