#include "saltus/files/output_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "saltus/base/input_error.hpp"

namespace saltus {

namespace {

// The holder before may have removed the file after it was opened here.
bool is_still_there(int descriptor, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

}  // namespace

OutputLock::OutputLock(const std::string& path) : lock_(path + ".lock") {
  while (descriptor_ < 0) {
    const int opened = ::open(lock_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (opened < 0) return;
    if (::flock(opened, LOCK_EX | LOCK_NB) == 0 && is_still_there(opened, lock_)) {
      descriptor_ = opened;
      return;
    }
    const int error = errno;
    const bool there = is_still_there(opened, lock_);
    ::close(opened);
    if (!there) continue;
    if (error == EWOULDBLOCK)
      throw InputError(path,
                       "another run is writing this file: wait for it, stop it, or choose another --out");
    return;
  }
}

OutputLock::~OutputLock() {
  if (descriptor_ < 0) return;
  ::unlink(lock_.c_str());
  ::close(descriptor_);
}

}  // namespace saltus
