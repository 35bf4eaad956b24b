#include "xrunlab/disk/header.hpp"

#include <string>

#include "xrunlab/disk/aiff.hpp"
#include "xrunlab/disk/au.hpp"
#include "xrunlab/disk/caf.hpp"
#include "xrunlab/disk/riff.hpp"
#include "xrunlab/disk/wave64.hpp"

namespace xrunlab {

namespace {

/// A tag is in its place before MP3 and FLAC; behind it libsndfile plays too little of a RIFF or FORM.
void refuse_tagged(BoundedReader& reader) {
  constexpr Bytes kTagHeaderBytes = 10;
  if (!reader.holds(0, kTagHeaderBytes) || !reader.four_characters(0).starts_with("ID3")) return;
  Bytes tag = 0;
  for (Bytes at = 6; at < kTagHeaderBytes; ++at) tag = tag << 7 | (reader.u8(at) & 0x7f);
  tag += kTagHeaderBytes;
  if (!reader.holds(tag, 4)) return;
  const std::string magic = reader.four_characters(tag);
  if (magic != "RIFF" && magic != "RIFX" && magic != "RF64" && magic != "BW64" && magic != "FORM") return;
  reader.refuse("an ID3 tag of " + std::to_string(tag) + " bytes stands before the " + magic + " header",
                "cut it off: tail -c +" + std::to_string(tag + 1) + " IN > OUT");
}

}  // namespace

bool parse_header(BoundedReader& reader, LengthRule rule, AudioFile& file) {
  if (reader.size() < 4) return false;
  refuse_tagged(reader);
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
