#pragma once

// Small Python sources in the form that Inductor writes, for tests of what is read from them.

#include <string>
#include <string_view>

namespace kinetoscope {

/// A kernel's own file: adds a row of 50 floats to 100 rows of bfloat16. Its size is compiled in, or `size` replaces
/// it.
inline std::string pointwise_source(std::string_view name = "triton_poi_fused_add_0",
                                    std::string_view size = "    xnumel = 5000\n") {
  return R"(
import triton
import triton.language as tl
from torch._inductor.runtime import triton_heuristics

@triton_heuristics.pointwise(
    size_hints={'x': 8192}, 
    filename=__file__,
    triton_meta={'signature': {'in_ptr0': '*bf16', 'in_ptr1': '*fp32', 'out_ptr0': '*bf16', 'xnumel': 'i32', 'XBLOCK': 'constexpr'}, 'device': DeviceProperties(type='cuda', index=0, cc=90, max_threads_per_multi_processor=None), 'constants': {}, 'configs': [{(0,): [['tt.divisibility', 16]], (1,): [['tt.divisibility', 16]]}]},
    inductor_meta={'grid_type': 'Grid1D', 'autotune_hints': set(), 'kernel_name': ')" +
         std::string(name) +
         R"(', 'mutated_arg_names': [], 'num_load': 2, 'kernel_num_gb': 0.1, 'eps': -1e-05, 'kernel_flop': 0},
    min_elem_per_thread=0
)
@triton.jit
def triton_(in_ptr0, in_ptr1, out_ptr0, xnumel, XBLOCK : tl.constexpr):
)" + std::string(size) +
         R"(    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:]
    xmask = xindex < xnumel
    x2 = xindex
    x0 = (xindex % 50)
    tmp0 = tl.load(in_ptr0 + (x2), xmask).to(tl.float32)
    tmp1 = tl.load(in_ptr1 + (x0), xmask, eviction_policy='evict_last')
    tmp2 = tmp0 + tmp1
    tl.store(out_ptr0 + (x2), tmp2, xmask)
)";
}

/// A module of an older release that holds a reduction: a mean of 32 rows of 2048, written over what one pointer had.
inline std::string reduction_module() {
  return R"(
async_compile = AsyncCompile()

# Source Nodes: [mean], Original ATen: [aten.mean]
triton_red_fused_mean_0 = async_compile.triton('triton_red_fused_mean_0', '''
import triton
@reduction(
    size_hints=[32, 2048],
    reduction_hint=ReductionHint.INNER,
    filename=__file__,
    meta={'signature': {0: '*fp32', 1: '*bf16', 2: 'i32', 3: 'i32'}, 'device': 0, 'constants': {}, 'mutated_arg_names': ['in_out_ptr0'], 'configs': [instance_descriptor(divisible_by_16=(0, 1, 2, 3), equal_to_1=())]}
)
@triton.jit
def triton_(in_out_ptr0, in_ptr0, xnumel, rnumel, XBLOCK : tl.constexpr, RBLOCK : tl.constexpr):
    xnumel = 32
    rnumel = 2048
    x0 = xindex
    for roffset in range(0, rnumel, RBLOCK):
        rindex = roffset + rbase
        r1 = rindex
        tmp0 = tl.load(in_ptr0 + (r1 + (2048*x0)), rmask & xmask, other=0).to(tl.float32)
    tl.store(in_out_ptr0 + (x0), tmp3, xmask)
''', device_str='cuda')


async_compile.wait(globals())
)";
}
}  // namespace kinetoscope
