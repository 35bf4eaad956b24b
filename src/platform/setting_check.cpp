#include "xrunlab/platform/setting_check.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "xrunlab/platform/proc_text.hpp"
#include "xrunlab/platform/queue_settings.hpp"

namespace xrunlab {
namespace {

bool is_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Written to the file, it makes the kernel ask for the module of this alias.
bool is_loadable(const std::string& scheduler, const SysRoot& root) {
  const std::string modules =
      "/lib/modules/" + root.read("/proc/sys/kernel/osrelease").value_or("") + "/modules.";
  const auto holds = [&root](const std::string& file, const std::string& text) {
    return root.read(file).value_or("").find(text) != std::string::npos;
  };
  return holds(modules + "alias", "alias " + scheduler + "-iosched ") ||
         holds(modules + "dep", "/" + scheduler + "-iosched.ko");
}

/// The values that the kernel lists; none where it does not.
std::vector<std::string> listed_values(const SettingFile& file, const SettingFiles& files) {
  if (file.owner.area == SettingArea::cpufreq) {
    const auto governors = files.root().read(owner_directory(file.owner) + "/scaling_available_governors");
    return offered_schedulers(governors.value_or(""));
  }
  const std::string text = files.root().read(files.path(file)).value_or("");
  return text.find('[') == std::string::npos ? std::vector<std::string>{} : offered_schedulers(text);
}

void check_value(const SettingFile& file, const std::string& value, const SettingFiles& files) {
  const auto listed = listed_values(file, files);
  const bool offered = listed.empty() || std::find(listed.begin(), listed.end(), value) != listed.end();
  const bool is_scheduler = file.owner.area == SettingArea::queue && file.name == "scheduler";
  const bool number_wanted = listed.empty() && is_integer(files.read(file).value_or(""));
  if (!offered && !(is_scheduler && is_loadable(value, files.root())))
    throw refused_setting(file, value, EINVAL, files);
  if (number_wanted && !is_integer(value)) throw refused_setting(file, value, EINVAL, files);
}

}  // namespace

void check_rights(const SettingFile& file, const SettingFiles& files) {
  const std::string path = files.path(file);
  if (::faccessat(AT_FDCWD, files.root().path(path).c_str(), W_OK, AT_EACCESS) == 0) return;
  const int error = errno;
  const bool missing = error == ENOENT;
  throw Error(ExitCode::system, "cannot change " + describe(file) + ": " + path + ": " + errno_text(error),
              missing ? "this device or kernel has no such setting: leave it out"
                      : "run as root, and outside a container");
}

void check_values(std::span<const SettingValue> combination, const SettingTargets& targets,
                  const SysRoot& root) {
  const SettingFiles files(root);
  const auto chosen = std::find_if(combination.begin(), combination.end(),
                                   [](const SettingValue& setting) { return setting.key == "scheduler"; });
  for (const SettingValue& setting : combination) {
    for (const SettingFile& file : files_of(setting, targets, files)) {
      const bool other_scheduler =
          !file.scheduler.empty() && chosen != combination.end() && chosen->value != file.scheduler;
      if (other_scheduler) continue;
      check_rights(file, files);
      check_value(file, setting.value, files);
    }
  }
}

}  // namespace xrunlab
