#include "core/names/kernel_names.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace kinetoscope::names {
namespace {

struct NamedKind {
  std::string_view kind;
  std::string_view library;  // empty: the name leaves it open
  std::string_view name;
};

void check(const std::vector<NamedKind>& cases) {
  for (const NamedKind& c : cases) {
    CAPTURE(c.name);
    const KernelTraits traits = classify_kernel(c.name);
    CHECK(spelling_of(traits.kind) == c.kind);
    if (!c.library.empty()) CHECK(spelling_of(traits.library) == c.library);
  }
}
}  // namespace

// Names as the libraries' public sources and public traces spell them; kinds by what the kernels do.
TEST_CASE("kernel names: well-known kernels of every library have their kind and library") {
  check({
      {"gemm", "cublas",
       "void gemmSN_TN_kernel<float, 128, 16, 2, 4, 8, 9, false, cublasGemvTensorStridedBatched<float const> "
       ">(cublasGemmSmallNParams<float>)"},
      {"gemm", "cublas", "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_32x6_tn"},
      {"gemm", "cublas", "volta_sgemm_128x64_nn"},
      {"gemm", "cublas", "turing_fp16_s1688gemm_fp16_256x64_sliced1x2_ldg8_f2f_tn"},
      {"gemm", "cutlass",
       "void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int, int, int>, "
       "cutlass::gemm::collective::CollectiveMma<cutlass::gemm::MainloopSm90TmaGmmaWarpSpecialized<4> > > "
       ">(cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int, int, int> >::Params)"},
      {"gemm", "cutlass",
       "cutlass3x_sm100_tensorop_s128x256x16gemm_bf16_bf16_f32_void_bf16_128x256x64_2x1x1_0_tnn_align8_2sm_bias_bf16_"
       "relu"},
      {"gemm", "cutlass",
       "void "
       "cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x5_tn_align4>(cutlass_80_tensorop_s1688gemm_128x128_"
       "16x5_tn_align4::Params)"},
      {"gemm", "cublas", "nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NTT"},
      {"gemm", "cublas", "nvjet_qqtst_128x256_128x5_2x1_v_bz_NNT"},
      {"gemm", "hipblaslt", "Cijk_Ailk_Bjlk_HHS_BH_Bias_HAS_SAV_UserArgs_MT128x128x32_MI16x16x1"},
      {"gemm", "hipblaslt", "Custom_Cijk_Alik_Bljk_F8BS_BH_Bias_HA_S_SAV_SAB_UserArgs_MT256x256x128"},
      {"gemm", "rocblas", "Cijk_Alik_Bljk_SB_MT64x64x16_SN_1LDSB0_APM1_ABV0"},
      {"gemm", "rocblas", "void rocblas_gemvn_kernel<64, 16, int, float, float const*, float*>(int, int)"},
      {"gemm", "ck",
       "void ck::kernel_gemm_xdl_cshuffle_v3<ck::GridwiseGemm_xdl_cshuffle_v3<ck::tensor_layout::gemm::RowMajor> "
       ">(ck::GridwiseGemm)"},
      {"gemm", "vllm", "void wvSplitKQ_hf_sml_<__hip_bfloat16, hip_fp8, 64, 2, 16, 16, 1, 4>(int)"},
      {"gemm", "", "_gemm_a16_w16_kernel_BLOCK_SIZE_M_256"},
      {"gemm", "triton", "_w8a8_triton_block_scaled_mm"},
      {"gemm", "", "void marlin::Marlin<c10::Half, 1125899906909960l, 256, 4, 16, 4, true, 4, -1, false>(int4 const*)"},
      {"gemm", "", "void machete::MacheteKernel<cutlass::half_t>(int)"},
      {"gemm", "deepgemm",
       "void deep_gemm::sm90_fp8_gemm_1d2d_impl<0u, 7168u, 2048u, 1u, 128u, 128u, (deep_gemm::GemmType)0>(float*)"},
      {"grouped_gemm", "deepgemm",
       "void deep_gemm::sm90_fp8_gemm_1d2d_impl<0u, 4096u, 7168u, 8u, 64u, 128u, (deep_gemm::GemmType)2>(float*)"},
      {"gemm", "inductor", "triton_tem_fused_mm_0"},
      {"gemm", "inductor", "triton_tem_fused_addmm_relu_3"},
      {"gemm", "inductor", "triton_mm"},
      {"attention", "inductor", "triton_tem_fused_flex_attention_0"},
      {"gemm", "triton", "matmul_kernel_persistent"},
      {"gemm", "", "gemm_allreduce_fused_kernel"},
      {"gemm", "", "void flux::GemmReduceScatterKernel<cutlass::bfloat16_t>(int)"},
      {"gemm", "", "kernel_consumer_gemm_reduce_scatter"},
      {"gemm", "cutlass", "void cutlass::Kernel<GemmWithAllGather<float> >(int)"},
      {"grouped_gemm", "cutlass",
       "void "
       "cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cutlass::gemm::GroupProblemShape<cute::tuple<int, "
       "int, int> > > >(int)"},
      {"convolution", "", "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x128x32_stage4"},
      {"convolution", "cudnn",
       "void cudnn::detail::implicit_convolve_sgemm<float, float, 128, 5, 5, 3, 3, 3, 1, true, false, true>(int)"},
      {"convolution", "cudnn", "void cudnn::winograd_nonfused::winogradForwardData4x4<float, float>(int)"},
      {"convolution", "cutlass",
       "cutlass_tensorop_f16_s16816dgrad_optimized_f16_128x128_32x4_nhwc_unity_stride_align8"},
      {"convolution", "", "sm80_xmma_wgrad_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nhwc"},
      {"convolution", "aten",
       "void at::native::(anonymous namespace)::conv_depthwise2d_forward_kernel<1, float, int>(int)"},
      {"convolution", "miopen", "miopenSp3AsmConv_v30_3_1_gfx9_fp16_dot2_f3x2_stride1"},
      {"convolution", "miopen", "naive_conv_ab_nonpacked_fwd_nchw_half_double_half"},
      {"attention", "flash_attention",
       "void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8> "
       ">(Flash_bwd_params)"},
      {"attention", "flash_attention",
       "void flash::flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4>, 4, 3, "
       "true>(flash::Flash_fwd_params)"},
      {"attention", "flash_attention",
       "void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwdSm90<2, "
       "cute::tuple<cute::C<1> > > > > >(flash::Params)"},
      {"attention", "flashinfer",
       "void flashinfer::BatchDecodeWithPagedKVCacheKernel<(flashinfer::PosEncodingMode)0, 2u, "
       "4u>(flashinfer::Params)"},
      {"attention", "flashinfer",
       "void flashinfer::BatchPrefillWithRaggedKVCacheKernel<flashinfer::KernelTraits<(flashinfer::MaskMode)1> >(int)"},
      {"attention", "flashinfer", "void flashinfer::PersistentVariableLengthMergeStatesKernel<8u, 16u>(float*)"},
      {"attention", "",
       "fmha_cutlassF_bf16_aligned_64x128_rf_sm80(PyTorchMemEffAttention::AttentionKernel<cutlass::bfloat16_t>::"
       "Params)"},
      {"attention", "", "fmha_cutlassB_f16_aligned_64x64_k64_sm80"},
      {"attention", "cudnn",
       "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x128_4x1x1_kernel0_0"},
      {"attention", "aiter", "_ZN5aiter37fmha_fwd_hd128_bf16_causal_msk1_groupE"},
      {"attention", "aiter", "mla_a8w8_qh16_qseqlen1_gqaratio16_ps"},
      {"attention", "aiter", "pa_bf16_pertokenFp8_gqa8_2tg_4w"},
      {"attention", "ck", "_ZN7ck_tile6kentryILi1ENS_13FmhaFwdKernelE"},
      {"attention", "triton", "_fwd_grouped_kernel_stage1"},
      {"attention", "triton", "_fwd_kernel_stage2"},
      {"attention", "triton", "_fwd_kernel"},
      {"attention", "", "kernel_mha_sm90"},
      {"attention", "tensorrt_llm", "void tensorrt_llm::kernels::masked_multihead_attention_kernel<__half>(int)"},
      {"attention", "tensorrt_llm",
       "fmhaSm100aKernel_QkvBfloat16OBfloat16HQk192HV128SeparateQkvCausalVarSeqQ128Kv128PersistentContext"},
      {"attention", "vllm", "void vllm::merge_attn_states_kernel<float, 128>(float*)"},
      {"attention", "sage_attention", "qk_int_sv_f8_attn_kernel"},
      {"linear_attention", "triton", "_chunk_scan_fwd_kernel"},
      {"linear_attention", "triton", "_selective_scan_update_kernel"},
      {"linear_attention", "triton", "chunk_gated_delta_rule_fwd_kernel_h_blockdim64"},
      {"linear_attention", "",
       "void selective_scan_fwd_kernel<Selective_Scan_fwd_kernel_traits<128, 16, 1> >(SSMParamsBase)"},
      {"linear_attention", "triton", "fused_recurrent_gated_delta_rule_fwd_kernel"},
      {"kv_cache_write", "vllm", "void vllm::concat_and_cache_mla_kernel<__nv_bfloat16, __nv_bfloat16>(int)"},
      {"kv_cache_write", "tensorrt_llm",
       "void tensorrt_llm::kernels::applyBiasRopeUpdateKVCacheV2<__nv_bfloat16>(int)"},
      {"kv_cache_write", "flashinfer", "void flashinfer::AppendPagedKVCacheKernel<128u, 8u>(int)"},
      {"kv_cache_write", "", "set_mla_kv_buffer_kernel"},
      {"normalisation", "apex", "void (anonymous namespace)::cuApplyLayerNorm<float, float>(float*)"},
      {"normalisation", "transformer_engine",
       "void transformer_engine::normalization::ln_fwd_tuned_kernel<float>(int)"},
      {"normalisation", "triton", "_layer_norm_fwd_1pass_kernel"},
      {"normalisation", "flashinfer", "void flashinfer::norm::FusedAddRMSNormKernel<8u, __nv_bfloat16>(int)"},
      {"normalisation", "cudnn", "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, 512, true, 1>(int)"},
      {"rotary_embedding", "flashinfer",
       "void flashinfer::BatchQKApplyRotaryPosIdsCosSinCacheEnhancedKernel<true, 128u>(int)"},
      {"rotary_embedding", "aiter", "_ZN5aiter12kn_entry_2c_sbhd_cached_indirect_inplaceE"},
      {"softmax", "aten",
       "void at::native::(anonymous namespace)::cunn_SoftMaxBackward<4, float, float, float>(float*)"},
      {"activation", "vllm",
       "void vllm::act_and_mul_kernel<c10::BFloat16, &vllm::silu_kernel<c10::BFloat16>, true>(c10::BFloat16*, "
       "c10::BFloat16 const*, int)"},
      {"activation", "", "_swiglu_fwd_kernel"},
      {"elementwise", "aten",
       "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::Half>, "
       "at::detail::Array<char*, 3> >(int)"},
      {"copy", "aten",
       "void at::native::vectorized_elementwise_kernel<4, "
       "at::native::float8_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda(float)#1}, std::array<char*, 2ul> "
       ">(int)"},
      {"reduction", "aten",
       "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::func_wrapper_t<float, "
       "at::native::MaxNanFunctor<float> > > >(int)"},
      {"scan", "cub",
       "void at_cuda_detail::cub::DeviceScanKernel<at_cuda_detail::cub::DeviceScanPolicy<long> >(long*)"},
      {"sort", "aten",
       "void at::native::sbtopk::gatherTopK<float, unsigned int, 2, false>(at::cuda::detail::TensorInfo<float const, "
       "unsigned int>)"},
      {"sort", "cub",
       "void at_cuda_detail::cub::DeviceRadixSortOnesweepKernel<at_cuda_detail::cub::DeviceRadixSortPolicy<long, long> "
       ">(int)"},
      {"sort", "aten", "void at::native::bitonicSortKVInPlace<2, -1, 16, 16, float, long>(int)"},
      {"indexing", "aten",
       "void at::native::_scatter_gather_elementwise_kernel<128, 8, "
       "at::native::_cuda_scatter_gather_internal_kernel<true> >(int)"},
      {"indexing", "cub",
       "void at_cuda_detail::cub::DeviceSelectSweepKernel<at_cuda_detail::cub::DispatchSelectIf<long> >(int)"},
      {"embedding", "aten",
       "void at::native::(anonymous namespace)::embedding_backward_feature_kernel<float, float, long>(long const*)"},
      {"embedding", "aten",
       "void at::native::(anonymous namespace)::EmbeddingBag_updateOutputKernel_sum_mean<float, long>(long*)"},
      {"pooling", "aten", "void at::native::(anonymous namespace)::adaptive_average_pool<float>(float const*)"},
      {"resampling", "aten",
       "void at::native::(anonymous namespace)::upsample_bilinear2d_out_frame<float, float>(int)"},
      {"random", "aten",
       "void at::native::(anonymous namespace)::fused_dropout_kernel_vec<float, float, unsigned int, 1, 4, bool>(int)"},
      {"loss", "aten",
       "void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(float*)"},
      {"loss", "", "liger_cross_entropy_kernel"},
      {"quantise", "vllm",
       "void vllm::dynamic_per_token_scaled_fp8_quant_kernel<c10::BFloat16, c10::Float8_e4m3fn>(int)"},
      {"quantise", "", "_per_token_group_quant_8bit"},
      {"quantise", "transformer_engine", "void transformer_engine::cast_transpose_fused_kernel<float>(int)"},
      {"quantise", "bitsandbytes", "kQuantizeBlockwise"},
      {"moe_gemm", "triton", "fused_moe_kernel"},
      {"moe_gemm", "aiter", "_ZN5aiter47fmoe_bf16_blockscaleFp8_g1u1_vs_silu_1tg_32x256E"},
      {"moe_gemm", "ck", "void ck::kernel_moe_gemm_2lds<ck::GridwiseMoeGemm>(int)"},
      {"moe_routing", "vllm", "void vllm::moe::topkGatingSoftmax<4, 64, 4, 16, int>(float const*)"},
      {"moe_routing", "sglang", "void sgl_kernel::moe_align_block_size_kernel<int>(int*)"},
      {"moe_routing", "tensorrt_llm",
       "void tensorrt_llm::kernels::cutlass_kernels::expandInputRowsKernel<__nv_bfloat16>(int)"},
      {"moe_combine", "tensorrt_llm",
       "void tensorrt_llm::kernels::cutlass_kernels::finalizeMoeRoutingKernel<__nv_bfloat16>(int)"},
      {"moe_combine", "vllm", "void vllm::moe::moe_sum_kernel<c10::BFloat16, 8>(int)"},
      {"sampling", "flashinfer", "void flashinfer::sampling::TopKTopPSamplingFromProbKernel<1024u>(float*)"},
      {"sampling", "", "_topk_topp_kernel"},
      {"sampling", "", "apply_token_bitmask_inplace_kernel"},
      {"sampling", "", "rejection_greedy_sample_kernel"},
      {"optimizer", "aten",
       "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
       "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
       "namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)0, false> >(int)"},
      {"optimizer", "aten",
       "void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctorMaster<float, float, int>, float>(long)"},
      {"foreach", "aten", "void multi_tensor_apply_kernel<TensorListMetadata<1>, L2NormFunctor<float>, float*>(long)"},
      {"fourier_transform", "cufft",
       "void regular_fft<256u, EPT<16u>, 16u, 16u, (padding_t)1, (twiddle_t)0, float>(kernel_arguments_t<unsigned "
       "int>)"},
      {"sparse", "", "void cusparse::csrmm_alg2_kernel<float>(int)"},
      {"linear_algebra", "", "void getrf_pivot<double, 8>(int)"},
      {"bookkeeping", "driver", "EventRecord"},
      {"memory_set", "driver", "__amd_rocclr_fillBufferAligned.kd"},
      {"batch_preparation", "triton", "_compute_slot_mapping_kernel"},
      {"attention", "flashinfer", "void flashinfer::PODWithKVCacheTensorKernel<int>(int)"},
      {"activation", "triton", "_silu_mul_fp8_quant_deep_gemm"},
      {"moe_routing", "", "deepgemm_compute_src2dst_triton_kernel"},
      {"quantise", "deepgemm", "void deep_gemm::transpose_fp32<512u, 64u>(float const*)"},
      {"linear_algebra", "cublas", "void trsm_left_kernel<float, 256>(cublasTrsmParams<float>)"},
      {"embedding", "fbgemm", "void fbgemm_gpu::split_embedding_codegen_forward_unweighted_kernel<float>(int)"},
      {"gemm", "fbgemm", "void fbgemm_gpu::f8f8bf16_rowwise_kernel<float>(int)"},
      {"copy", "miopen", "MIOpenCvtFp32ToBF16"},
      {"gemm", "tensorrt_llm", "void tensorrt_llm::kernels::router_gemm_kernel<float>(int)"},
  });
}

