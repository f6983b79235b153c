#include "saltus/base/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <string>

#include "saltus/base/input_error.hpp"

namespace saltus {

// The control lets TBB run as many threads as asked for even on fewer cores.
struct ThreadScope::Pool {
  explicit Pool(int count)
      : threads(count),
        control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count)),
        arena(count) {}

  int threads;
  tbb::global_control control;
  tbb::task_arena arena;
};

namespace {

thread_local ThreadScope::Pool* current_pool = nullptr;
thread_local bool inside_loop = false;

struct InsideLoop {
  bool outer = std::exchange(inside_loop, true);
  ~InsideLoop() { inside_loop = outer; }
};

}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (threads < 0)
    throw InputError("threads", "not a number of threads", std::to_string(threads), "0 or more");
  if (threads == 0) threads = tbb::this_task_arena::max_concurrency();
  if (threads > 1) pool_ = std::make_unique<ThreadScope::Pool>(threads);
}
ThreadPool::~ThreadPool() = default;
ThreadPool::ThreadPool(ThreadPool&&) noexcept = default;
ThreadPool& ThreadPool::operator=(ThreadPool&&) noexcept = default;

ThreadScope::ThreadScope(int threads) : outer_(current_pool) {
  pool_ = std::move(ThreadPool(threads).pool_);
  current_pool = pool_.get();
}

ThreadScope::ThreadScope(const ThreadPool& pool) : outer_(current_pool) { current_pool = pool.pool_.get(); }

ThreadScope::~ThreadScope() { current_pool = outer_; }

int thread_count() { return current_pool && !inside_loop ? current_pool->threads : 1; }

void detail::run_chunks(std::int64_t chunks, void (*run)(void*, std::int64_t), void* context) {
  if (chunks <= 1 || thread_count() == 1) {
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) run(context, chunk);
    return;
  }
  current_pool->arena.execute([=] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, chunks, 1),
        [=](const tbb::blocked_range<std::int64_t>& range) {
          const InsideLoop mark;
          for (std::int64_t chunk = range.begin(); chunk < range.end(); ++chunk) run(context, chunk);
        },
        tbb::simple_partitioner());
  });
}

}  // namespace saltus
