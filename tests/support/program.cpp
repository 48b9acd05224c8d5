#include "tests/support/program.hpp"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves the declaration to the program

namespace kinetoscope {
namespace {

std::string program_path() { return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kinetoscope"; }

struct Descriptors {
  int input = -1;
  int output = -1;
  int errors = -1;
};

int start(std::vector<std::string> arguments, const Descriptors& descriptors) {
  const std::string path = program_path();
  std::vector<char*> argv{const_cast<char*>(path.c_str())};
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  const auto redirect = [&](int from, int to, int flags) {
    if (from >= 0) {
      ::posix_spawn_file_actions_adddup2(&actions, from, to);
    } else {
      ::posix_spawn_file_actions_addopen(&actions, to, "/dev/null", flags, 0);
    }
  };
  redirect(descriptors.input, STDIN_FILENO, O_RDONLY);
  redirect(descriptors.output, STDOUT_FILENO, O_WRONLY);
  redirect(descriptors.errors, STDERR_FILENO, O_WRONLY);
  pid_t process = -1;
  const int failure = ::posix_spawn(&process, path.c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  INFO("the program stands beside the tests: " << path);
  REQUIRE(failure == 0);
  return process;
}

int status_of(int process) {
  int status = 0;
  REQUIRE(::waitpid(process, &status, 0) == process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A pipe whose ends no other program inherits.
struct Pipe {
  Pipe() { REQUIRE(::pipe2(ends, O_CLOEXEC) == 0); }
  ~Pipe() {
    close_reader();
    close_writer();
  }
  void close_reader() { close_end(0); }
  void close_writer() { close_end(1); }
  void close_end(int which) {
    if (ends[which] >= 0) ::close(ends[which]);
    ends[which] = -1;
  }
  [[nodiscard]] std::string read_all() const {
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }
  int ends[2] = {-1, -1};
};
}  // namespace

ProgramRun run_program(std::vector<std::string> arguments, const std::string& output_path) {
  Pipe output;
  Pipe errors;
  const int file = output_path.empty() ? -1 : ::open(output_path.c_str(), O_WRONLY | O_CLOEXEC);
  const int process = start(std::move(arguments), {-1, output_path.empty() ? output.ends[1] : file, errors.ends[1]});
  if (file >= 0) ::close(file);
  output.close_writer();
  errors.close_writer();
  ProgramRun run;
  std::thread reader([&] { run.errors = errors.read_all(); });  // a full pipe would stop the program
  run.output = output.read_all();
  reader.join();
  run.status = status_of(process);
  return run;
}

ProgramRun run_program_without_reader(std::vector<std::string> arguments) {
  Pipe output;
  Pipe errors;
  output.close_reader();
  const int process = start(std::move(arguments), {-1, output.ends[1], errors.ends[1]});
  errors.close_writer();
  ProgramRun run;
  run.errors = errors.read_all();
  run.status = status_of(process);
  return run;
}

RunningProgram::RunningProgram(std::vector<std::string> arguments, int standard_input)
    : process_(start(std::move(arguments), {standard_input, -1, -1})) {}

RunningProgram::~RunningProgram() {
  if (has_ended_) return;
  ::kill(process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

void RunningProgram::wait_for_second_thread() const {
  const std::filesystem::path tasks = std::filesystem::path("/proc") / std::to_string(process_) / "task";
  while (std::distance(std::filesystem::directory_iterator(tasks), {}) < 2) std::this_thread::yield();
}

void RunningProgram::send(int signal) const { REQUIRE(::kill(process_, signal) == 0); }

int RunningProgram::wait() {
  has_ended_ = true;
  return status_of(process_);
}
}  // namespace kinetoscope
