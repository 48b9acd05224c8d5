#pragma once

// A client of serve_stdio() over two pipes, for tests: writes lines, waits for lines.

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <future>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include "server/mcp/changes.hpp"
#include "server/mcp/definition.hpp"
#include "server/mcp/json.hpp"
#include "server/mcp/protocol.hpp"
#include "server/mcp/stdio_server.hpp"

namespace kinetoscope::mcp {

class Pipe {
 public:
  Pipe() {
    std::signal(SIGPIPE, SIG_IGN);  // as the program does: a reader that has gone is a failure of the write
    if (::pipe(ends_.data()) != 0) throw std::system_error(errno, std::generic_category());
  }
  ~Pipe() {
    close_reader();
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int reader() const { return ends_[0]; }
  [[nodiscard]] int writer() const { return ends_[1]; }
  void close_reader() { close(ends_[0]); }
  void close_writer() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  std::array<int, 2> ends_{};
};

class StdioSession {
 public:
  explicit StdioSession(const Definition& definition, std::size_t longest_line_bytes = 1024 * 1024)
      : protocol_(definition, changes_), server_(std::async(std::launch::async, [this, longest_line_bytes] {
          return serve_stdio(protocol_, {.input = to_server_.reader(),
                                         .output = from_server_.writer(),
                                         .stop = stop_.get_token(),
                                         .longest_line_bytes = longest_line_bytes});
        })) {}

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(to_server_.writer(), bytes.data(), bytes.size());
      if (count < 0) throw std::system_error(errno, std::generic_category());
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void send(const Json& message) { write(compact(message) + "\n"); }

  /// The next line that the server writes; null at its end.
  [[nodiscard]] Json next() {
    while (true) {
      const std::size_t end = read_.find('\n');
      if (end != std::string::npos) {
        const Json message = Json::parse(read_.substr(0, end));
        read_.erase(0, end + 1);
        return message;
      }
      std::array<char, 4096> bytes{};
      const ssize_t count = ::read(from_server_.reader(), bytes.data(), bytes.size());
      if (count <= 0) return nullptr;
      read_.append(bytes.data(), static_cast<std::size_t>(count));
    }
  }
  [[nodiscard]] Json ask(const Json& message) {
    send(message);
    return next();
  }

  /// Ends the input; true when the server ended as it should.
  [[nodiscard]] bool end() {
    to_server_.close_writer();
    const bool has_ended = server_.get();
    from_server_.close_writer();
    return has_ended;
  }
  void stop() { stop_.request_stop(); }
  void leave() { from_server_.close_reader(); }
  [[nodiscard]] bool wait() { return server_.get(); }
  [[nodiscard]] Changes& changes() { return changes_; }

 private:
  Changes changes_;
  Protocol protocol_;
  Pipe to_server_;
  Pipe from_server_;
  std::stop_source stop_;
  std::string read_;
  std::future<bool> server_;  // last: its thread uses the others
};
}  // namespace kinetoscope::mcp
