#include "server/cli/interrupt.hpp"

#include <chrono>
#include <csignal>
#include <pthread.h>

#include "core/io/atomic_file.hpp"

namespace kinetoscope::cli {
namespace {

constexpr std::chrono::milliseconds patience(30);

sigset_t interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}
}  // namespace

Interrupt::Interrupt() {
  const sigset_t signals = interrupts();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  waiter_ = std::thread([this] { wait_for_signals(); });
}

Interrupt::~Interrupt() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  ended_.notify_one();
  ::pthread_kill(waiter_.native_handle(), SIGINT);  // wakes sigwait()
  waiter_.join();
}

void Interrupt::wait_for_signals() {
  const sigset_t signals = interrupts();
  int signal = 0;
  ::sigwait(&signals, &signal);
  std::unique_lock lock(mutex_);
  if (is_ending_) return;
  stop_.request_stop();
  if (!ended_.wait_for(lock, patience, [this] { return is_ending_; })) {
    io::exit_without_partial_files(interrupted_status);
  }
}
}  // namespace kinetoscope::cli
