#include "xrunlab/cli/doctor.hpp"

#include <fcntl.h>

#include <CLI/CLI.hpp>

#include "xrunlab/audio/pcm_probe.hpp"
#include "xrunlab/cli/run_options.hpp"
#include "xrunlab/cli/standard_output.hpp"
#include "xrunlab/core/page_vector.hpp"
#include "xrunlab/core/unique_fd.hpp"
#include "xrunlab/disk/uring_engine.hpp"
#include "xrunlab/model/doctor_checks.hpp"
#include "xrunlab/model/run_file.hpp"
#include "xrunlab/platform/machine_facts.hpp"
#include "xrunlab/platform/scheduling.hpp"
#include "xrunlab/report/doctor_text.hpp"

namespace xrunlab {
namespace {

/// Asks for a ring as `play` does, with one file and one buffer in it.
void try_uring(UringFacts& uring) {
  constexpr std::size_t kBufferBytes = 256 << 10;
  const UniqueFd file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  PageVector<std::byte> buffer(kBufferBytes);
  UringRequest request;
  request.files = {file.get()};
  request.buffers = {buffer};
  uring.tried = true;
  try {
    uring.warnings = make_uring_engine(request)->grant().warnings;
  } catch (const Error& error) {
    uring.problem = error.what();
    uring.remedy = error.remedy();
  }
}

DoctorFacts facts_of(const FileLocation& directory, const SysRoot& root) {
  DoctorFacts facts = read_machine_facts(directory, root);
  if (root.is_fake()) return facts;  // the devices are those of another machine
  try_uring(facts.uring);
  if (facts.cards.in_kernel) facts.cards.asked = probe_hardware();
  return facts;
}

/// 1 … 99. Throws Error{usage}.
int realtime_priority(const std::string& text) {
  const SchedSpec spec = parse_sched_spec("-P", text);
  if (spec.policy != SchedPolicy::other) return spec.priority;
  throw Error(ExitCode::usage, "-P: a thread with the ordinary policy needs nothing of all this",
              "give the priority that play is to have, f:1 to f:99");
}

}  // namespace

CLI::App* add_doctor(CLI::App& app, DoctorOptions& options) {
  auto* const doctor = app.add_subcommand("doctor", "Check whether this machine is set up for audio");
  doctor->add_option("DIR", options.directory, "Where the audio files are (default: here)");
  doctor->add_option("-P,--priority", options.priority, "Of the playback thread, as play -P takes it")
      ->type_name("f:N")
      ->capture_default_str();
  doctor->add_flag("-q,--quiet", options.quiet, "Only what is WARN or FAIL");
  add_json_option(*doctor, options.json, "As JSON");
  doctor->footer(
      "Looks at limits, groups, kernel, clock, power, memory, disk and cards, and says of\n"
      "each OK, WARN, FAIL, or n-a where there is nothing to look at, with the reason and\n"
      "what mends it. Nothing is changed or played. docs/doctor.md explains every check\n"
      "and the JSON. Exit codes: 0 nothing is FAIL; 1 something is; 2 usage; 3 the output\n"
      "failed; 4 DIR cannot be looked at.\n"
      "\n"
      "Example:\n"
      "  xrunlab doctor -q ~/music\n");
  return doctor;
}

ExitCode run_doctor(const DoctorOptions& options) {
  check_json_option(options.json);
  const int priority = realtime_priority(options.priority);
  const SysRoot root;
  DoctorFacts facts = facts_of(locate_file(options.directory, root), root);
  facts.wanted_priority = priority;
  DoctorData data{.version = XRUNLAB_VERSION,
                  .kernel = facts.system.kernel,
                  .directory = facts.disk.files.front().path,
                  .findings = check_machine(facts)};
  if (options.json == "-") print_out(to_json(data));
  if (options.json.empty())
    print_out(doctor_text(data, options.quiet ? DoctorRows::trouble : DoctorRows::all));
  if (names_file(options.json)) write_json_file(to_json(data), options.json);
  const bool any = count_of(DoctorGrade::fail, data) > 0;
  return exit_code_after_output(any ? ExitCode::limit_broken : ExitCode::ok);
}

}  // namespace xrunlab
