#include "saltus/viewing/watched_view.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

std::int64_t change_time(const struct stat& file) {
  return static_cast<std::int64_t>(file.st_mtim.tv_sec) * 1'000'000'000 + file.st_mtim.tv_nsec;
}

}  // namespace

WatchedView::WatchedView(std::string path) : path_(std::move(path)) { open(); }

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

template <class Read>
std::string WatchedView::read(const Read& read) {
  const std::lock_guard<std::mutex> guard(lock_);
  if (source_ && !is_replaced()) return read(*source_);
  try {
    if (source_) return read(*source_);
  } catch (const InputError&) {  // it was written on while we read
  }
  open();
  return read(*source_);
}

std::string WatchedView::state() {
  const std::lock_guard<std::mutex> guard(lock_);
  if (!source_ || is_replaced()) open();
  return fmt::format("{{\"frames\":{},\"finished\":{},\"revision\":{}}}", source_->frames(),
                     source_->is_finished(), revision_);
}

std::string WatchedView::model() {
  return read([](ViewSource& source) { return source.model(); });
}

std::string WatchedView::series() {
  return read([](ViewSource& source) { return source.series(all_frames(source)); });
}

std::string WatchedView::frame(std::int64_t number, const FrameWish& wish) {
  return read([&](ViewSource& source) { return source.frame(number, wish); });
}

}  // namespace saltus
