#include "saltus/viewing/watched_view.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

constexpr int kMostTurns = 20;  // a run leaves a file once a second or so

std::int64_t change_time(const struct stat& file) {
  return static_cast<std::int64_t>(file.st_mtim.tv_sec) * 1'000'000'000 + file.st_mtim.tv_nsec;
}

}  // namespace

WatchedView::WatchedView(std::string path) : path_(std::move(path)) { state(); }

void WatchedView::open() {
  struct stat file {};
  if (stat(path_.c_str(), &file) == 0) {
    device_ = file.st_dev, node_ = file.st_ino;
    size_ = file.st_size, changed_ = change_time(file);
  }
  source_.reset();
  source_ = open_view(path_);
  ++revision_;
}

bool WatchedView::is_replaced() const {
  struct stat file {};
  return stat(path_.c_str(), &file) == 0 && (file.st_dev != device_ || file.st_ino != node_ ||
                                             file.st_size != size_ || change_time(file) != changed_);
}

// The file of a name is whole at every moment, but the one that was opened may have been left since, and written on: only then
// is a failure none of the file, and the file of now tried.
template <class Read>
std::string WatchedView::read(bool newest, const Read& read) {
  const std::lock_guard<std::mutex> guard(lock_);
  for (int turn = 1;; ++turn) try {
      if (!source_ || ((newest || turn > 1) && is_replaced())) open();
      return read(*source_);
    } catch (const InputError&) {
      if (turn == kMostTurns || !is_replaced()) throw;
    }
}

std::string WatchedView::state() {
  return read(true, [this](ViewSource& source) {
    return fmt::format("{{\"frames\":{},\"finished\":{},\"revision\":{}}}", source.frames(),
                       source.is_finished(), revision_);
  });
}

std::string WatchedView::model() {
  return read(false, [](ViewSource& source) { return source.model(); });
}

std::string WatchedView::series() {
  return read(false, [](ViewSource& source) { return source.series(all_frames(source)); });
}

std::string WatchedView::frame(std::int64_t number, const FrameWish& wish) {
  return read(false, [&](ViewSource& source) { return source.frame(number, wish); });
}

}  // namespace saltus
