#include "xrunlab/report/doctor_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/widest_line.hpp"

namespace xrunlab {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

DoctorData some_findings() {
  return {.version = "1.2",
          .kernel = "6.1.0 #1 SMP",
          .directory = "/music",
          .findings = {{"rtprio", DoctorGrade::fail, "the limit is 0", "log in again"},
                       {"virtual-machine", DoctorGrade::warn, "kvm", ""},
                       {"steal", DoctorGrade::ok, "none", ""},
                       {"rtc", DoctorGrade::not_applicable, "there is none", ""}}};
}

TEST(DoctorText, AGradeACheckAReasonAndBelowTheMend) {
  const std::string text = doctor_text(some_findings());
  EXPECT_THAT(text, StartsWith("xrunlab 1.2 doctor, Linux 6.1.0 #1 SMP, for /music\n"));
  EXPECT_THAT(
      text, HasSubstr("\nFAIL rtprio           the limit is 0\n                      mend: log in again\n"));
  EXPECT_THAT(text, HasSubstr("\nWARN virtual-machine  kvm\nOK   steal            none\nn-a  rtc "));
  EXPECT_THAT(text, EndsWith("\n1 FAIL, 1 WARN, 1 OK, 1 n-a; FAIL: rtprio\n"));
}

TEST(DoctorText, QuietlyTheTroubleAlone) {
  DoctorData data = some_findings();
  EXPECT_THAT(doctor_text(data, DoctorRows::trouble), Not(HasSubstr("steal")));
  EXPECT_THAT(doctor_text(data, DoctorRows::trouble), HasSubstr("rtprio"));
  data.findings.erase(data.findings.begin(), data.findings.begin() + 2);
  EXPECT_THAT(doctor_text(data, DoctorRows::trouble),
              EndsWith("for /music\n\n0 FAIL, 0 WARN, 1 OK, 1 n-a\n"));
}

TEST(DoctorText, FitsEightyColumnsWhateverIsFound) {
  DoctorData data = some_findings();
  data.directory = "/" + std::string(200, 'd') + "\x1b[31m\xff";
  data.findings.front().reason = std::string(300, 'r') + " " + std::string(40, 's');
  data.findings.front().mend = std::string(30, 'm') + " \n" + std::string(300, 'n');
  EXPECT_LE(widest_line(doctor_text(data)), 80u);
  EXPECT_THAT(doctor_text(data), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace xrunlab
