// The summary of a run as JSON: what was done, how true it is, what it cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "saltus/sim/simulation.hpp"

namespace saltus {

struct SummaryContext {
  std::string program;
  std::string output;   // path of the trajectory
  std::string outcome;  // "finished", "interrupted" or "not_finite"
  std::int64_t frames = 0;
  double output_seconds = 0;        // CPU time of the writer
  double wall_seconds = 0;          // of this process
  std::string stopped;              // the condition that ended the run before its time; empty: none
  std::string failure;              // why the run could not go on; empty: it did not fail
  std::vector<std::string> rested;  // when and why velocities became zero
};

template <int Dim>
std::string format_summary(const Simulation<Dim>& simulation, const SummaryContext& context);

// "266 at the start, 12 broke" from such a summary; empty: no bonds.
std::string describe_bonds(const std::string& summary);
// The same of step control: steps taken, halved, the shortest.
std::string describe_step_control(const std::string& summary);

// Largest resident size of this process so far.
std::int64_t peak_memory_bytes();

// "812 MB, 8.1 kB per body": the second part where bodies, not the program, take the memory.
std::string format_memory(std::int64_t bytes, int bodies);

}  // namespace saltus
