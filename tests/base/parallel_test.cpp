#include "saltus/base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "saltus/base/input_error.hpp"

namespace saltus::parallel_test {
namespace {

using Range = std::pair<std::int64_t, std::int64_t>;

std::set<Range> chunks_of(int threads, std::int64_t count, std::int64_t grain) {
  const ThreadScope scope(threads);
  std::mutex mutex;
  std::set<Range> chunks;
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    const std::lock_guard lock(mutex);
    chunks.insert({begin, end});
  });
  return chunks;
}

// Terms of both signs and many sizes: any other order of summation gives other bits.
double sum_of_terms(int threads, std::int64_t count, std::int64_t grain) {
  const ThreadScope scope(threads);
  const auto sum = [](std::int64_t begin, std::int64_t end) {
    double s = 0;
    for (std::int64_t i = begin; i < end; ++i)
      s += std::sin(static_cast<double>(i)) * std::exp(static_cast<double>(i % 40));
    return s;
  };
  return parallel_reduce(count, grain, 0.0, sum, [](double a, double b) { return a + b; });
}

TEST(ParallelFor, visits_every_index_once) {
  for (const int threads : {1, 2, 4}) {
    const ThreadScope scope(threads);
    for (const std::int64_t count : {0, 1, 99, 100, 101, 10007}) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
      parallel_for(count, 10, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      for (const auto& n : visits) ASSERT_EQ(n, 1);
    }
  }
}

TEST(ParallelFor, chunks_do_not_depend_on_the_number_of_threads) {
  const std::set<Range> expected = {{0, 7}, {7, 14}, {14, 20}};
  for (const int threads : {1, 2, 4, 0}) EXPECT_EQ(chunks_of(threads, 20, 7), expected) << threads;
}

TEST(ParallelFor, really_uses_the_threads_asked_for) {
  const ThreadScope scope(4);
  EXPECT_EQ(thread_count(), 4);
  std::atomic<int> together = 0;
  // Every body waits until four of them are inside, which one thread alone can never see.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  parallel_for(4, 1, [&](std::int64_t, std::int64_t) {
    ++together;
    while (together < 4 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  });
  EXPECT_LT(std::chrono::steady_clock::now(), deadline);
}

TEST(ParallelFor, one_thread_runs_inline_and_in_order) {
  const ThreadScope scope(1);
  const auto self = std::this_thread::get_id();
  std::vector<std::int64_t> order;
  parallel_for(50, 10, [&](std::int64_t begin, std::int64_t) {
    EXPECT_EQ(std::this_thread::get_id(), self);
    order.push_back(begin);
  });
  EXPECT_EQ(order, (std::vector<std::int64_t>{0, 10, 20, 30, 40}));
}

TEST(ParallelFor, a_loop_inside_a_loop_stays_on_its_thread) {
  const ThreadScope scope(4);
  parallel_for(16, 1, [](std::int64_t, std::int64_t) {
    const auto self = std::this_thread::get_id();
    EXPECT_EQ(thread_count(), 1);
    parallel_for(100, 1, [self](std::int64_t, std::int64_t) { EXPECT_EQ(std::this_thread::get_id(), self); });
  });
  EXPECT_EQ(thread_count(), 4);
}

TEST(ParallelFor, an_exception_reaches_the_caller) {
  for (const int threads : {1, 4}) {
    const ThreadScope scope(threads);
    const auto fail = [](std::int64_t begin, std::int64_t) {
      if (begin == 3) throw std::runtime_error("three");
    };
    EXPECT_THROW(parallel_for(10, 1, fail), std::runtime_error);
    EXPECT_EQ(thread_count(), threads);
  }
}

TEST(ParallelReduce, gives_the_same_bits_for_every_number_of_threads) {
  for (const std::int64_t count : {0, 1, 1000, 123457}) {
    const double one = sum_of_terms(1, count, 16);
    for (const int threads : {2, 3, 4}) EXPECT_EQ(sum_of_terms(threads, count, 16), one) << threads;
  }
}

TEST(ParallelReduce, joins_chunks_from_left_to_right) {
  const ThreadScope scope(4);
  const std::string text = parallel_reduce(
      26, 4, std::string(">"),
      [](std::int64_t begin, std::int64_t end) {
        std::string part;
        for (std::int64_t i = begin; i < end; ++i) part += static_cast<char>('a' + i);
        return part;
      },
      [](std::string a, const std::string& b) { return a + b; });
  EXPECT_EQ(text, ">abcdefghijklmnopqrstuvwxyz");
}

TEST(ParallelReduce, many_indices_with_a_small_grain_still_reach_all_of_them) {
  const ThreadScope scope(2);
  const auto count = [](std::int64_t begin, std::int64_t end) { return end - begin; };
  const auto add = [](std::int64_t a, std::int64_t b) { return a + b; };
  for (const std::int64_t n : {kReduceChunks - 1, kReduceChunks, kReduceChunks + 1, std::int64_t{1000003}})
    EXPECT_EQ(parallel_reduce(n, 1, std::int64_t{0}, count, add), n);
}

TEST(AppendInWaves, gives_the_order_of_one_thread_for_every_number_of_threads) {
  constexpr std::int64_t kCount = 5000, kGrain = 7;  // three waves of 256 chunks
  const auto squares_of_odd = [](std::int64_t begin, std::int64_t end, std::vector<std::int64_t>& found) {
    for (std::int64_t i = begin; i < end; ++i)
      if (i % 2 == 1) found.push_back(i * i);
  };
  std::vector<std::int64_t> expected = {-1};
  squares_of_odd(0, kCount, expected);
  std::vector<std::vector<std::int64_t>> lists;
  for (const int threads : {1, 2, 5}) {
    const ThreadScope scope(threads);
    std::vector<std::int64_t> found = {-1};
    append_in_waves(kCount, kGrain, lists, found, squares_of_odd);
    EXPECT_EQ(found, expected) << threads << " threads";
  }
}

TEST(ThreadScope, the_outer_number_returns_when_the_scope_ends) {
  EXPECT_EQ(thread_count(), 1);
  const ThreadScope outer(3);
  {
    const ThreadScope inner(1);
    EXPECT_EQ(thread_count(), 1);
  }
  EXPECT_EQ(thread_count(), 3);
}

TEST(ThreadScope, a_negative_number_is_an_input_error) {
  try {
    const ThreadScope scope(-2);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "threads: not a number of threads: got -2, allowed: 0 or more");
  }
}

}  // namespace
}  // namespace saltus::parallel_test
