// One run writes an output file at a time.
//
// The lock is the system's (flock on PATH.lock): it is free again however the process that held it ended.
#pragma once

#include <string>

namespace saltus {

class OutputLock {
 public:
  // Throws InputError when another process writes PATH. Where locks or new files are not possible there is
  // none: then nobody writes there, or the file system does not know locks.
  explicit OutputLock(const std::string& path);
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;

 private:
  std::string lock_;
  int descriptor_ = -1;
};

}  // namespace saltus
