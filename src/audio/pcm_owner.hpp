// Who holds the playing side of a sound card, by /proc/asound and /proc: for the error of a card that is
// busy. Used by main in set-up.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace xrunlab {

/// Numbers of playing PCMs of the kernel's; one that is absent stands for any.
struct CardAddress {
  std::optional<int> card;
  std::optional<int> device;
  std::optional<int> subdevice;
};

struct PcmOwner {
  int process = 0;
  std::string command;  ///< empty when it cannot be read
};

/// The processes that hold a PCM at `address`, each once. None: nobody does, or it is out of sight (another
/// container). `root` stands before every path.
std::vector<PcmOwner> playback_owners(const CardAddress& address, const std::string& root = {});

/// "aplay (process 123) and pipewire (process 45)".
std::string to_text(const std::vector<PcmOwner>& owners);

}  // namespace xrunlab
