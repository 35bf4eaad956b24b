// Gives alsa-lib a configuration of the test's own, so that nothing depends on the machine's.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace xrunlab {

/// alsa-lib's configuration is `text` for as long as this lives.
class AlsaConfiguration {
 public:
  explicit AlsaConfiguration(const std::string& text) {
    std::string name = (std::filesystem::temp_directory_path() / "xrunlab-alsa-XXXXXX").string();
    directory_ = mkdtemp(name.data());
    std::ofstream(directory_ / "asound.conf") << text;
    setenv("ALSA_CONFIG_PATH", (directory_ / "asound.conf").c_str(), 1);
  }
  ~AlsaConfiguration() {
    unsetenv("ALSA_CONFIG_PATH");
    std::filesystem::remove_all(directory_);
  }
  std::filesystem::path directory() const { return directory_; }

 private:
  std::filesystem::path directory_;
};

}  // namespace xrunlab
