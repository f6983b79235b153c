// Contact updates per second of nlgs on one thread, and what memory would allow.
//
//     nlgs_throughput FILE...
//
// Model of the bound: a sweep must stream, once, the blocks of W with their column indices and,
// per contact, two offsets, b, mu, and r in and out:
//
//     bytes = blocks (8 block^2 + 4) + contacts (8 + 8 block + 8 + 16 block)
//
// The bound is that many bytes at the rate at which the same thread, in the same run, sums an
// array of the same size: a problem that fits a cache is held against the cache. Impulses of
// neighbours are taken to be in cache already, and the local solve to cost nothing.
//
// Each problem is taken as it is, and again as many times side by side (W block diagonal) as it
// takes to exceed every cache: kLargeBytes. Copies keep the locality of the problem.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "saltus/base/input_error.hpp"
#include "saltus/base/timer.hpp"
#include "saltus/fclib/fc_problem_file.hpp"
#include "saltus/solvers/sweeps/matrix_sweeps.hpp"

namespace saltus {
namespace {

constexpr double kLargeBytes = 256e6;
constexpr double kSecondsPerMeasure = 0.5;

double streamed_bytes(const ContactProblem& problem) {
  const double block = problem.W.block;
  return problem.W.blocks() * (8 * block * block + 4) + problem.contacts() * (16 + 24 * block);
}

ContactProblem build_copies(const ContactProblem& one, int copies) {
  ContactProblem many = one;
  const std::size_t numbers = std::size_t(one.W.blocks()) * one.W.block * one.W.block;
  const std::size_t padding = one.W.value.size() - numbers;
  many.W.value.resize(numbers);
  for (int copy = 1; copy < copies; ++copy) {
    const int blocks = copy * one.W.blocks(), rows = copy * one.W.rows;
    for (int row = 0; row < one.W.rows; ++row) {
      many.W.row_begin.push_back(blocks + one.W.row_begin[row + 1]);
      many.W.diagonal.push_back(blocks + one.W.diagonal[row]);
    }
    for (const int column : one.W.column) many.W.column.push_back(rows + column);
    many.W.value.insert(many.W.value.end(), one.W.value.begin(),
                        one.W.value.begin() + std::ptrdiff_t(numbers));
  }
  many.W.rows = copies * one.W.rows;
  many.W.value.resize(many.W.value.size() + padding, 0.0);
  many.b = one.b.replicate(copies, 1);
  many.mu = one.mu.replicate(copies, 1);
  if (one.mu_r.size()) many.mu_r = one.mu_r.replicate(copies, 1);
  return many;
}

// Bytes per second at which one thread reads `bytes` over and over: the best of several passes,
// since whatever else runs on the machine only takes away.
double measure_bandwidth(double bytes) {
  using Four = double __attribute__((vector_size(32)));
  const std::size_t count = std::max<std::size_t>(64, std::size_t(bytes / sizeof(Four)) / 8 * 8);
  const std::vector<Four> data(count, Four{1, 1, 1, 1});
  const int passes_per_sample = std::max(1, int(2e7 / bytes));
  double best = 0;
  volatile double sink = 0;
  for (const Stopwatch total; total.seconds() < kSecondsPerMeasure;) {
    const Stopwatch cpu(Clock::thread_cpu);
    for (int pass = 0; pass < passes_per_sample; ++pass) {
      Four sums[8] = {};
      for (std::size_t i = 0; i < count; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += data[i + lane];
      Four sum = {};
      for (const Four& part : sums) sum += part;
      sink = sink + sum[0] + sum[1] + sum[2] + sum[3];
    }
    best = std::max(best, double(passes_per_sample) * double(count * sizeof(Four)) / cpu.seconds());
  }
  return best;
}

// Mean over sweeps of an iteration that is under way: the first ones meet contacts that open.
double measure_updates_per_second(const ContactProblem& problem) {
  MatrixSweeps nlgs(problem);
  Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.size());
  for (int sweep = 0; sweep < 10; ++sweep) nlgs.sweep(r);
  const std::int64_t before = nlgs.contact_updates();
  const Stopwatch cpu(Clock::thread_cpu);
  while (cpu.seconds() < kSecondsPerMeasure) nlgs.sweep(r);
  return double(nlgs.contact_updates() - before) / cpu.seconds();
}

void measure(const std::string& label, const ContactProblem& problem, int copies) {
  const ContactProblem many = copies > 1 ? build_copies(problem, copies) : problem;
  const double bytes = streamed_bytes(many), per_update = bytes / many.contacts();
  const double rate = measure_updates_per_second(many);
  const double bandwidth = measure_bandwidth(bytes);
  fmt::print("{},{},{},{},{:.1f},{:.0f},{:.3f},{:.2f},{:.2f},{:.2f}\n", label, copies, many.W.block,
             many.contacts(), double(many.W.blocks()) / many.contacts(), per_update, bytes / 1e6, rate / 1e6,
             bandwidth / 1e9, rate * per_update / bandwidth);
  std::fflush(stdout);
}

void measure_file(const std::string& path) {
  const FcProblemFile file = read_fc_problem(path);
  const auto* local = std::get_if<ContactProblem>(&file.problem);
  const ContactProblem problem = local ? *local : condense(std::get<GlobalProblem>(file.problem));
  if (problem.contacts() == 0) return;
  const std::string label = std::filesystem::path(path).filename().string();
  measure(label, problem, 1);
  measure(label, problem, int(kLargeBytes / streamed_bytes(problem)) + 1);
}

}  // namespace
}  // namespace saltus

int main(int argc, char** argv) {
  fmt::print(
      "problem,copies,block,contacts,blocks_per_contact,bytes_per_update,sweep_MB,updates_M_per_s,stream_GB_"
      "per_s,"
      "fraction_of_bound\n");
  try {
    for (int i = 1; i < argc; ++i) saltus::measure_file(argv[i]);
  } catch (const saltus::InputError& error) {
    fmt::print(stderr, "nlgs_throughput: {}\n", error.what());
    return 2;
  }
  return 0;
}
