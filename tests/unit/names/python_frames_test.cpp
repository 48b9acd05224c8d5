#include "core/names/python_frames.hpp"

#include <doctest/doctest.h>

#include "embedded/python_frames.hpp"
#include "tests/support/schema_check.hpp"

namespace kinetoscope::names {

TEST_CASE("python frames: the table fits its schema") {
  CHECK(schema_problems("schemas/data/python_frames.schema.json", embedded::python_frames()).empty());
}

TEST_CASE("python frames: recomputation is told by file and function together") {
  CHECK(is_recompute_frame("torch/utils/checkpoint.py(1102): recompute_fn"));
  CHECK(is_recompute_frame("/usr/lib/python3/torch/utils/checkpoint.py(1): recompute_fn"));
  CHECK_FALSE(is_recompute_frame("torch/utils/checkpoint.py(1102): checkpoint"));
  CHECK_FALSE(is_recompute_frame("my_model.py(7): recompute_fn"));
}

TEST_CASE("python frames: modules, operators and files are shown, plain names are not") {
  CHECK(is_shown_frame("nn.Module: Linear_0"));
  CHECK(is_shown_frame("torch/nn/functional.py(5): linear"));
  CHECK(is_shown_frame("aten::mm"));
  CHECK_FALSE(is_shown_frame("<built-in function linear>"));
  CHECK_FALSE(is_shown_frame("train.py(3): main"));
}

TEST_CASE("python frames: what only passes a call on is a wrapper") {
  for (const std::string_view name :
       {"<built-in function linear>", "nn.Module: Linear_0", "torch/_ops.py(1): __call__", "a.py(3): _call_impl",
        "x/triton/backends/amd/driver.py(9): launch", "pybind11_builtins.pybind11_detail_function"}) {
    CAPTURE(name);
    CHECK(is_wrapper_frame(name));
  }
  for (const std::string_view name : {"user_code.py(10): forward", "a.py(3): my_call_impl", "wrapper", ""}) {
    CAPTURE(name);
    CHECK_FALSE(is_wrapper_frame(name));
  }
}

TEST_CASE("python frames: numbers behind underscores are left out wherever they stand") {
  CHECK(without_numbers("nn.Module: Linear_12") == "nn.Module: Linear");
  CHECK(without_numbers("a_1_2b_x__3") == "ab_x_");
  CHECK(without_numbers("conv2d_") == "conv2d_");
  CHECK(without_numbers("").empty());
}

TEST_CASE("python frames: the function stands behind the last bracket") {
  CHECK(function_of_frame("torch/functional.py(5): addmm") == "addmm");
  CHECK(function_of_frame("a (b): c.py(1): d") == "d");
  CHECK(function_of_frame("aten::mm").empty());
}
}  // namespace kinetoscope::names
