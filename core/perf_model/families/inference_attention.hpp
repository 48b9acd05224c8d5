#pragma once

// Attention of serving engines over a cache of keys and values. Shapes say the heads; how many tokens met how many keys
// stands in the annotation of the step: c_ of prompts that are read, g_ of requests that generate; sq tokens, sk keys,
// sqsq and sqsk sums of their products.
//
//   FLOPs = H (d + v) (2 c_sqsk - c_sqsq) + 2 H (d + v) g_sqsk      prompts are causal, a generated token sees all keys
//   bytes = (c_sq + g_sq) (H + H_KV) (d + v) e + (c_sk - c_sq + g_sk - g_sq) H_KV (d + v) e_kv
//   latent and compressed caches, one row for key and value:
//   bytes = (c_sq + g_sq) H (d + v) e + (c_sk + g_sk) H_KV d e_kv
//   listed pairs: FLOPs = 4 pairs H d;  bytes = 2 N_Q H d e + pairs d e_kv   (no annotation needed)
//
// A window of W keys holds g_sqsk and g_sk to g_sq W; the keys of a compressed cache are its window and some or all of
// the compressed rows. Where the call does not say its window, figures can only be too high: average_case. Unit:
// matrix; precision: that of the queries. e, e_kv: element sizes of queries and cache.
// Source: the definition; operator schemas of vLLM, SGLang and AITER; the DeepSeek model reports.

#include "core/perf_model/model_family.hpp"

namespace kinetoscope::perf_model {

extern const ModelFamily inference_attention_family;
}  // namespace kinetoscope::perf_model
