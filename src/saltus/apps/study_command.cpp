#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>

#include "saltus/apps/command.hpp"
#include "saltus/base/input_error.hpp"
#include "saltus/base/log.hpp"
#include "saltus/base/progress.hpp"
#include "saltus/files/output_error.hpp"
#include "saltus/files/output_place.hpp"
#include "saltus/running/study.hpp"
#include "saltus/running/trajectory_run.hpp"
#include "saltus/scenes/scene_library.hpp"
#include "saltus/scenes/scene_reader.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the caller

namespace saltus {

namespace {

struct StudyCommand {
  std::string file, out;
  int jobs = 2;
  bool collect_only = false, force = false;
};

// One process of the program; what it says goes to a file.
struct Task {
  std::string name;
  std::vector<std::string> arguments;
  std::string log;
};

struct Failure {
  std::string name, reason;
};

constexpr useconds_t kPause = 10'000;  // us

volatile std::sig_atomic_t stopped = 0;
void on_stop(int signal) { stopped = signal; }

pid_t start(const Task& task) {
  std::vector<std::string> words = {"saltus"};
  words.insert(words.end(), task.arguments.begin(), task.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, task.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = -1;
  const int error = ::posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw OutputError(task.log, "a process of the study cannot be started");
  return child;
}

// Why a case failed: what it said last. On a full disk it could not even say that.
std::string last_words(const std::string& log, bool unwritten) {
  std::ifstream stream(log);
  std::string line, last;
  while (std::getline(stream, line))
    if (!line.empty()) last = line;
  if (!last.empty()) return last;
  return unwritten ? "its output cannot be written, nor could its log (disk full?)" : "its log is empty";
}

// Runs the tasks, `jobs` at a time. A failed one is listed, the others go on. After Ctrl-C (which the
// children get too and answer with a checkpoint), SIGTERM or SIGHUP (which are passed on) nothing new is
// started.
std::vector<Failure> run_tasks(const std::vector<Task>& tasks, int jobs, const std::string& title) {
  std::vector<Failure> failures;
  std::map<pid_t, std::size_t> running;
  std::size_t next = 0, done = 0;
  bool passed_on = false;
  Progress progress(title, static_cast<double>(tasks.size()));
  while (done < tasks.size() || !running.empty()) {
    while (!stopped && next < tasks.size() && running.size() < static_cast<std::size_t>(jobs)) {
      running[start(tasks[next])] = next;
      ++next;
    }
    if (running.empty()) break;
    if ((stopped == SIGTERM || stopped == SIGHUP) && !passed_on) {
      for (const auto& [other, task] : running) ::kill(other, stopped);
      passed_on = true;
    }
    int status = 0;
    const pid_t child = ::waitpid(-1, &status, WNOHANG);
    const auto at = running.find(child);
    if (at == running.end()) {
      // Looked at again soon, rather than waited for: a signal may come at any moment, and time passes.
      ::usleep(kPause);
      progress.update(static_cast<double>(done),
                      [&] { return fmt::format("{} of {} cases", done, tasks.size()); });
      continue;
    }
    const Task& task = tasks[at->second];
    const bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ok && !stopped) {
      const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      failures.push_back({task.name, fmt::format("{} ({})",
                                                 code >= 0 ? fmt::format("exit {}", code)
                                                           : fmt::format("signal {}", WTERMSIG(status)),
                                                 last_words(task.log, code == 4))});
    }
    running.erase(at);
    ++done;
    progress.update(static_cast<double>(done),
                    [&] { return fmt::format("{} of {} cases", done, tasks.size()); });
  }
  return failures;
}

// A run of the program that goes on where it was.
Task run_task(const std::string& name, const std::string& scene, const std::string& folder,
              const std::vector<std::string>& overrides, bool force) {
  const std::string base = folder + "/" + name;
  Task task{name, {"run", scene, "--out", base + ".h5", force ? "--force" : "--resume"}, base + ".log"};
  for (const std::string& set : overrides) task.arguments.insert(task.arguments.end(), {"--set", set});
  return task;
}

std::vector<Task> prepare_tasks(const Study& study, const std::vector<StudyCase>& cases,
                                const std::string& folder, bool force) {
  std::map<std::string, Task> tasks;
  for (const StudyCase& c : cases) {
    const std::string sample = folder + "/" + c.prepare_name + ".toml";
    const bool made = std::filesystem::exists(sample) && !force;
    if (c.prepare_name.empty() || tasks.count(c.prepare_name) || made) continue;
    Task task = run_task(c.prepare_name, study.prepare_scene, folder, c.prepare_overrides, force);
    task.arguments.insert(task.arguments.end(), {"--final-scene", sample});
    tasks.emplace(c.prepare_name, std::move(task));
  }
  std::vector<Task> list;
  for (auto& [name, task] : tasks) list.push_back(std::move(task));
  return list;
}

std::vector<std::string> case_overrides(const Study& study, const StudyCase& c, const std::string& folder) {
  std::vector<std::string> overrides = c.overrides;
  if (c.prepare_name.empty()) return overrides;
  const std::string sample = std::filesystem::absolute(folder + "/" + c.prepare_name + ".toml").string();
  for (const std::string& key : study.prepare_file_keys) overrides.push_back(key + "=\"" + sample + "\"");
  return overrides;
}

std::vector<Task> case_tasks(const Study& study, const std::vector<StudyCase>& cases,
                             const std::string& folder, bool force) {
  std::vector<Task> tasks;
  for (const StudyCase& c : cases)
    tasks.push_back(run_task(c.name, study.scene, folder, case_overrides(study, c, folder), force));
  return tasks;
}

// A scene that cannot be read with the values of some cases is told by these. One that none can read (a misspelt key, a scene that is
// not there) is told here, once.
void check_before_cases(const Study& study, const std::vector<StudyCase>& cases, const std::string& folder) {
  std::exception_ptr reason;
  for (const StudyCase& c : cases) {
    const std::vector<std::string> overrides = case_overrides(study, c, folder);
    try {
      read_scene(study.scene, overrides);
    } catch (const InputError&) {
      if (!reason) reason = std::current_exception();
      continue;
    }
    return check_results(study, overrides);
  }
  if (reason) std::rethrow_exception(reason);
}

// `check_scenes`: cases that were not just run, whose scene may have changed since. `first`: a trajectory that has a row.
MeasureTable collect(const Study& study, const std::vector<StudyCase>& cases, const std::string& folder,
                     bool check_scenes, std::vector<Failure>& failures, std::string& first) {
  MeasureTable table;
  for (const StudyParameter& p : study.parameters) {
    if (!p.words.empty()) table.words[table.columns.size()] = p.words;
    table.columns.push_back(p.name);
  }
  for (const StudyResult& r : study.results) table.columns.push_back(r.name);
  for (const StudyCase& c : cases) {
    const bool failed =
        std::any_of(failures.begin(), failures.end(), [&](const Failure& f) { return f.name == c.name; });
    const std::string path = folder + "/" + c.name + ".h5";
    if (failed || !std::filesystem::exists(path)) continue;
    try {
      if (check_scenes) check_same_run(path, read_scene(study.scene, case_overrides(study, c, folder)));
      const std::vector<double> results = collect_results(study, path);
      if (first.empty()) first = path;
      table.texts.push_back('"' + c.name + '"');
      std::replace(table.texts.back().begin(), table.texts.back().end(), ',', ' ');
      table.numbers.insert(table.numbers.end(), c.values.begin(), c.values.end());
      table.numbers.insert(table.numbers.end(), results.begin(), results.end());
    } catch (const InputError& error) {
      failures.push_back({c.name, error.what()});
    }
  }
  return table;
}

void catch_signals_of_study() {
  struct sigaction action = {}, before = {};
  action.sa_handler = on_stop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

std::vector<Failure> run_cases(const StudyCommand& command, const Study& study,
                               const std::vector<StudyCase>& cases, const std::string& folder,
                               const std::string& stem) {
  catch_signals_of_study();
  std::vector<Failure> failures =
      run_tasks(prepare_tasks(study, cases, folder, command.force), command.jobs, stem + ": samples");
  if (stopped) return failures;
  if (failures.empty()) check_before_cases(study, cases, folder);  // else some have no sample, and tell it
  const auto more = run_tasks(case_tasks(study, cases, folder, command.force), command.jobs, stem);
  failures.insert(failures.end(), more.begin(), more.end());
  return failures;
}

bool is_csv_of_study(const std::string& path) {
  std::ifstream stream(path);
  std::string head(5, '\0');
  return stream.read(head.data(), 5) && head == "case,";
}

// The CSV and the figures of the study: those that an earlier call of it left are replaced.
struct StudyOutputs {
  std::string csv;
  std::vector<std::string> figures;  // two for each figure of the study: .svg, .png
};

StudyOutputs claim_outputs(const StudyCommand& command, const Study& study, const std::string& base,
                           const std::string& folder) {
  OutputClaims claims(command.force);
  for (const std::string& input : {study.path, study.scene, study.prepare_scene}) claims.protect(input);
  const bool again = is_csv_of_study(base + ".csv");
  const auto is_own = [&](const std::string&) { return again; };
  StudyOutputs outputs{claims.claim("study", base + ".csv", OutputKind::stream, is_own), {}};
  for (const StudyFigure& figure : study.figures)
    for (const char* ending : {".svg", ".png"})
      outputs.figures.push_back(
          claims.claim("figures", folder + "/" + figure.file + ending, OutputKind::stream, is_own));
  return outputs;
}

void execute(const StudyCommand& command) {
  const Study study = read_study(find_scene(command.file));
  const std::vector<StudyCase> cases = build_cases(study);
  check_figures(study);
  const std::string stem = std::filesystem::path(command.file).stem().string();
  const std::string folder = command.out.empty() ? stem : command.out;
  make_folder(folder);
  const StudyOutputs outputs = claim_outputs(command, study, folder + "/" + stem, folder);
  std::vector<Failure> failures;
  if (!command.collect_only) failures = run_cases(command, study, cases, folder, stem);
  if (stopped) {
    log_info("{}: stopped; go on with: {}", command.file, format_words({"--force"}, {}));
    exit_with(kInterrupted);
  }
  std::string first;
  const MeasureTable table = collect(study, cases, folder, command.collect_only, failures, first);
  for (const Failure& failure : failures) log_error("{}: {}", failure.name, failure.reason);
  if (table.rows() == 0) {
    log_error("{}: no case has a result: {} is left as it was", command.file, outputs.csv);
    exit_with(kNotConverged);
  }
  write_output(outputs.csv, format_csv(table));
  fmt::print("{}: {} of {} cases in {}\n", stem, table.rows(), cases.size(), outputs.csv);
  const std::map<std::string, std::string> units = find_units(study, first);
  for (std::size_t i = 0; i < outputs.figures.size(); ++i)
    write_plot(build_figure(study.figures[i / 2], table, units), outputs.figures[i]);
  if (!failures.empty()) exit_with(kNotConverged);
}

}  // namespace

void add_study_command(CLI::App& app) {
  auto command = std::make_shared<StudyCommand>();
  CLI::App* study =
      app.add_subcommand("study", "Run a scene over parameters in parallel processes, collect one CSV");
  study->add_option("FILE", command->file, "A study (docs/studies.md)")->required();
  study->add_option("--out", command->out, "Folder of its trajectories, CSV and figures (default: its name)");
  study->add_option("--jobs", command->jobs, "Processes at a time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  CLI::Option* collect_only =
      study->add_flag("--collect", command->collect_only, "Run nothing: collect what is there");
  study
      ->add_flag("--force", command->force,
                 "Run every case again from its beginning, overwrite what is there")
      ->excludes(collect_only);
  add_examples(*study,
               {"saltus study biaxial-friction.toml --jobs 2      goes on where it was stopped",
                "saltus study biaxial-friction.toml --collect     CSV and figures of what is done", "",
                "Exit: 0 done, 2 bad input, 3 some case failed (they are listed), 130 interrupted"});
  study->callback([command] { execute(*command); });
}

}  // namespace saltus