TEST_CASE("kernel names: collectives of every library are communication and say which") {
  struct Case {
    std::string_view collective;
    Library library;
    std::string_view name;
  };
  const std::vector<Case> cases = {
      {"all_reduce", Library::nccl, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"},
      {"all_gather", Library::nccl, "ncclKernel_AllGather_RING_LL_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)"},
      {"reduce_scatter", Library::nccl,
       "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"},
      {"send_recv", Library::nccl, "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"},
      {"broadcast", Library::nccl, "ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)"},
      {"reduce", Library::nccl, "ncclDevKernel_Reduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"},
      {"unknown", Library::nccl, "ncclDevKernel_Generic_1(ncclDevKernelArgsStorage<4096ul>)"},
      {"unknown", Library::rccl, "rcclGenericKernel<1, false>(ncclDevKernelArgsStorage<4096ul>)"},
      {"all_reduce", Library::vllm, "void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*)"},
      {"all_reduce", Library::sglang, "void sglang::cross_device_reduce_2stage<__nv_bfloat16, 8>(sglang::RankData*)"},
      {"all_reduce", Library::aiter,
       "void aiter::cross_device_reduce_1stage_naive<__hip_bfloat16, 8>(aiter::RankData*)"},
      {"all_reduce", Library::tensorrt_llm,
       "void tensorrt_llm::kernels::oneShotAllReduceKernel<__nv_bfloat16, 8, false>(int)"},
      {"all_reduce", Library::unknown,
       "void allreduce_fusion_kernel_oneshot_lamport<(AllReduceFusionPattern)1, __nv_bfloat16, 8>(int)"},
      {"all_reduce", Library::aten, "void (anonymous namespace)::two_shot_all_reduce_kernel<c10::BFloat16, 16>(int)"},
      {"all_reduce", Library::unknown, "void quickreduce::allreduce_prototype_twoshot<quickreduce::CodecFP>(int)"},
      {"dispatch", Library::deepep, "void deep_ep::internode_ll::dispatch<true, false, 7168>(void*)"},
      {"combine", Library::deepep, "void deep_ep::intranode::combine<__nv_bfloat16, 8, 768>(__nv_bfloat16*)"},
      {"dispatch", Library::mori, "void mori::moe::EpDispatchInterNodeKernel<hip_bfloat16>(int)"},
      {"all_gather", Library::nvshmem, "nvshmemi_allgather_kernel(int)"},
      {"barrier", Library::nvshmem, "barrier_on_stream_kernel_nvshmem(int)"},
      {"all_reduce", Library::mscclpp, "mscclKernel_Sum_float_LL_AllReduce(int)"},
      {"all_reduce", Library::unknown, "hccl::allReduce"},
      {"all_to_all", Library::unknown, "xccl::alltoall"},
      {"all_to_all", Library::unknown, "void moeAllToAllKernel<8>(int)"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const KernelTraits traits = classify_kernel(c.name);
    CHECK(traits.is_communication());
    CHECK(spelling_of(traits.collective) == c.collective);
    if (c.library != Library::unknown) CHECK(spelling_of(traits.library) == spelling_of(c.library));
  }
}

TEST_CASE("kernel names: words that hold another word by accident do not count") {
  const std::vector<NamedKind> cases = {
      {"unknown", "unknown", "europe_kernel"},                                   // rope
      {"gemm", "", "syncClusters_gemm_kernel"},                                  // nccl
      {"unknown", "unknown", "asyncClock"},                                      // nccl
      {"layout", "", "srcClipped_transpose"},                                    // rccl
      {"reduction", "", "parallel_reduce_kernel"},                               // allel_reduce
      {"softmax", "", "softmaxWithBlockAllReduce"},                              // a reduction inside a block
      {"elementwise", "", "vectorized_elementwise_kernel_quantile"},             // quant
      {"resampling", "", "upsample_kernel"},                                     // sample
      {"rotary_embedding", "", "void rope_kernel<Fp8KVCacheDataType, 8>(int)"},  // a type of the parameters
      {"unknown", "unknown", ""},
  };
  check(cases);
}

TEST_CASE("kernel names: the mangled form is read like the plain one") {
  const KernelTraits plain = classify_kernel("void aiter::add_rmsnorm_quant_kernel<float>(float*)");
  const KernelTraits mangled = classify_kernel("_ZN5aiter24add_rmsnorm_quant_kernelIfEEvPT_");
  CHECK(plain == mangled);
  CHECK(plain.kind == KernelKind::normalisation);
  CHECK(plain.library == Library::aiter);
  CHECK(plain.functions.has(Function::normalisation));
  CHECK(plain.functions.has(Function::quantisation));
}

TEST_CASE("kernel names: a matrix product with a collective inside is a product, and says so") {
  const KernelTraits traits = classify_kernel("kernel_consumer_gemm_reduce_scatter");
  CHECK(traits.kind == KernelKind::gemm);
  CHECK_FALSE(traits.is_communication());
  CHECK(traits.tags.has(Tag::communication_inside));
}

TEST_CASE("kernel names: TorchInductor's kernels take their kind from the operators in the name") {
  check({{"normalisation", "inductor", "triton_red_fused_add_mean_mul_pow_rsqrt_0"},
         {"activation", "inductor", "triton_poi_fused_addmm_silu_2"},
         {"elementwise", "inductor", "triton_poi_fused_add_mul_sub_3"},
         {"reduction", "inductor", "triton_red_fused_sum_4"},
         {"softmax", "inductor", "triton_per_fused__softmax_add_5"},
         {"loss", "inductor", "triton_per_fused__log_softmax_nll_loss_forward_6"},
         {"layout", "inductor", "triton_poi_fused_cat_transpose_7"},
         {"copy", "inductor", "triton_poi_fused__to_copy_8"},
         {"fill", "inductor", "triton_poi_fused_zeros_9"},
         {"embedding", "inductor", "triton_poi_fused_embedding_10"},
         {"rotary_embedding", "inductor", "triton_poi_fused_cat_cos_mul_neg_sin_11"},
         {"random", "inductor", "triton_poi_fused_native_dropout_12"},
         {"quantise", "inductor", "triton_red_fused_abs_amax_clamp_div_13"},
         {"foreach", "inductor", "triton_for_fused_14"}});
  CHECK(classify_kernel("triton_poi_fused_0").tags.has(Tag::pointwise));
  CHECK(classify_kernel("triton_red_fused_sum_1").tags.has(Tag::looped_reduction));
  CHECK(classify_kernel("triton_per_fused_sum_2").tags.has(Tag::persistent_reduction));
}

TEST_CASE("kernel names: number formats and passes are tags") {
  const auto tags_of = [](std::string_view name) { return classify_kernel(name).tags; };
  CHECK(tags_of("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT16x16x256").has(Tag::bf16));
  CHECK(tags_of("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT16x16x256").has(Tag::bias));
  CHECK(tags_of("bmm_Bfloat16_MxE2m1MxE4m3_Fp32_t128x16x256").has(Tag::fp4));
  CHECK(tags_of("flash_bwd_convert_dq_kernel").has(Tag::backward));
  CHECK(tags_of("nvjet_tst_64x16_64x16_2x1_2cta_v_bz_splitK_TNT").has(Tag::split_k));
  CHECK(tags_of("void cublasLt::splitKreduce_kernel<32, 16, int>(int)").has(Tag::auxiliary));
  CHECK(tags_of("void flashinfer::BatchDecodeWithPagedKVCacheKernel<4u>(int)").has(Tag::decode));
  CHECK_FALSE(tags_of("ampere_bf16_gemm").has(Tag::fp16));
}

TEST_CASE("kernel names: copies say their direction and the host's memory") {
  struct Case {
    std::string_view name;
    CopyDirection direction;
    HostMemory memory;
  };
  const std::vector<Case> cases = {
      {"Memcpy HtoD (Pinned -> Device)", CopyDirection::host_to_device, HostMemory::pinned},
      {"Memcpy HtoD (Pageable -> Device)", CopyDirection::host_to_device, HostMemory::pageable},
      {"Memcpy DtoH (Device -> Pinned)", CopyDirection::device_to_host, HostMemory::pinned},
      {"Memcpy DtoH (Device -> Host)", CopyDirection::device_to_host, HostMemory::unknown},
      {"Memcpy DtoD (Device -> Device)", CopyDirection::device_to_device, HostMemory::unknown},
      {"Memcpy PtoP (Device -> Device)", CopyDirection::peer_to_peer, HostMemory::unknown},
      {"CopyDeviceToHost", CopyDirection::device_to_host, HostMemory::unknown},
      {"CopyHostToDevice", CopyDirection::host_to_device, HostMemory::unknown},
      {"MEMORY_COPY_HOST_TO_DEVICE", CopyDirection::host_to_device, HostMemory::unknown},
      {"MEMORY_COPY_DEVICE_TO_DEVICE.kd", CopyDirection::device_to_device, HostMemory::unknown},
      {"__amd_rocclr_copyBuffer.kd", CopyDirection::unknown, HostMemory::unknown},
      {"__amd_rocclr_copyBufferRectAligned", CopyDirection::unknown, HostMemory::unknown},
      {"Memcpy", CopyDirection::unknown, HostMemory::unknown},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    const KernelTraits traits = classify_kernel(c.name);
    CHECK(traits.kind == KernelKind::memory_copy);
    CHECK(traits.copy == CopyTraits{c.direction, c.memory});
  }
}

TEST_CASE("kernel names: bare copies take their direction from the arguments") {
  CHECK(copy_traits("HtoD", "pinned", "device") == CopyTraits{CopyDirection::host_to_device, HostMemory::pinned});
  CHECK(copy_traits("DtoH", "", "") == CopyTraits{CopyDirection::device_to_host, HostMemory::unknown});
  CHECK(copy_traits("", "device", "pageable") == CopyTraits{CopyDirection::device_to_host, HostMemory::pageable});
  CHECK(copy_traits("", "device", "device") == CopyTraits{CopyDirection::device_to_device, HostMemory::unknown});
  CHECK(copy_traits("", "managed", "device") == CopyTraits{CopyDirection::unknown, HostMemory::managed});
  CHECK(copy_traits("", "", "") == CopyTraits{});
}

TEST_CASE("kernel names: hostile names are read in linear time") {
  const std::string angles(1 << 20, '<');
  std::string words;
  while (words.size() < (1 << 20)) words += "_ZN999999999999999999999gemm_reduce_scatter<(";
  const auto before = std::chrono::steady_clock::now();
  CHECK(classify_kernel(angles).kind == KernelKind::unknown);
  CHECK(classify_kernel(words).kind == KernelKind::gemm);
  // A quadratic search over 2^20 characters would take minutes, also on a loaded machine.
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(20));
}
}  // namespace kinetoscope::names
