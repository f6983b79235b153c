// Films by ffmpeg: pictures go to it through a pipe, one after the other.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

namespace saltus {

// Throws InputError unless the name ends in .mp4, .webm or .gif.
void check_movie_name(const std::string& path);

class Movie {
 public:
  // Sizes in pixels, even. Throws InputError when ffmpeg is not there (with what to do). The film takes its place
  // when it is finished, whole or not at all.
  Movie(const std::string& path, int width, int height, double pictures_per_second);
  ~Movie();  // without `finish`: leaves no trace
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  // As Canvas::pixels. Throws OutputError with the words of ffmpeg when it has given up (a full disk...).
  void add(std::string_view pixels);
  void finish();

 private:
  int end_ffmpeg();                // its exit status, -1: a signal
  std::string read_words() const;  // what it said, errors only
  [[noreturn]] void fail();

  std::string path_, place_, temporary_;
  std::size_t picture_ = 0;  // bytes
  pid_t process_ = -1;
  int input_ = -1, words_ = -1;  // pipe to it; file in memory of what it says
};

}  // namespace saltus
