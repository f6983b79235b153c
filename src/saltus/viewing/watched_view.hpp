// A trajectory that may still be written: what is shown grows with it.
//
// A run exchanges two files under one name at every flush (trajectories/trajectory_writer.hpp), and then writes on in the one
// that was just left. So the file is opened anew when the name stands for another one, and when reading or opening fails because it does by now.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "saltus/viewing/view_source.hpp"

namespace saltus {

// All functions may be called by several threads; one reads at a time, for HDF5 has no threads.
class WatchedView {
 public:
  // Throws InputError.
  explicit WatchedView(std::string path);

  std::string
  state();  // JSON: {"frames", "finished", "revision"}; the revision grows when the file was replaced
  std::string model();
  std::string series();
  std::string frame(std::int64_t number, const FrameWish& wish);

 private:
  void open();
  bool is_replaced() const;
  template <class Read>
  std::string read(
      bool newest,
      const Read& read);  // under the lock, again with the file of now when it was left; newest: from it

  std::string path_;
  std::mutex lock_;
  std::unique_ptr<ViewSource> source_;
  std::uint64_t device_ = 0, node_ = 0;
  std::int64_t size_ = -1, changed_ = -1;  // ns
  std::int64_t revision_ = 0;
};

}  // namespace saltus
