#pragma once

// A Mamba-2 block: causal convolution, then the state space scan in chunks, as one fused function.
//
//   input [B, T, W] with W = 2 H P + 2 G N + H: H heads of size P, G groups, state size N; convolution filter [cc, dc];
//   chunks of C tokens
//   FLOPs = 2 B cc T dc + 2 B G T C N + 2 B H T C P + 4 B H T N P
//   bytes = input + filter + bias of the filter + three vectors of the heads + result [B, T, H P]
//
// Literals that are not recorded: C 128, P 64, G 1, with the note size_assumed. The backward work is taken as twice as
// much: average_case. Unit: matrix; precision: that of the input.
// Source: the state space duality algorithm (Dao and Gu, 2024); schema of mamba_split_conv1d_scan_combined.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily mamba_family;
}  // namespace kinetoscope::perf_model
