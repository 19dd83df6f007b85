// porter stub headers: channel descriptors.
#pragma once
#include "cuda_runtime_api.h"

template <class T> __host__ cudaChannelFormatDesc cudaCreateChannelDesc();
template <cudaChannelFormatKind kind> __host__ cudaChannelFormatDesc cudaCreateChannelDesc();
cudaChannelFormatDesc cudaCreateChannelDescHalf();
cudaChannelFormatDesc cudaCreateChannelDescHalf1();
cudaChannelFormatDesc cudaCreateChannelDescHalf2();
cudaChannelFormatDesc cudaCreateChannelDescHalf4();
cudaChannelFormatDesc cudaCreateChannelDescNV12();
