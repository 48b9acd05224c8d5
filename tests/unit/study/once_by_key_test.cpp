#include "core/study/once_by_key.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope {

TEST_CASE("once by key: each key is computed once, whoever asks, and its value stays where it is") {
  const OnceByKey<int, std::string> values;
  std::atomic<int> computed = 0;
  const auto ask = [&](int key) -> const std::string& {
    return values.get(key, [&] {
      ++computed;
      return std::to_string(key);
    });
  };
  const std::string& first = ask(7);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int key = 0; key < 50; ++key) static_cast<void>(ask(key));
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(computed == 50);
  CHECK(&first == &ask(7));
  CHECK(first == "7");
}

TEST_CASE("once by key: a failure is kept for its key only") {
  const OnceByKey<std::string, int> values;
  const auto fail = []() -> int { throw std::runtime_error("no"); };
  CHECK_THROWS_AS(values.get("a", fail), std::runtime_error);
  CHECK_THROWS_AS(values.get("a", [] { return 1; }), std::runtime_error);
  CHECK(values.get("b", [] { return 2; }) == 2);
}
}  // namespace kinetoscope
