#include "saltus/drawing/movie.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <vector>

#include "saltus/base/input_error.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/files/trajectory_files.hpp"

extern char** environ;

namespace saltus {

namespace {

// How each kind is coded: good enough for a talk, and played by every browser.
const std::map<std::string, std::vector<std::string>>& codings() {
  static const std::map<std::string, std::vector<std::string>> all = {
      {".mp4",
       {"-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags",
        "+faststart", "-f", "mp4"}},
      {".webm",
       {"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-row-mt", "1", "-pix_fmt", "yuv420p", "-f",
        "webm"}},
      // A palette of the film's own colours.
      {".gif",
       {"-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=sierra2_4a", "-f",
        "gif"}}};
  return all;
}

std::string ending(const std::string& path) { return std::filesystem::path(path).extension().string(); }

}  // namespace

void check_movie_name(const std::string& path) {
  if (codings().count(ending(path)) == 0)
    throw InputError(path, "kind of film", ending(path).empty() ? "none" : ending(path),
                     ".mp4, .webm or .gif");
}

Movie::Movie(const std::string& path, int width, int height, double pictures_per_second)
    : path_(path),
      place_(follow_links(path)),
      picture_(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
  assert(width % 2 == 0 && height % 2 == 0);
  check_movie_name(path);
  temporary_ = make_part(place_);
  std::vector<std::string> words = {"ffmpeg",    "-y",
                                    "-loglevel", "error",
                                    "-f",        "rawvideo",
                                    "-pix_fmt",  "bgr0",
                                    "-s",        fmt::format("{}x{}", width, height),
                                    "-r",        fmt::format("{}", pictures_per_second),
                                    "-i",        "pipe:0",
                                    "-an"};
  const std::vector<std::string>& coding = codings().at(ending(path));
  words.insert(words.end(), coding.begin(), coding.end());
  words.push_back("file:" + temporary_);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  int ends[2] = {-1, -1};
  words_ = ::memfd_create("saltus-movie", MFD_CLOEXEC);
  if (words_ < 0 || ::pipe2(ends, O_CLOEXEC) != 0) {
    ::unlink(temporary_.c_str());
    throw OutputError(path_, "no memory for a pipe to ffmpeg");
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, words_, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, words_, STDERR_FILENO);
  const int error = ::posix_spawnp(&process_, "ffmpeg", &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  input_ = ends[1];
  if (error == 0) return;
  ::close(input_), ::close(words_), ::unlink(temporary_.c_str());
  process_ = input_ = words_ = -1;
  throw InputError(path_,
                   "ffmpeg is not installed: it makes the films (Debian: apt install ffmpeg); --every N "
                   "--out FOLDER gives "
                   "the pictures without it");
}

Movie::~Movie() {
  if (process_ < 0 && words_ < 0) return;
  if (process_ > 0) {
    ::kill(process_, SIGTERM);
    end_ffmpeg();
  }
  if (words_ >= 0) ::close(words_);
  ::unlink(temporary_.c_str());
}

void Movie::add(std::string_view pixels) {
  assert(pixels.size() == picture_);
  // Writing to a pipe whose reader is gone must be an error, not the end of the program.
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  bool good = true;
  while (good && !pixels.empty()) {
    const ssize_t written = ::write(input_, pixels.data(), pixels.size());
    good = written >= 0 || errno == EINTR;
    if (written > 0) pixels.remove_prefix(static_cast<std::size_t>(written));
  }
  ::sigaction(SIGPIPE, &before, nullptr);
  if (!good) {
    end_ffmpeg();
    fail();
  }
}

int Movie::end_ffmpeg() {
  ::close(input_);
  input_ = -1;
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string Movie::read_words() const {
  std::string said(400, '\0');
  ::lseek(words_, 0, SEEK_SET);
  const ssize_t size = ::read(words_, said.data(), said.size());
  said.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return said;
}

void Movie::fail() {
  std::string said = read_words();
  for (char& c : said)
    if (c == '\n' || c == '\r') c = ' ';
  while (!said.empty() && said.back() == ' ') said.pop_back();
  throw OutputError(path_, said.empty() ? "ffmpeg gave up" : "ffmpeg says: " + said);
}

void Movie::finish() {
  // It may end well although it could not write the last of a file, but then it has said so.
  if (end_ffmpeg() != 0 || !read_words().empty()) fail();
  if (::rename(temporary_.c_str(), place_.c_str()) != 0)
    throw OutputError(path_, "it cannot be moved to its place");
  ::close(words_);
  words_ = -1;
}

}  // namespace saltus
