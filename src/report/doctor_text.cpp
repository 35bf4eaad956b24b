#include "xrunlab/report/doctor_text.hpp"

#include <fmt/format.h>

#include "xrunlab/report/text_layout.hpp"

namespace xrunlab {
namespace {

constexpr std::size_t kGradeColumns = 5;
constexpr std::size_t kReasonColumn = kGradeColumns + 17;  // the longest name of a check, and two blanks

bool is_trouble(const DoctorFinding& finding) {
  return finding.grade == DoctorGrade::warn || finding.grade == DoctorGrade::fail;
}

std::string finding_text(const DoctorFinding& finding) {
  const std::string label = fmt::format("{:<{}}{}", to_string(finding.grade), kGradeColumns, finding.check);
  const std::string mend = finding.mend.empty() ? "" : labelled("", kReasonColumn, "mend: " + finding.mend);
  return labelled(label, kReasonColumn, finding.reason) + mend;
}

/// "FAIL: 1 of 27 checks (rtprio); 3 WARN, 15 OK, 8 n-a"
std::string last_line(const DoctorData& data) {
  std::string names;
  const auto fails = count_of(DoctorGrade::fail, data);
  const auto warns = count_of(DoctorGrade::warn, data);
  const auto worst = fails > 0 ? DoctorGrade::fail : DoctorGrade::warn;
  for (const auto& finding : data.findings) {
    if (finding.grade == worst) names += (names.empty() ? "" : ", ") + finding.check;
  }
  std::string text =
      fmt::format("{} FAIL, {} WARN, {} OK, {} n-a", fails, warns, count_of(DoctorGrade::ok, data),
                  count_of(DoctorGrade::not_applicable, data));
  if (!names.empty()) text += fmt::format("; {}: {}", to_string(worst), names);
  return labelled("", 0, text);
}

}  // namespace

std::string doctor_text(const DoctorData& data, DoctorRows rows) {
  std::string text =
      labelled("", 0,
               fmt::format("xrunlab {} doctor, {}, for {}", data.version,
                           data.kernel.empty() ? "kernel unknown" : "Linux " + data.kernel, data.directory)) +
      "\n";
  const std::size_t heading = text.size();
  for (const auto& finding : data.findings) {
    if (rows == DoctorRows::all || is_trouble(finding)) text += finding_text(finding);
  }
  if (text.size() > heading) text += "\n";
  return text + last_line(data);
}

}  // namespace xrunlab
