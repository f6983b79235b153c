// Tokens of a text in memory, with the line each stands on.
//
// Numbers are read without regard to the locale. Every failure is an InputError at
// "where:line". Nothing is allocated on the way: callers ask `require` before they reserve
// space for a count that the text announces.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace saltus {

class TextScanner {
 public:
  // `line` is the number of the first line.
  TextScanner(std::string_view text, std::string where, std::size_t line = 1)
      : text_(text), where_(std::move(where)), line_(line), token_line_(line) {}

  // The next run of characters that are not white space; empty at the end of the text.
  std::string_view token();
  // The rest of the current line, its end consumed.
  std::string_view rest_of_line();
  std::size_t offset() const { return at_; }
  std::size_t left() const { return text_.size() - at_; }
  std::size_t line() const { return token_line_; }  // of what was read last

  // Bytes as they are, for texts with binary parts; throws when fewer are left. From then on failures tell the byte
  // instead of the line.
  std::string_view bytes(std::string_view name, std::uint64_t count);
  bool starts_with(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  // Goes on behind the next place where `word` stands. False, and nothing is skipped, when there is none.
  bool skip_past(std::string_view word);

  // `name` is what the number is called in messages.
  std::int64_t integer(std::string_view name, std::int64_t lowest, std::int64_t highest);
  std::vector<int> integers(std::string_view name, std::int64_t count, std::int64_t lowest,
                            std::int64_t highest);
  double real(std::string_view name, std::int64_t index = -1);
  Eigen::VectorXd reals(std::string_view name, std::int64_t count);
  Eigen::VectorXd friction(std::string_view name, std::int64_t count);  // reals >= 0
  void expect(std::string_view word);

  // Throws unless `count` more tokens could stand in what is left of the text.
  void require(std::string_view name, std::int64_t count) const;
  std::size_t count_remaining_tokens();

  [[noreturn]] void fail(const std::string& what, const std::string& value = {},
                         const std::string& allowed = {}) const;

 private:
  void skip_space();
  std::string place() const;

  std::string_view text_;
  std::string where_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;        // of `at_`
  std::size_t token_line_ = 1;  // of the last token: where errors are reported
  bool in_bytes_ = false;       // bytes were read: lines mean nothing
};

}  // namespace saltus
