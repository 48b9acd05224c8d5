#include "server/cli/interrupt.hpp"

#include <csignal>
#include <pthread.h>

#include "core/io/atomic_file.hpp"

namespace kinetoscope::cli {
namespace {

sigset_t interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  return signals;
}
}  // namespace

Interrupt::Interrupt(Ending ending) : ending_(ending) {
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
  if (!ended_.wait_for(lock, ending_.patience, [this] { return is_ending_; })) {
    io::exit_without_partial_files(ending_.status);
  }
}
}  // namespace kinetoscope::cli
