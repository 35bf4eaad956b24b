// Reads all samples of one file, as playing does but without a clock: how many frames there really are, how
// loud, how many a card would clip. Used by `inspect --scan`, on the main thread. What it reads does not stay
// in the page cache unless it was there before.
#pragma once

#include <functional>
#include <string>

#include "xrunlab/disk/audio_file.hpp"
#include "xrunlab/model/inspection.hpp"

namespace xrunlab {

struct ScanOutcome {
  FileScan found;
  std::string warning;       ///< the samples ended before the length that the header gives
  std::string failure;       ///< why reading or decoding broke off, and the remedy; found is what came before
  bool interrupted = false;  ///< `stop` said so
};

/// Raw PCM goes through the conversion of the playback thread, anything else through libsndfile. Beyond ±1
/// means what it means to from_float: integers never are, and neither is NaN; infinity counts as the largest
/// float. `stop` is asked every MiB. Throws Error{input_file} when the file cannot be opened any more.
ScanOutcome scan_file(const AudioFile& file, const std::function<bool()>& stop);

}  // namespace xrunlab
