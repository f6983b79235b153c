// Damaged HDF5 containers, read in a child process with limits: whatever the HDF5 library makes
// of them, a child must end by itself, with a problem or an InputError, within its memory and time.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <random>

#include "files/hdf5_edit.hpp"
#include "saltus/base/input_error.hpp"

namespace saltus::damaged_container_test {
namespace {

enum Outcome { kRead = 0, kRefused = 1, kOtherException = 2 };

void limit(int resource, rlim_t value) {
  const rlimit limits{value, value};
  ::setrlimit(resource, &limits);
}

Outcome read_quietly(const std::string& bytes, const std::string& path) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  try {
    read_fc_problem(path);
    return kRead;
  } catch (const InputError&) {
    return kRefused;
  } catch (...) {
    return kOtherException;
  }
}

// gcc and clang tell differently; the address sanitizer reserves terabytes of address space.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressSpaceCanBeLimited = false;
#else
constexpr bool kAddressSpaceCanBeLimited = true;
#endif

// Exit status of a child that reads the bytes, or minus the signal that ended it.
int read_in_child(const std::string& bytes) {
  const TemporaryFile place("damaged.hdf5");
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr rlim_t kMemory = rlim_t(1) << 30;
    if (kAddressSpaceCanBeLimited) limit(RLIMIT_AS, kMemory);
    limit(RLIMIT_CPU, 10);
    limit(RLIMIT_CORE, 0);
    ::_exit(read_quietly(bytes, place.path()));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string whole_container() {
  const TemporaryFile place("whole.hdf5");
  FcProblemFile file = small_local_file();
  file.solution = FcSolution{Eigen::VectorXd::Ones(6), Eigen::VectorXd::Zero(6), {}, {}};
  write_fclib(place.path(), file);
  std::ifstream stream(place.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(DamagedContainer, the_undamaged_one_is_read) { EXPECT_EQ(read_in_child(whole_container()), kRead); }

TEST(DamagedContainer, every_truncation_is_refused) {
  const std::string whole = whole_container();
  for (std::size_t length = 1; length < whole.size(); length += 1 + whole.size() / 60)
    EXPECT_EQ(read_in_child(whole.substr(0, length)), kRefused)
        << length << " of " << whole.size() << " bytes";
}

// Flipped bytes may fall on data or on unused space, so reading may succeed; ending by a signal may not.
TEST(DamagedContainer, flipped_bytes_end_no_reader_by_a_signal) {
  const std::string whole = whole_container();
  std::mt19937 engine(20240607);
  std::uniform_int_distribution<std::size_t> place(0, whole.size() - 1);
  std::uniform_int_distribution<int> value(0, 255), count(1, 8);
  int read = 0, refused = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::string damaged = whole;
    for (int k = count(engine); k > 0; --k) damaged[place(engine)] = static_cast<char>(value(engine));
    const int outcome = read_in_child(damaged);
    EXPECT_TRUE(outcome == kRead || outcome == kRefused) << "trial " << trial << ": " << outcome;
    read += outcome == kRead;
    refused += outcome == kRefused;
  }
  RecordProperty("read", read);
  RecordProperty("refused", refused);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace saltus::damaged_container_test
