// Tables of numbers in CSV files.
#pragma once

#include <string>
#include <vector>

namespace saltus {

struct CsvTable {
  std::vector<std::string> columns;  // of the first line that is not a comment (#)
  std::vector<double> numbers;       // row by row
  std::vector<int> lines;            // of each row, for messages
  std::string path;

  std::size_t rows() const { return lines.size(); }
  double at(std::size_t row, int column) const {
    return numbers[row * columns.size() + static_cast<std::size_t>(column)];
  }
  int find(const std::string& column) const;  // -1: none
  std::string where(std::size_t row) const;
};

// Numbers separated by commas, all finite; or by semicolons or tabs, as the first line has it, and then a
// comma may be the decimal sign. A byte order mark and carriage returns are skipped. `allowed` are the names
// of columns that may be there, `required` those that must. Throws InputError with path:line; a misspelt
// column gets the nearest name.
CsvTable parse_csv(const std::string& content, const std::string& path,
                   const std::vector<std::string>& required, const std::vector<std::string>& allowed);

}  // namespace saltus
