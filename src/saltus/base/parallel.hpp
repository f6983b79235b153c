// Loops on several threads whose result does not depend on how many there are.
//
// A range [0, count) is cut into chunks that depend on count and grain alone. Threads take
// chunks in any order, so a body may write only what belongs to its own chunk; a reduction
// joins the chunks from left to right. Same input, same bits, for 1 thread or 64.
//
// The number of threads is that of the innermost ThreadScope alive on the calling thread,
// 1 without any. With 1, and for loops inside a parallel loop, the chunks run inline.
// If bodies throw, one of the exceptions reaches the caller.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace saltus {

class ThreadPool;

class ThreadScope {
 public:
  explicit ThreadScope(int threads);  // 0: one per core; InputError when negative
  explicit ThreadScope(const ThreadPool& pool);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

  struct Pool;

 private:
  std::unique_ptr<Pool> pool_;
  Pool* outer_;
};

// Threads that are kept between scopes: making them takes longer than a short loop.
class ThreadPool {
 public:
  explicit ThreadPool(int threads);  // as ThreadScope
  ~ThreadPool();
  ThreadPool(ThreadPool&&) noexcept;
  ThreadPool& operator=(ThreadPool&&) noexcept;

 private:
  friend class ThreadScope;
  std::unique_ptr<ThreadScope::Pool> pool_;  // none: one thread
};

int thread_count();

namespace detail {
// Calls run(context, chunk) for every chunk in [0, chunks).
void run_chunks(std::int64_t chunks, void (*run)(void*, std::int64_t), void* context);
}  // namespace detail

// Calls body(begin, end) for every chunk of at most `grain` indices.
template <class Body>
void parallel_for(std::int64_t count, std::int64_t grain, Body&& body) {
  struct Context {
    std::int64_t count, grain;
    std::remove_reference_t<Body>* body;
  } context{count, std::max<std::int64_t>(1, grain), &body};
  const auto run = [](void* opaque, std::int64_t chunk) {
    const Context& c = *static_cast<Context*>(opaque);
    (*c.body)(chunk * c.grain, std::min(c.count, (chunk + 1) * c.grain));
  };
  detail::run_chunks((count + context.grain - 1) / context.grain, run, &context);
}

// join(...join(join(identity, map(chunk 0)), map(chunk 1))..., map(last chunk)), where
// map(begin, end) gives a T. Partial results live on the stack: chunks grow beyond `grain`
// when there would be more than kReduceChunks of them.
inline constexpr std::int64_t kReduceChunks = 256;

template <class T, class Map, class Join>
T parallel_reduce(std::int64_t count, std::int64_t grain, T identity, Map&& map, Join&& join) {
  grain = std::max({std::int64_t{1}, grain, (count + kReduceChunks - 1) / kReduceChunks});
  std::array<T, kReduceChunks> partial;
  parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
    partial[static_cast<std::size_t>(begin / grain)] = map(begin, end);
  });
  T result = std::move(identity);
  for (std::int64_t chunk = 0; chunk * grain < count; ++chunk)
    result = join(std::move(result), std::move(partial[static_cast<std::size_t>(chunk)]));
  return result;
}

// Appends to `out` what find(begin, end, list) appends to its list for every chunk of `grain` indices, in
// their order. `lists` are kept by the caller for the next time; they are joined wave by wave, so that few
// hold anything at a time.
template <class T, class Find>
void append_in_waves(std::int64_t count, std::int64_t grain, std::vector<std::vector<T>>& lists,
                     std::vector<T>& out, Find&& find) {
  constexpr std::int64_t kListsPerWave = 256;
  if (thread_count() == 1) {
    find(std::int64_t{0}, count, out);
    return;
  }
  lists.resize(kListsPerWave);
  const std::int64_t wave = grain * kListsPerWave;
  for (std::int64_t first = 0; first < count; first += wave) {
    for (std::vector<T>& list : lists) list.clear();
    parallel_for(std::min(wave, count - first), grain, [&](std::int64_t begin, std::int64_t end) {
      find(first + begin, first + end, lists[static_cast<std::size_t>(begin / grain)]);
    });
    for (const std::vector<T>& list : lists) out.insert(out.end(), list.begin(), list.end());
  }
}

}  // namespace saltus
