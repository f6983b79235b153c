// Lines of a text as words, with their numbers: how files of other programs are read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace saltus {

class WordLines {
 public:
  // Words are separated by white space, commas and semicolons.
  WordLines(std::string_view text, std::string where, std::size_t lines_before = 0)
      : text_(text), where_(std::move(where)), line_(lines_before) {}

  // The next line that has words before a '#'; false at the end of the text. `comments` are what follows the '#', of
  // the lines passed over and, last, of this one.
  bool next();
  std::size_t line() const { return line_; }
  const std::vector<std::string_view>& words() const { return words_; }
  const std::vector<std::string>& comments() const { return comments_; }
  std::size_t left() const { return text_.size() - at_; }  // bytes

  // The word as a number; InputError at where:line with the name and the word.
  double real(std::size_t word, std::string_view name) const;  // finite
  std::int64_t integer(std::size_t word, std::string_view name) const;
  std::string place() const;  // where:line
  [[noreturn]] void fail(const std::string& what, const std::string& value = {},
                         const std::string& allowed = {}) const;

 private:
  std::string_view text_;
  std::string where_;
  std::vector<std::string> comments_;
  std::size_t at_ = 0, line_ = 0;
  std::vector<std::string_view> words_;
};

}  // namespace saltus
