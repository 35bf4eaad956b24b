#include "xrunlab/import/jack_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xrunlab/core/error.hpp"

namespace xrunlab {
namespace {

using testing::ElementsAre;

std::vector<JackTable> tables_in(std::string_view text) {
  const auto parts = cut_listing(text, {}, "mail");
  return parse_jack_tables(parts.at(0).lines, "mail");
}

std::vector<double> row(const JackTable& table, JackLine line) {
  std::vector<double> values;
  for (const auto& column : table.columns) values.push_back(column.figures.at(line));
  return values;
}

TEST(JackTable, OfXrunlabItselfIsOneRunWithCounts) {
  const auto tables = tables_in(
      "> graph       2 clients with 4 ports in and out, silent, load: none\n"
      "> measured    2.1 s, 1412 cycles\n"
      ">\n"
      ">                                                     count  95 %\n"
      "> Timeout Rate  . . . . . . . . :       0.0 /hour         0  0 to 6477\n"
      "> XRUN Rate . . . . . . . . . . :    3428.6 /hour         2  415 to 12385\n"
      "> Driver Late Rate  . . . . . . :    1714.3 /hour         1  43.4 to 9551\n"
      "> Delay Rate (>spare time)  . . :       0.0 /hour         0  0 to 6477\n"
      "> Delay Rate (>1000 usecs)  . . :       0.0 /hour         0  0 to 6477\n"
      "> Delay Maximum . . . . . . . . :     359.0 usecs\n"
      "> Average CPU Steal Load  . . . :       1.5 %\n"
      "> Failed Clients  . . . . . . . :         0\n"
      ">\n"
      "> all cycles            count     mean      p50      p99    p99.9      max\n");
  ASSERT_EQ(tables.size(), 1u);
  const auto& table = tables[0];
  EXPECT_TRUE(table.of_xrunlab);
  EXPECT_EQ(table.long_delay_us, 1000);
  EXPECT_THAT(row(table, JackLine::xrun_rate), ElementsAre(3428.6));
  EXPECT_THAT(row(table, JackLine::xrun_count), ElementsAre(2));
  EXPECT_THAT(row(table, JackLine::driver_late_count), ElementsAre(1));
  EXPECT_THAT(row(table, JackLine::delay_max_us), ElementsAre(359));
  EXPECT_THAT(row(table, JackLine::cpu_steal), ElementsAre(1.5));
  EXPECT_THAT(row(table, JackLine::seconds), ElementsAre(2.1));
}

TEST(JackTable, TwoKernelsSideBySide) {
  const auto tables = tables_in(
      "> The results speak for themselves\n"
      ">\n"
      ">                                 2.6.10-cko1  RT-V0.7.33-04\n"
      ">                                 ------------- -------------\n"
      ">  Timeout Rate  . . . . . . . . :    (    0.0)    (    0.5)   /hour\n"
      ">  XRUN Rate . . . . . . . . . . :       216.8          2.2    /hour\n"
      ">  Delay Rate (>spare time)  . . :       395.2          0.0    /hour\n"
      ">  Delay Rate (>1000 usecs)  . . :       375.8          0.1    /hour\n"
      ">  Delay Maximum . . . . . . . . :      4320          308      usecs\n"
      ">  Average CPU I/O Wait Load . . :         0.1          0.2    %\n"
      ">  Average Interrupt Rate  . . . :      1691.7       1692.6    /sec\n");
  ASSERT_EQ(tables.size(), 1u);
  const auto& table = tables[0];
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_EQ(table.columns[0].title, "2.6.10-cko1");
  EXPECT_EQ(table.columns[1].title, "RT-V0.7.33-04");
  EXPECT_EQ(table.long_delay_us, 1000);
  EXPECT_THAT(row(table, JackLine::timeout_rate), ElementsAre(0.0, 0.5));
  EXPECT_THAT(row(table, JackLine::xrun_rate), ElementsAre(216.8, 2.2));
  EXPECT_THAT(row(table, JackLine::spare_delay_rate), ElementsAre(395.2, 0.0));
  EXPECT_THAT(row(table, JackLine::long_delay_rate), ElementsAre(375.8, 0.1));
  EXPECT_THAT(row(table, JackLine::delay_max_us), ElementsAre(4320, 308));
  EXPECT_THAT(row(table, JackLine::cpu_iowait), ElementsAre(0.1, 0.2));
  EXPECT_THAT(row(table, JackLine::interrupt_rate), ElementsAre(1691.7, 1692.6));
  EXPECT_FALSE(table.columns[0].figures.contains(JackLine::cycle_max_us)) << "not said";
}

TEST(JackTable, OneRunAsTheProgramPrintsItAndUnitsBetweenColumns) {
  const auto tables = tables_in(
      "************* SUMMARY RESULT ****************\n"
      "Total seconds ran . . . . . . :   300\n"
      "Number of clients . . . . . . :    20\n"
      "Frames per buffer . . . . . . :    64\n"
      "*********************************************\n"
      "Timeout Count . . . . . . . . :(    1)          (    5)         (    3)         \n"
      "XRUN Count  . . . . . . . . . :     2               16              15          \n"
      "Delay Maximum . . . . . . . . : 11932   usecs    101053  usecs   98719   usecs  \n"
      "Average DSP Load. . . . . . . :    37.9 %           33.6 %          36.0 %      \n"
      "\n"
      "************* SUMMARY RESULT ****************\n"
      "Total seconds ran . . . . . . :   120\n"
      "XRUN Count  . . . . . . . . . :     7\n");
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_THAT(row(tables[0], JackLine::seconds), ElementsAre(300, 300, 300)) << "holds for all";
  EXPECT_THAT(row(tables[0], JackLine::timeout_count), ElementsAre(1, 5, 3));
  EXPECT_THAT(row(tables[0], JackLine::xrun_count), ElementsAre(2, 16, 15));
  EXPECT_THAT(row(tables[0], JackLine::delay_max_us), ElementsAre(11'932, 101'053, 98'719));
  EXPECT_THAT(row(tables[0], JackLine::dsp_load), ElementsAre(37.9, 33.6, 36.0));
  EXPECT_THAT(row(tables[1], JackLine::seconds), ElementsAre(120));
  EXPECT_THAT(row(tables[1], JackLine::xrun_count), ElementsAre(7));
}

TEST(JackTable, RowsThatDoNotFitAreRefused) {
  EXPECT_THROW(tables_in("XRUN Rate . . : 1 2 /hour\nDelay Maximum . . : 1 2 3 usecs\n"), Error);
  EXPECT_TRUE(tables_in("Delay Maximum was 3 usecs\nno table: 3\n").empty());
}

}  // namespace
}  // namespace xrunlab
