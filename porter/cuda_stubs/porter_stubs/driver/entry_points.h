// porter stub headers: CUDA driver, pointers to entry points
#pragma once
#include "types.h"

typedef CUresult (*PFN_cuArray3DCreate_v3020)(CUarray *, const CUDA_ARRAY3D_DESCRIPTOR_v2 *);
typedef CUresult (*PFN_cuArray3DGetDescriptor_v3020)(CUDA_ARRAY3D_DESCRIPTOR_v2 *, CUarray);
typedef CUresult (*PFN_cuArrayCreate_v3020)(CUarray *, const CUDA_ARRAY_DESCRIPTOR_v2 *);
typedef CUresult (*PFN_cuArrayDestroy_v2000)(CUarray);
typedef CUresult (*PFN_cuArrayGetDescriptor_v3020)(CUDA_ARRAY_DESCRIPTOR_v2 *, CUarray);
typedef CUresult (*PFN_cuArrayGetMemoryRequirements_v11060)(CUDA_ARRAY_MEMORY_REQUIREMENTS_v1 *, CUarray, CUdevice);
typedef CUresult (*PFN_cuArrayGetPlane_v11020)(CUarray *, CUarray, unsigned int);
typedef CUresult (*PFN_cuArrayGetSparseProperties_v11010)(CUDA_ARRAY_SPARSE_PROPERTIES_v1 *, CUarray);
typedef CUresult (*PFN_cuCheckpointProcessCheckpoint_v12080)(int, CUcheckpointCheckpointArgs *);
typedef CUresult (*PFN_cuCheckpointProcessGetRestoreThreadId_v12080)(int, int *);
typedef CUresult (*PFN_cuCheckpointProcessGetState_v12080)(int, CUprocessState *);
typedef CUresult (*PFN_cuCheckpointProcessLock_v12080)(int, CUcheckpointLockArgs *);
typedef CUresult (*PFN_cuCheckpointProcessRestore_v12080)(int, CUcheckpointRestoreArgs *);
typedef CUresult (*PFN_cuCheckpointProcessUnlock_v12080)(int, CUcheckpointUnlockArgs *);
typedef CUresult (*PFN_cuCoredumpGetAttributeGlobal_v12010)(CUcoredumpSettings, void *, size_t *);
typedef CUresult (*PFN_cuCoredumpGetAttribute_v12010)(CUcoredumpSettings, void *, size_t *);
typedef CUresult (*PFN_cuCoredumpSetAttributeGlobal_v12010)(CUcoredumpSettings, void *, size_t *);
typedef CUresult (*PFN_cuCoredumpSetAttribute_v12010)(CUcoredumpSettings, void *, size_t *);
typedef CUresult (*PFN_cuCtxAttach_v2000)(CUcontext *, unsigned int);
typedef CUresult (*PFN_cuCtxCreate_v11040)(CUcontext *, CUexecAffinityParam *, int, unsigned int, CUdevice_v1);
typedef CUresult (*PFN_cuCtxCreate_v12050)(CUcontext *, CUctxCreateParams *, unsigned int, CUdevice);
typedef CUresult (*PFN_cuCtxCreate_v3020)(CUcontext *, unsigned int, CUdevice_v1);
typedef CUresult (*PFN_cuCtxDestroy_v4000)(CUcontext);
typedef CUresult (*PFN_cuCtxDetach_v2000)(CUcontext);
typedef CUresult (*PFN_cuCtxDisablePeerAccess_v4000)(CUcontext);
typedef CUresult (*PFN_cuCtxEnablePeerAccess_v4000)(CUcontext, unsigned int);
typedef CUresult (*PFN_cuCtxFromGreenCtx_v12040)(CUcontext *, CUgreenCtx);
typedef CUresult (*PFN_cuCtxGetApiVersion_v3020)(CUcontext, unsigned int *);
typedef CUresult (*PFN_cuCtxGetCacheConfig_v3020)(CUfunc_cache *);
typedef CUresult (*PFN_cuCtxGetCurrent_v4000)(CUcontext *);
typedef CUresult (*PFN_cuCtxGetDevResource_v12040)(CUcontext, CUdevResource *, CUdevResourceType);
typedef CUresult (*PFN_cuCtxGetDevice_v13000)(CUdevice *, CUcontext);
typedef CUresult (*PFN_cuCtxGetDevice_v2000)(CUdevice_v1 *);
typedef CUresult (*PFN_cuCtxGetExecAffinity_v11040)(CUexecAffinityParam *, CUexecAffinityType);
typedef CUresult (*PFN_cuCtxGetFlags_v7000)(unsigned int *);
typedef CUresult (*PFN_cuCtxGetId_v12000)(CUcontext, unsigned long long *);
typedef CUresult (*PFN_cuCtxGetLimit_v3010)(size_t *, CUlimit);
typedef CUresult (*PFN_cuCtxGetSharedMemConfig_v4020)(CUsharedconfig *);
typedef CUresult (*PFN_cuCtxGetStreamPriorityRange_v5050)(int *, int *);
typedef CUresult (*PFN_cuCtxPopCurrent_v4000)(CUcontext *);
typedef CUresult (*PFN_cuCtxPushCurrent_v4000)(CUcontext);
typedef CUresult (*PFN_cuCtxRecordEvent_v12050)(CUcontext, CUevent);
typedef CUresult (*PFN_cuCtxResetPersistingL2Cache_v11000)();
typedef CUresult (*PFN_cuCtxSetCacheConfig_v3020)(CUfunc_cache);
typedef CUresult (*PFN_cuCtxSetCurrent_v4000)(CUcontext);
typedef CUresult (*PFN_cuCtxSetFlags_v12010)(unsigned int);
typedef CUresult (*PFN_cuCtxSetLimit_v3010)(CUlimit, size_t);
typedef CUresult (*PFN_cuCtxSetSharedMemConfig_v4020)(CUsharedconfig);
typedef CUresult (*PFN_cuCtxSynchronize_v13000)(CUcontext);
typedef CUresult (*PFN_cuCtxSynchronize_v2000)();
typedef CUresult (*PFN_cuCtxWaitEvent_v12050)(CUcontext, CUevent);
typedef CUresult (*PFN_cuDestroyExternalMemory_v10000)(CUexternalMemory);
typedef CUresult (*PFN_cuDestroyExternalSemaphore_v10000)(CUexternalSemaphore);
typedef CUresult (*PFN_cuDevResourceGenerateDesc_v12040)(CUdevResourceDesc *, CUdevResource *, unsigned int);
typedef CUresult (*PFN_cuDevSmResourceSplitByCount_v12040)(CUdevResource *, unsigned int *, const CUdevResource *,
    CUdevResource *, unsigned int, unsigned int);
typedef CUresult (*PFN_cuDeviceCanAccessPeer_v4000)(int *, CUdevice_v1, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceComputeCapability_v2000)(int *, int *, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetAttribute_v2000)(int *, CUdevice_attribute, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetByPCIBusId_v4010)(CUdevice_v1 *, const char *);
typedef CUresult (*PFN_cuDeviceGetCount_v2000)(int *);
typedef CUresult (*PFN_cuDeviceGetDefaultMemPool_v11020)(CUmemoryPool *, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetDevResource_v12040)(CUdevice, CUdevResource *, CUdevResourceType);
typedef CUresult (*PFN_cuDeviceGetExecAffinitySupport_v11040)(int *, CUexecAffinityType, CUdevice);
typedef CUresult (*PFN_cuDeviceGetGraphMemAttribute_v11040)(CUdevice, CUgraphMem_attribute, void *);
typedef CUresult (*PFN_cuDeviceGetHostAtomicCapabilities_v13000)(unsigned int *, const CUatomicOperation *,
    unsigned int, CUdevice);
typedef CUresult (*PFN_cuDeviceGetLuid_v10000)(char *, unsigned int *, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetMemPool_v11020)(CUmemoryPool *, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetName_v2000)(char *, int, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetNvSciSyncAttributes_v10020)(void *, CUdevice_v1, int);
typedef CUresult (*PFN_cuDeviceGetP2PAtomicCapabilities_v13000)(unsigned int *, const CUatomicOperation *, unsigned int,
    CUdevice, CUdevice);
typedef CUresult (*PFN_cuDeviceGetP2PAttribute_v8000)(int *, CUdevice_P2PAttribute, CUdevice_v1, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetPCIBusId_v4010)(char *, int, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetProperties_v2000)(CUdevprop_v1 *, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetTexture1DLinearMaxWidth_v11010)(size_t *, CUarray_format, unsigned int, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetUuid_v11040)(CUuuid *, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetUuid_v9020)(CUuuid *, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGet_v2000)(CUdevice_v1 *, int);
typedef CUresult (*PFN_cuDeviceGraphMemTrim_v11040)(CUdevice);
typedef CUresult (*PFN_cuDevicePrimaryCtxGetState_v7000)(CUdevice_v1, unsigned int *, int *);
typedef CUresult (*PFN_cuDevicePrimaryCtxRelease_v11000)(CUdevice_v1);
typedef CUresult (*PFN_cuDevicePrimaryCtxReset_v11000)(CUdevice_v1);
typedef CUresult (*PFN_cuDevicePrimaryCtxRetain_v7000)(CUcontext *, CUdevice_v1);
typedef CUresult (*PFN_cuDevicePrimaryCtxSetFlags_v11000)(CUdevice_v1, unsigned int);
typedef CUresult (*PFN_cuDeviceRegisterAsyncNotification_v12040)(CUdevice, CUasyncCallback, void *,
    CUasyncCallbackHandle *);
typedef CUresult (*PFN_cuDeviceSetGraphMemAttribute_v11040)(CUdevice, CUgraphMem_attribute, void *);
typedef CUresult (*PFN_cuDeviceSetMemPool_v11020)(CUdevice_v1, CUmemoryPool);
typedef CUresult (*PFN_cuDeviceTotalMem_v3020)(size_t *, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceUnregisterAsyncNotification_v12040)(CUdevice, CUasyncCallbackHandle);
typedef CUresult (*PFN_cuDriverGetVersion_v2020)(int *);
typedef CUresult (*PFN_cuEventCreate_v2000)(CUevent *, unsigned int);
typedef CUresult (*PFN_cuEventDestroy_v4000)(CUevent);
typedef CUresult (*PFN_cuEventElapsedTime_v12080)(float *, CUevent, CUevent);
typedef CUresult (*PFN_cuEventElapsedTime_v2000)(float *, CUevent, CUevent);
typedef CUresult (*PFN_cuEventQuery_v2000)(CUevent);
typedef CUresult (*PFN_cuEventRecordWithFlags_v11010)(CUevent, CUstream, unsigned int);
typedef CUresult (*PFN_cuEventRecord_v2000)(CUevent, CUstream);
typedef CUresult (*PFN_cuEventSynchronize_v2000)(CUevent);
typedef CUresult (*PFN_cuExternalMemoryGetMappedBuffer_v10000)(CUdeviceptr_v2 *, CUexternalMemory,
    const CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1 *);
typedef CUresult (*PFN_cuExternalMemoryGetMappedMipmappedArray_v10000)(CUmipmappedArray *, CUexternalMemory,
    const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1 *);
typedef CUresult (*PFN_cuFlushGPUDirectRDMAWrites_v11030)(CUflushGPUDirectRDMAWritesTarget,
    CUflushGPUDirectRDMAWritesScope);
typedef CUresult (*PFN_cuFuncGetAttribute_v2020)(int *, CUfunction_attribute, CUfunction);
typedef CUresult (*PFN_cuFuncGetModule_v11000)(CUmodule *, CUfunction);
typedef CUresult (*PFN_cuFuncGetName_v12030)(const char **, CUfunction);
typedef CUresult (*PFN_cuFuncGetParamInfo_v12040)(CUfunction, size_t, size_t *, size_t *);
typedef CUresult (*PFN_cuFuncIsLoaded_v12040)(CUfunctionLoadingState *, CUfunction);
typedef CUresult (*PFN_cuFuncLoad_v12040)(CUfunction);
typedef CUresult (*PFN_cuFuncSetAttribute_v9000)(CUfunction, CUfunction_attribute, int);
typedef CUresult (*PFN_cuFuncSetBlockShape_v2000)(CUfunction, int, int, int);
typedef CUresult (*PFN_cuFuncSetCacheConfig_v3000)(CUfunction, CUfunc_cache);
typedef CUresult (*PFN_cuFuncSetSharedMemConfig_v4020)(CUfunction, CUsharedconfig);
typedef CUresult (*PFN_cuFuncSetSharedSize_v2000)(CUfunction, unsigned int);
typedef CUresult (*PFN_cuGetErrorName_v6000)(CUresult, const char **);
typedef CUresult (*PFN_cuGetErrorString_v6000)(CUresult, const char **);
typedef CUresult (*PFN_cuGetExportTable_v3000)(const void **, const CUuuid *);
typedef CUresult (*PFN_cuGetProcAddress_v11030)(const char *, void **, int, cuuint64_t);
typedef CUresult (*PFN_cuGetProcAddress_v12000)(const char *, void **, int, cuuint64_t,
    CUdriverProcAddressQueryResult *);
typedef CUresult (*PFN_cuGraphAddBatchMemOpNode_v11070)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
    const CUDA_BATCH_MEM_OP_NODE_PARAMS *);
typedef CUresult (*PFN_cuGraphAddChildGraphNode_v10000)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraph);
typedef CUresult (*PFN_cuGraphAddDependencies_v10000)(CUgraph, const CUgraphNode *, const CUgraphNode *, size_t);
typedef CUresult (*PFN_cuGraphAddDependencies_v12030)(CUgraph, const CUgraphNode *, const CUgraphNode *,
    const CUgraphEdgeData *, size_t);
typedef CUresult (*PFN_cuGraphAddEmptyNode_v10000)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t);
typedef CUresult (*PFN_cuGraphAddEventRecordNode_v11010)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUevent);
typedef CUresult (*PFN_cuGraphAddEventWaitNode_v11010)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUevent);
typedef CUresult (*PFN_cuGraphAddExternalSemaphoresSignalNode_v11020)(CUgraphNode *, CUgraph, const CUgraphNode *,
    size_t, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphAddExternalSemaphoresWaitNode_v11020)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
    const CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphAddHostNode_v10000)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
    const CUDA_HOST_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphAddKernelNode_v10000)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
    const CUDA_KERNEL_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphAddKernelNode_v12000)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
    const CUDA_KERNEL_NODE_PARAMS_v2 *);
typedef CUresult (*PFN_cuGraphAddMemAllocNode_v11040)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
    CUDA_MEM_ALLOC_NODE_PARAMS *);
typedef CUresult (*PFN_cuGraphAddMemFreeNode_v11040)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUdeviceptr);
typedef CUresult (*PFN_cuGraphAddMemcpyNode_v10000)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
    const CUDA_MEMCPY3D_v2 *, CUcontext);
typedef CUresult (*PFN_cuGraphAddMemsetNode_v10000)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
    const CUDA_MEMSET_NODE_PARAMS_v1 *, CUcontext);
typedef CUresult (*PFN_cuGraphAddNode_v12020)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUgraphNodeParams *);
typedef CUresult (*PFN_cuGraphAddNode_v12030)(CUgraphNode *, CUgraph, const CUgraphNode *, const CUgraphEdgeData *,
    size_t, CUgraphNodeParams *);
typedef CUresult (*PFN_cuGraphBatchMemOpNodeGetParams_v11070)(CUgraphNode, CUDA_BATCH_MEM_OP_NODE_PARAMS *);
typedef CUresult (*PFN_cuGraphBatchMemOpNodeSetParams_v11070)(CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS *);
typedef CUresult (*PFN_cuGraphChildGraphNodeGetGraph_v10000)(CUgraphNode, CUgraph *);
typedef CUresult (*PFN_cuGraphClone_v10000)(CUgraph *, CUgraph);
typedef CUresult (*PFN_cuGraphConditionalHandleCreate_v12030)(CUgraphConditionalHandle *, CUgraph, CUcontext,
    unsigned int, unsigned int);
typedef CUresult (*PFN_cuGraphCreate_v10000)(CUgraph *, unsigned int);
typedef CUresult (*PFN_cuGraphDebugDotPrint_v11030)(CUgraph, const char *, unsigned int);
typedef CUresult (*PFN_cuGraphDestroyNode_v10000)(CUgraphNode);
typedef CUresult (*PFN_cuGraphDestroy_v10000)(CUgraph);
typedef CUresult (*PFN_cuGraphEventRecordNodeGetEvent_v11010)(CUgraphNode, CUevent *);
typedef CUresult (*PFN_cuGraphEventRecordNodeSetEvent_v11010)(CUgraphNode, CUevent);
typedef CUresult (*PFN_cuGraphEventWaitNodeGetEvent_v11010)(CUgraphNode, CUevent *);
typedef CUresult (*PFN_cuGraphEventWaitNodeSetEvent_v11010)(CUgraphNode, CUevent);
typedef CUresult (*PFN_cuGraphExecBatchMemOpNodeSetParams_v11070)(CUgraphExec, CUgraphNode,
    const CUDA_BATCH_MEM_OP_NODE_PARAMS *);
typedef CUresult (*PFN_cuGraphExecChildGraphNodeSetParams_v11010)(CUgraphExec, CUgraphNode, CUgraph);
typedef CUresult (*PFN_cuGraphExecDestroy_v10000)(CUgraphExec);
typedef CUresult (*PFN_cuGraphExecEventRecordNodeSetEvent_v11010)(CUgraphExec, CUgraphNode, CUevent);
typedef CUresult (*PFN_cuGraphExecEventWaitNodeSetEvent_v11010)(CUgraphExec, CUgraphNode, CUevent);
typedef CUresult (*PFN_cuGraphExecExternalSemaphoresSignalNodeSetParams_v11020)(CUgraphExec, CUgraphNode,
    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphExecExternalSemaphoresWaitNodeSetParams_v11020)(CUgraphExec, CUgraphNode,
    const CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphExecGetFlags_v12000)(CUgraphExec, cuuint64_t *);
typedef CUresult (*PFN_cuGraphExecHostNodeSetParams_v10020)(CUgraphExec, CUgraphNode, const CUDA_HOST_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphExecKernelNodeSetParams_v10010)(CUgraphExec, CUgraphNode,
    const CUDA_KERNEL_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphExecKernelNodeSetParams_v12000)(CUgraphExec, CUgraphNode,
    const CUDA_KERNEL_NODE_PARAMS_v2 *);
typedef CUresult (*PFN_cuGraphExecMemcpyNodeSetParams_v10020)(CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D_v2 *,
    CUcontext);
typedef CUresult (*PFN_cuGraphExecMemsetNodeSetParams_v10020)(CUgraphExec, CUgraphNode,
    const CUDA_MEMSET_NODE_PARAMS_v1 *, CUcontext);
typedef CUresult (*PFN_cuGraphExecNodeSetParams_v12020)(CUgraphExec, CUgraphNode, CUgraphNodeParams *);
typedef CUresult (*PFN_cuGraphExecUpdate_v10020)(CUgraphExec, CUgraph, CUgraphNode *, CUgraphExecUpdateResult *);
typedef CUresult (*PFN_cuGraphExecUpdate_v12000)(CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo *);
typedef CUresult (*PFN_cuGraphExternalSemaphoresSignalNodeGetParams_v11020)(CUgraphNode,
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphExternalSemaphoresSignalNodeSetParams_v11020)(CUgraphNode,
    const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphExternalSemaphoresWaitNodeGetParams_v11020)(CUgraphNode,
    CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphExternalSemaphoresWaitNodeSetParams_v11020)(CUgraphNode,
    const CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphGetEdges_v10000)(CUgraph, CUgraphNode *, CUgraphNode *, size_t *);
typedef CUresult (*PFN_cuGraphGetEdges_v12030)(CUgraph, CUgraphNode *, CUgraphNode *, CUgraphEdgeData *, size_t *);
typedef CUresult (*PFN_cuGraphGetNodes_v10000)(CUgraph, CUgraphNode *, size_t *);
typedef CUresult (*PFN_cuGraphGetRootNodes_v10000)(CUgraph, CUgraphNode *, size_t *);
typedef CUresult (*PFN_cuGraphHostNodeGetParams_v10000)(CUgraphNode, CUDA_HOST_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphHostNodeSetParams_v10000)(CUgraphNode, const CUDA_HOST_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphInstantiateWithFlags_v11040)(CUgraphExec *, CUgraph, unsigned long long);
typedef CUresult (*PFN_cuGraphInstantiateWithParams_v12000)(CUgraphExec *, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS *);
typedef CUresult (*PFN_cuGraphKernelNodeCopyAttributes_v11000)(CUgraphNode, CUgraphNode);
typedef CUresult (*PFN_cuGraphKernelNodeGetAttribute_v11000)(CUgraphNode, CUkernelNodeAttrID,
    CUkernelNodeAttrValue_v1 *);
typedef CUresult (*PFN_cuGraphKernelNodeGetParams_v10000)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphKernelNodeGetParams_v12000)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v2 *);
typedef CUresult (*PFN_cuGraphKernelNodeSetAttribute_v11000)(CUgraphNode, CUkernelNodeAttrID,
    const CUkernelNodeAttrValue_v1 *);
typedef CUresult (*PFN_cuGraphKernelNodeSetParams_v10000)(CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphKernelNodeSetParams_v12000)(CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v2 *);
typedef CUresult (*PFN_cuGraphLaunch_v10000)(CUgraphExec, CUstream);
typedef CUresult (*PFN_cuGraphMemAllocNodeGetParams_v11040)(CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS *);
typedef CUresult (*PFN_cuGraphMemFreeNodeGetParams_v11040)(CUgraphNode, CUdeviceptr *);
typedef CUresult (*PFN_cuGraphMemcpyNodeGetParams_v10000)(CUgraphNode, CUDA_MEMCPY3D_v2 *);
typedef CUresult (*PFN_cuGraphMemcpyNodeSetParams_v10000)(CUgraphNode, const CUDA_MEMCPY3D_v2 *);
typedef CUresult (*PFN_cuGraphMemsetNodeGetParams_v10000)(CUgraphNode, CUDA_MEMSET_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphMemsetNodeSetParams_v10000)(CUgraphNode, const CUDA_MEMSET_NODE_PARAMS_v1 *);
typedef CUresult (*PFN_cuGraphNodeFindInClone_v10000)(CUgraphNode *, CUgraphNode, CUgraph);
typedef CUresult (*PFN_cuGraphNodeGetDependencies_v10000)(CUgraphNode, CUgraphNode *, size_t *);
typedef CUresult (*PFN_cuGraphNodeGetDependencies_v12030)(CUgraphNode, CUgraphNode *, CUgraphEdgeData *, size_t *);
typedef CUresult (*PFN_cuGraphNodeGetDependentNodes_v10000)(CUgraphNode, CUgraphNode *, size_t *);
typedef CUresult (*PFN_cuGraphNodeGetDependentNodes_v12030)(CUgraphNode, CUgraphNode *, CUgraphEdgeData *, size_t *);
typedef CUresult (*PFN_cuGraphNodeGetEnabled_v11060)(CUgraphExec, CUgraphNode, unsigned int *);
typedef CUresult (*PFN_cuGraphNodeGetType_v10000)(CUgraphNode, CUgraphNodeType *);
typedef CUresult (*PFN_cuGraphNodeSetEnabled_v11060)(CUgraphExec, CUgraphNode, unsigned int);
typedef CUresult (*PFN_cuGraphNodeSetParams_v12020)(CUgraphNode, CUgraphNodeParams *);
typedef CUresult (*PFN_cuGraphReleaseUserObject_v11030)(CUgraph, CUuserObject, unsigned int);
typedef CUresult (*PFN_cuGraphRemoveDependencies_v10000)(CUgraph, const CUgraphNode *, const CUgraphNode *, size_t);
typedef CUresult (*PFN_cuGraphRemoveDependencies_v12030)(CUgraph, const CUgraphNode *, const CUgraphNode *,
    const CUgraphEdgeData *, size_t);
typedef CUresult (*PFN_cuGraphRetainUserObject_v11030)(CUgraph, CUuserObject, unsigned int, unsigned int);
typedef CUresult (*PFN_cuGraphUpload_v11010)(CUgraphExec, CUstream);
typedef CUresult (*PFN_cuGraphicsMapResources_v3000)(unsigned int, CUgraphicsResource *, CUstream);
typedef CUresult (*PFN_cuGraphicsResourceGetMappedMipmappedArray_v5000)(CUmipmappedArray *, CUgraphicsResource);
typedef CUresult (*PFN_cuGraphicsResourceGetMappedPointer_v3020)(CUdeviceptr_v2 *, size_t *, CUgraphicsResource);
typedef CUresult (*PFN_cuGraphicsResourceSetMapFlags_v6050)(CUgraphicsResource, unsigned int);
typedef CUresult (*PFN_cuGraphicsSubResourceGetMappedArray_v3000)(CUarray *, CUgraphicsResource, unsigned int,
    unsigned int);
typedef CUresult (*PFN_cuGraphicsUnmapResources_v3000)(unsigned int, CUgraphicsResource *, CUstream);
typedef CUresult (*PFN_cuGraphicsUnregisterResource_v3000)(CUgraphicsResource);
typedef CUresult (*PFN_cuGreenCtxCreate_v12040)(CUgreenCtx *, CUdevResourceDesc, CUdevice, unsigned int);
typedef CUresult (*PFN_cuGreenCtxDestroy_v12040)(CUgreenCtx);
typedef CUresult (*PFN_cuGreenCtxGetDevResource_v12040)(CUgreenCtx, CUdevResource *, CUdevResourceType);
typedef CUresult (*PFN_cuGreenCtxGetId_v12090)(CUgreenCtx, unsigned long long *);
typedef CUresult (*PFN_cuGreenCtxRecordEvent_v12040)(CUgreenCtx, CUevent);
typedef CUresult (*PFN_cuGreenCtxStreamCreate_v12050)(CUstream *, CUgreenCtx, unsigned int, int);
typedef CUresult (*PFN_cuGreenCtxWaitEvent_v12040)(CUgreenCtx, CUevent);
typedef CUresult (*PFN_cuImportExternalMemory_v10000)(CUexternalMemory *, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1 *);
typedef CUresult (*PFN_cuImportExternalSemaphore_v10000)(CUexternalSemaphore *,
    const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1 *);
typedef CUresult (*PFN_cuInit_v2000)(unsigned int);
typedef CUresult (*PFN_cuIpcCloseMemHandle_v4010)(CUdeviceptr_v2);
typedef CUresult (*PFN_cuIpcGetEventHandle_v4010)(CUipcEventHandle_v1 *, CUevent);
typedef CUresult (*PFN_cuIpcGetMemHandle_v4010)(CUipcMemHandle_v1 *, CUdeviceptr_v2);
typedef CUresult (*PFN_cuIpcOpenEventHandle_v4010)(CUevent *, CUipcEventHandle_v1);
typedef CUresult (*PFN_cuIpcOpenMemHandle_v11000)(CUdeviceptr_v2 *, CUipcMemHandle_v1, unsigned int);
typedef CUresult (*PFN_cuKernelGetAttribute_v12000)(int *, CUfunction_attribute, CUkernel, CUdevice);
typedef CUresult (*PFN_cuKernelGetFunction_v12000)(CUfunction *, CUkernel);
typedef CUresult (*PFN_cuKernelGetLibrary_v12050)(CUlibrary *, CUkernel);
typedef CUresult (*PFN_cuKernelGetName_v12030)(const char **, CUkernel);
typedef CUresult (*PFN_cuKernelGetParamInfo_v12040)(CUkernel, size_t, size_t *, size_t *);
typedef CUresult (*PFN_cuKernelSetAttribute_v12000)(CUfunction_attribute, int, CUkernel, CUdevice);
typedef CUresult (*PFN_cuKernelSetCacheConfig_v12000)(CUkernel, CUfunc_cache, CUdevice);
typedef CUresult (*PFN_cuLaunchCooperativeKernelMultiDevice_v9000)(CUDA_LAUNCH_PARAMS_v1 *, unsigned int, unsigned int);
typedef CUresult (*PFN_cuLaunchCooperativeKernel_v9000)(CUfunction, unsigned int, unsigned int, unsigned int,
    unsigned int, unsigned int, unsigned int, unsigned int, CUstream, void **);
typedef CUresult (*PFN_cuLaunchGridAsync_v2000)(CUfunction, int, int, CUstream);
typedef CUresult (*PFN_cuLaunchGrid_v2000)(CUfunction, int, int);
typedef CUresult (*PFN_cuLaunchHostFunc_v10000)(CUstream, CUhostFn, void *);
typedef CUresult (*PFN_cuLaunchKernelEx_v11060)(const CUlaunchConfig *, CUfunction, void **, void **);
typedef CUresult (*PFN_cuLaunchKernel_v4000)(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int,
    unsigned int, unsigned int, unsigned int, CUstream, void **, void **);
typedef CUresult (*PFN_cuLaunch_v2000)(CUfunction);
typedef CUresult (*PFN_cuLibraryEnumerateKernels_v12040)(CUkernel *, unsigned int, CUlibrary);
typedef CUresult (*PFN_cuLibraryGetGlobal_v12000)(CUdeviceptr *, size_t *, CUlibrary, const char *);
typedef CUresult (*PFN_cuLibraryGetKernelCount_v12040)(unsigned int *, CUlibrary);
typedef CUresult (*PFN_cuLibraryGetKernel_v12000)(CUkernel *, CUlibrary, const char *);
typedef CUresult (*PFN_cuLibraryGetManaged_v12000)(CUdeviceptr *, size_t *, CUlibrary, const char *);
typedef CUresult (*PFN_cuLibraryGetModule_v12000)(CUmodule *, CUlibrary);
typedef CUresult (*PFN_cuLibraryGetUnifiedFunction_v12000)(void **, CUlibrary, const char *);
typedef CUresult (*PFN_cuLibraryLoadData_v12000)(CUlibrary *, const void *, CUjit_option *, void **, unsigned int,
    CUlibraryOption *, void **, unsigned int);
typedef CUresult (*PFN_cuLibraryLoadFromFile_v12000)(CUlibrary *, const char *, CUjit_option *, void **, unsigned int,
    CUlibraryOption *, void **, unsigned int);
typedef CUresult (*PFN_cuLibraryUnload_v12000)(CUlibrary);
typedef CUresult (*PFN_cuLinkAddData_v6050)(CUlinkState, CUjitInputType, void *, size_t, const char *, unsigned int,
    CUjit_option *, void **);
typedef CUresult (*PFN_cuLinkAddFile_v6050)(CUlinkState, CUjitInputType, const char *, unsigned int, CUjit_option *,
    void **);
typedef CUresult (*PFN_cuLinkComplete_v5050)(CUlinkState, void **, size_t *);
typedef CUresult (*PFN_cuLinkCreate_v6050)(unsigned int, CUjit_option *, void **, CUlinkState *);
typedef CUresult (*PFN_cuLinkDestroy_v5050)(CUlinkState);
typedef CUresult (*PFN_cuLogsCurrent_v12090)(CUlogIterator *, unsigned int);
typedef CUresult (*PFN_cuLogsDumpToFile_v12090)(CUlogIterator *, const char *, unsigned int);
typedef CUresult (*PFN_cuLogsDumpToMemory_v12090)(CUlogIterator *, char *, size_t *, unsigned int);
typedef CUresult (*PFN_cuLogsRegisterCallback_v12090)(CUlogsCallback, void *, CUlogsCallbackHandle *);
typedef CUresult (*PFN_cuLogsUnregisterCallback_v12090)(CUlogsCallbackHandle);
typedef CUresult (*PFN_cuMemAddressFree_v10020)(CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemAddressReserve_v10020)(CUdeviceptr_v2 *, size_t, size_t, CUdeviceptr_v2,
    unsigned long long);
typedef CUresult (*PFN_cuMemAdvise_v12020)(CUdeviceptr_v2, size_t, CUmem_advise, CUmemLocation_v1);
typedef CUresult (*PFN_cuMemAdvise_v8000)(CUdeviceptr_v2, size_t, CUmem_advise, CUdevice_v1);
typedef CUresult (*PFN_cuMemAllocAsync_v11020)(CUdeviceptr_v2 *, size_t, CUstream);
typedef CUresult (*PFN_cuMemAllocFromPoolAsync_v11020)(CUdeviceptr_v2 *, size_t, CUmemoryPool, CUstream);
typedef CUresult (*PFN_cuMemAllocHost_v3020)(void **, size_t);
typedef CUresult (*PFN_cuMemAllocManaged_v6000)(CUdeviceptr_v2 *, size_t, unsigned int);
typedef CUresult (*PFN_cuMemAllocPitch_v3020)(CUdeviceptr_v2 *, size_t *, size_t, size_t, unsigned int);
typedef CUresult (*PFN_cuMemAlloc_v3020)(CUdeviceptr_v2 *, size_t);
typedef CUresult (*PFN_cuMemBatchDecompressAsync_v12060)(CUmemDecompressParams *, size_t, unsigned int, size_t *,
    CUstream);
typedef CUresult (*PFN_cuMemCreate_v10020)(CUmemGenericAllocationHandle_v1 *, size_t, const CUmemAllocationProp_v1 *,
    unsigned long long);
typedef CUresult (*PFN_cuMemDiscardAndPrefetchBatchAsync_v13000)(CUdeviceptr_v2 *, size_t *, size_t, CUmemLocation_v1 *,
    size_t *, size_t, unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemDiscardBatchAsync_v13000)(CUdeviceptr_v2 *, size_t *, size_t, unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemExportToShareableHandle_v10020)(void *, CUmemGenericAllocationHandle_v1,
    CUmemAllocationHandleType, unsigned long long);
typedef CUresult (*PFN_cuMemFreeAsync_v11020)(CUdeviceptr_v2, CUstream);
typedef CUresult (*PFN_cuMemFreeHost_v2000)(void *);
typedef CUresult (*PFN_cuMemFree_v3020)(CUdeviceptr_v2);
typedef CUresult (*PFN_cuMemGetAccess_v10020)(unsigned long long *, const CUmemLocation_v1 *, CUdeviceptr_v2);
typedef CUresult (*PFN_cuMemGetAddressRange_v3020)(CUdeviceptr_v2 *, size_t *, CUdeviceptr_v2);
typedef CUresult (*PFN_cuMemGetAllocationGranularity_v10020)(size_t *, const CUmemAllocationProp_v1 *,
    CUmemAllocationGranularity_flags);
typedef CUresult (*PFN_cuMemGetAllocationPropertiesFromHandle_v10020)(CUmemAllocationProp_v1 *,
    CUmemGenericAllocationHandle_v1);
typedef CUresult (*PFN_cuMemGetDefaultMemPool_v13000)(CUmemoryPool *, CUmemLocation *, CUmemAllocationType);
typedef CUresult (*PFN_cuMemGetHandleForAddressRange_v11070)(void *, CUdeviceptr, size_t, CUmemRangeHandleType,
    unsigned long long);
typedef CUresult (*PFN_cuMemGetInfo_v3020)(size_t *, size_t *);
typedef CUresult (*PFN_cuMemGetMemPool_v13000)(CUmemoryPool *, CUmemLocation *, CUmemAllocationType);
typedef CUresult (*PFN_cuMemHostAlloc_v2020)(void **, size_t, unsigned int);
typedef CUresult (*PFN_cuMemHostGetDevicePointer_v3020)(CUdeviceptr_v2 *, void *, unsigned int);
typedef CUresult (*PFN_cuMemHostGetFlags_v2030)(unsigned int *, void *);
typedef CUresult (*PFN_cuMemHostRegister_v6050)(void *, size_t, unsigned int);
typedef CUresult (*PFN_cuMemHostUnregister_v4000)(void *);
typedef CUresult (*PFN_cuMemImportFromShareableHandle_v10020)(CUmemGenericAllocationHandle_v1 *, void *,
    CUmemAllocationHandleType);
typedef CUresult (*PFN_cuMemMapArrayAsync_v11010)(CUarrayMapInfo_v1 *, unsigned int, CUstream);
typedef CUresult (*PFN_cuMemMap_v10020)(CUdeviceptr_v2, size_t, size_t, CUmemGenericAllocationHandle_v1,
    unsigned long long);
typedef CUresult (*PFN_cuMemPoolCreate_v11020)(CUmemoryPool *, const CUmemPoolProps_v1 *);
typedef CUresult (*PFN_cuMemPoolDestroy_v11020)(CUmemoryPool);
typedef CUresult (*PFN_cuMemPoolExportPointer_v11020)(CUmemPoolPtrExportData_v1 *, CUdeviceptr_v2);
typedef CUresult (*PFN_cuMemPoolExportToShareableHandle_v11020)(void *, CUmemoryPool, CUmemAllocationHandleType,
    unsigned long long);
typedef CUresult (*PFN_cuMemPoolGetAccess_v11020)(CUmemAccess_flags *, CUmemoryPool, CUmemLocation_v1 *);
typedef CUresult (*PFN_cuMemPoolGetAttribute_v11020)(CUmemoryPool, CUmemPool_attribute, void *);
typedef CUresult (*PFN_cuMemPoolImportFromShareableHandle_v11020)(CUmemoryPool *, void *, CUmemAllocationHandleType,
    unsigned long long);
typedef CUresult (*PFN_cuMemPoolImportPointer_v11020)(CUdeviceptr_v2 *, CUmemoryPool, CUmemPoolPtrExportData_v1 *);
typedef CUresult (*PFN_cuMemPoolSetAccess_v11020)(CUmemoryPool, const CUmemAccessDesc_v1 *, size_t);
typedef CUresult (*PFN_cuMemPoolSetAttribute_v11020)(CUmemoryPool, CUmemPool_attribute, void *);
typedef CUresult (*PFN_cuMemPoolTrimTo_v11020)(CUmemoryPool, size_t);
typedef CUresult (*PFN_cuMemPrefetchAsync_v12020)(CUdeviceptr_v2, size_t, CUmemLocation_v1, unsigned int, CUstream);
typedef CUresult (*PFN_cuMemPrefetchAsync_v8000)(CUdeviceptr_v2, size_t, CUdevice_v1, CUstream);
typedef CUresult (*PFN_cuMemPrefetchBatchAsync_v13000)(CUdeviceptr_v2 *, size_t *, size_t, CUmemLocation_v1 *, size_t *,
    size_t, unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemRangeGetAttribute_v8000)(void *, size_t, CUmem_range_attribute, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemRangeGetAttributes_v8000)(void **, size_t *, CUmem_range_attribute *, size_t,
    CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemRelease_v10020)(CUmemGenericAllocationHandle_v1);
typedef CUresult (*PFN_cuMemRetainAllocationHandle_v11000)(CUmemGenericAllocationHandle_v1 *, void *);
typedef CUresult (*PFN_cuMemSetAccess_v10020)(CUdeviceptr_v2, size_t, const CUmemAccessDesc_v1 *, size_t);
typedef CUresult (*PFN_cuMemSetMemPool_v13000)(CUmemLocation *, CUmemAllocationType, CUmemoryPool);
typedef CUresult (*PFN_cuMemUnmap_v10020)(CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpy2DAsync_v3020)(const CUDA_MEMCPY2D_v2 *, CUstream);
typedef CUresult (*PFN_cuMemcpy2DUnaligned_v3020)(const CUDA_MEMCPY2D_v2 *);
typedef CUresult (*PFN_cuMemcpy2D_v3020)(const CUDA_MEMCPY2D_v2 *);
typedef CUresult (*PFN_cuMemcpy3DAsync_v3020)(const CUDA_MEMCPY3D_v2 *, CUstream);
typedef CUresult (*PFN_cuMemcpy3DBatchAsync_v12080)(size_t, CUDA_MEMCPY3D_BATCH_OP_v1 *, size_t *, unsigned long long,
    CUstream);
typedef CUresult (*PFN_cuMemcpy3DBatchAsync_v13000)(size_t, CUDA_MEMCPY3D_BATCH_OP_v1 *, unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemcpy3DPeerAsync_v4000)(const CUDA_MEMCPY3D_PEER_v1 *, CUstream);
typedef CUresult (*PFN_cuMemcpy3DPeer_v4000)(const CUDA_MEMCPY3D_PEER_v1 *);
typedef CUresult (*PFN_cuMemcpy3D_v3020)(const CUDA_MEMCPY3D_v2 *);
typedef CUresult (*PFN_cuMemcpyAsync_v4000)(CUdeviceptr_v2, CUdeviceptr_v2, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyAtoA_v3020)(CUarray, size_t, CUarray, size_t, size_t);
typedef CUresult (*PFN_cuMemcpyAtoD_v3020)(CUdeviceptr_v2, CUarray, size_t, size_t);
typedef CUresult (*PFN_cuMemcpyAtoHAsync_v3020)(void *, CUarray, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyAtoH_v3020)(void *, CUarray, size_t, size_t);
typedef CUresult (*PFN_cuMemcpyBatchAsync_v12080)(CUdeviceptr_v2 *, CUdeviceptr_v2 *, size_t *, size_t,
    CUmemcpyAttributes_v1 *, size_t *, size_t, size_t *, CUstream);
typedef CUresult (*PFN_cuMemcpyBatchAsync_v13000)(CUdeviceptr_v2 *, CUdeviceptr_v2 *, size_t *, size_t,
    CUmemcpyAttributes_v1 *, size_t *, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyDtoA_v3020)(CUarray, size_t, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyDtoDAsync_v3020)(CUdeviceptr_v2, CUdeviceptr_v2, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyDtoD_v3020)(CUdeviceptr_v2, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyDtoHAsync_v3020)(void *, CUdeviceptr_v2, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyDtoH_v3020)(void *, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyHtoAAsync_v3020)(CUarray, size_t, const void *, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyHtoA_v3020)(CUarray, size_t, const void *, size_t);
typedef CUresult (*PFN_cuMemcpyHtoDAsync_v3020)(CUdeviceptr_v2, const void *, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyHtoD_v3020)(CUdeviceptr_v2, const void *, size_t);
typedef CUresult (*PFN_cuMemcpyPeerAsync_v4000)(CUdeviceptr_v2, CUcontext, CUdeviceptr_v2, CUcontext, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyPeer_v4000)(CUdeviceptr_v2, CUcontext, CUdeviceptr_v2, CUcontext, size_t);
typedef CUresult (*PFN_cuMemcpy_v4000)(CUdeviceptr_v2, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemsetD16Async_v3020)(CUdeviceptr_v2, unsigned short, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD16_v3020)(CUdeviceptr_v2, unsigned short, size_t);
typedef CUresult (*PFN_cuMemsetD2D16Async_v3020)(CUdeviceptr_v2, size_t, unsigned short, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD2D16_v3020)(CUdeviceptr_v2, size_t, unsigned short, size_t, size_t);
typedef CUresult (*PFN_cuMemsetD2D32Async_v3020)(CUdeviceptr_v2, size_t, unsigned int, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD2D32_v3020)(CUdeviceptr_v2, size_t, unsigned int, size_t, size_t);
typedef CUresult (*PFN_cuMemsetD2D8Async_v3020)(CUdeviceptr_v2, size_t, unsigned char, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD2D8_v3020)(CUdeviceptr_v2, size_t, unsigned char, size_t, size_t);
typedef CUresult (*PFN_cuMemsetD32Async_v3020)(CUdeviceptr_v2, unsigned int, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD32_v3020)(CUdeviceptr_v2, unsigned int, size_t);
typedef CUresult (*PFN_cuMemsetD8Async_v3020)(CUdeviceptr_v2, unsigned char, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD8_v3020)(CUdeviceptr_v2, unsigned char, size_t);
typedef CUresult (*PFN_cuMipmappedArrayCreate_v5000)(CUmipmappedArray *, const CUDA_ARRAY3D_DESCRIPTOR_v2 *,
    unsigned int);
typedef CUresult (*PFN_cuMipmappedArrayDestroy_v5000)(CUmipmappedArray);
typedef CUresult (*PFN_cuMipmappedArrayGetLevel_v5000)(CUarray *, CUmipmappedArray, unsigned int);
typedef CUresult (*PFN_cuMipmappedArrayGetMemoryRequirements_v11060)(CUDA_ARRAY_MEMORY_REQUIREMENTS_v1 *,
    CUmipmappedArray, CUdevice);
typedef CUresult (*PFN_cuMipmappedArrayGetSparseProperties_v11010)(CUDA_ARRAY_SPARSE_PROPERTIES_v1 *, CUmipmappedArray);
typedef CUresult (*PFN_cuModuleEnumerateFunctions_v12040)(CUfunction *, unsigned int, CUmodule);
typedef CUresult (*PFN_cuModuleGetFunctionCount_v12040)(unsigned int *, CUmodule);
typedef CUresult (*PFN_cuModuleGetFunction_v2000)(CUfunction *, CUmodule, const char *);
typedef CUresult (*PFN_cuModuleGetGlobal_v3020)(CUdeviceptr_v2 *, size_t *, CUmodule, const char *);
typedef CUresult (*PFN_cuModuleGetLoadingMode_v11070)(CUmoduleLoadingMode *);
typedef CUresult (*PFN_cuModuleGetSurfRef_v3000)(CUsurfref *, CUmodule, const char *);
typedef CUresult (*PFN_cuModuleGetTexRef_v2000)(CUtexref *, CUmodule, const char *);
typedef CUresult (*PFN_cuModuleLoadDataEx_v2010)(CUmodule *, const void *, unsigned int, CUjit_option *, void **);
typedef CUresult (*PFN_cuModuleLoadData_v2000)(CUmodule *, const void *);
typedef CUresult (*PFN_cuModuleLoadFatBinary_v2000)(CUmodule *, const void *);
typedef CUresult (*PFN_cuModuleLoad_v2000)(CUmodule *, const char *);
typedef CUresult (*PFN_cuModuleUnload_v2000)(CUmodule);
typedef CUresult (*PFN_cuMulticastAddDevice_v12010)(CUmemGenericAllocationHandle, CUdevice);
typedef CUresult (*PFN_cuMulticastBindAddr_v12010)(CUmemGenericAllocationHandle, size_t, CUdeviceptr, size_t,
    unsigned long long);
typedef CUresult (*PFN_cuMulticastBindMem_v12010)(CUmemGenericAllocationHandle, size_t, CUmemGenericAllocationHandle,
    size_t, size_t, unsigned long long);
typedef CUresult (*PFN_cuMulticastCreate_v12010)(CUmemGenericAllocationHandle *, const CUmulticastObjectProp *);
typedef CUresult (*PFN_cuMulticastGetGranularity_v12010)(size_t *, const CUmulticastObjectProp *,
    CUmulticastGranularity_flags);
typedef CUresult (*PFN_cuMulticastUnbind_v12010)(CUmemGenericAllocationHandle, CUdevice, size_t, size_t);
typedef CUresult (*PFN_cuOccupancyAvailableDynamicSMemPerBlock_v10020)(size_t *, CUfunction, int, int);
typedef CUresult (*PFN_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags_v7000)(int *, CUfunction, int, size_t,
    unsigned int);
typedef CUresult (*PFN_cuOccupancyMaxActiveBlocksPerMultiprocessor_v6050)(int *, CUfunction, int, size_t);
typedef CUresult (*PFN_cuOccupancyMaxActiveClusters_v11070)(int *, CUfunction, const CUlaunchConfig *);
typedef CUresult (*PFN_cuOccupancyMaxPotentialBlockSizeWithFlags_v7000)(int *, int *, CUfunction, CUoccupancyB2DSize,
    size_t, int, unsigned int);
typedef CUresult (*PFN_cuOccupancyMaxPotentialBlockSize_v6050)(int *, int *, CUfunction, CUoccupancyB2DSize, size_t,
    int);
typedef CUresult (*PFN_cuOccupancyMaxPotentialClusterSize_v11070)(int *, CUfunction, const CUlaunchConfig *);
typedef CUresult (*PFN_cuParamSetSize_v2000)(CUfunction, unsigned int);
typedef CUresult (*PFN_cuParamSetTexRef_v2000)(CUfunction, int, CUtexref);
typedef CUresult (*PFN_cuParamSetf_v2000)(CUfunction, int, float);
typedef CUresult (*PFN_cuParamSeti_v2000)(CUfunction, int, unsigned int);
typedef CUresult (*PFN_cuParamSetv_v2000)(CUfunction, int, void *, unsigned int);
typedef CUresult (*PFN_cuPointerGetAttribute_v4000)(void *, CUpointer_attribute, CUdeviceptr_v2);
typedef CUresult (*PFN_cuPointerGetAttributes_v7000)(unsigned int, CUpointer_attribute *, void **, CUdeviceptr_v2);
typedef CUresult (*PFN_cuPointerSetAttribute_v6000)(const void *, CUpointer_attribute, CUdeviceptr_v2);
typedef CUresult (*PFN_cuSignalExternalSemaphoresAsync_v10000)(const CUexternalSemaphore *,
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1 *, unsigned int, CUstream);
typedef CUresult (*PFN_cuStreamAddCallback_v5000)(CUstream, CUstreamCallback, void *, unsigned int);
typedef CUresult (*PFN_cuStreamAttachMemAsync_v6000)(CUstream, CUdeviceptr_v2, size_t, unsigned int);
typedef CUresult (*PFN_cuStreamBatchMemOp_v11070)(CUstream, unsigned int, CUstreamBatchMemOpParams *, unsigned int);
typedef CUresult (*PFN_cuStreamBatchMemOp_v8000)(CUstream, unsigned int, CUstreamBatchMemOpParams *, unsigned int);
typedef CUresult (*PFN_cuStreamBeginCaptureToGraph_v12030)(CUstream, CUgraph, const CUgraphNode *,
    const CUgraphEdgeData *, size_t, CUstreamCaptureMode);
typedef CUresult (*PFN_cuStreamBeginCapture_v10010)(CUstream, CUstreamCaptureMode);
typedef CUresult (*PFN_cuStreamCopyAttributes_v11000)(CUstream, CUstream);
typedef CUresult (*PFN_cuStreamCreateWithPriority_v5050)(CUstream *, unsigned int, int);
typedef CUresult (*PFN_cuStreamCreate_v2000)(CUstream *, unsigned int);
typedef CUresult (*PFN_cuStreamDestroy_v4000)(CUstream);
typedef CUresult (*PFN_cuStreamEndCapture_v10000)(CUstream, CUgraph *);
typedef CUresult (*PFN_cuStreamGetAttribute_v11000)(CUstream, CUstreamAttrID, CUstreamAttrValue_v1 *);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v10010)(CUstream, CUstreamCaptureStatus *, cuuint64_t *);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v11030)(CUstream, CUstreamCaptureStatus *, cuuint64_t *, CUgraph *,
    const CUgraphNode **, size_t *);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v12030)(CUstream, CUstreamCaptureStatus *, cuuint64_t *, CUgraph *,
    const CUgraphNode **, const CUgraphEdgeData **, size_t *);
typedef CUresult (*PFN_cuStreamGetCtx_v12050)(CUstream, CUcontext *, CUgreenCtx *);
typedef CUresult (*PFN_cuStreamGetCtx_v9020)(CUstream, CUcontext *);
typedef CUresult (*PFN_cuStreamGetDevice_v12080)(CUstream, CUdevice *);
typedef CUresult (*PFN_cuStreamGetFlags_v5050)(CUstream, unsigned int *);
typedef CUresult (*PFN_cuStreamGetGreenCtx_v12040)(CUstream, CUgreenCtx *);
typedef CUresult (*PFN_cuStreamGetId_v12000)(CUstream, unsigned long long *);
typedef CUresult (*PFN_cuStreamGetPriority_v5050)(CUstream, int *);
typedef CUresult (*PFN_cuStreamIsCapturing_v10000)(CUstream, CUstreamCaptureStatus *);
typedef CUresult (*PFN_cuStreamQuery_v2000)(CUstream);
typedef CUresult (*PFN_cuStreamSetAttribute_v11000)(CUstream, CUstreamAttrID, const CUstreamAttrValue_v1 *);
typedef CUresult (*PFN_cuStreamSynchronize_v2000)(CUstream);
typedef CUresult (*PFN_cuStreamUpdateCaptureDependencies_v11030)(CUstream, CUgraphNode *, size_t, unsigned int);
typedef CUresult (*PFN_cuStreamUpdateCaptureDependencies_v12030)(CUstream, CUgraphNode *, const CUgraphEdgeData *,
    size_t, unsigned int);
typedef CUresult (*PFN_cuStreamWaitEvent_v3020)(CUstream, CUevent, unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue32_v11070)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue32_v8000)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue64_v11070)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue64_v9000)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue32_v11070)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue32_v8000)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue64_v11070)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue64_v9000)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuSurfObjectCreate_v5000)(CUsurfObject_v1 *, const CUDA_RESOURCE_DESC_v1 *);
typedef CUresult (*PFN_cuSurfObjectDestroy_v5000)(CUsurfObject_v1);
typedef CUresult (*PFN_cuSurfObjectGetResourceDesc_v5000)(CUDA_RESOURCE_DESC_v1 *, CUsurfObject_v1);
typedef CUresult (*PFN_cuSurfRefGetArray_v3000)(CUarray *, CUsurfref);
typedef CUresult (*PFN_cuSurfRefSetArray_v3000)(CUsurfref, CUarray, unsigned int);
typedef CUresult (*PFN_cuTensorMapEncodeIm2colWide_v12080)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
    const cuuint64_t *, const cuuint64_t *, int, int, cuuint32_t, cuuint32_t, const cuuint32_t *, CUtensorMapInterleave,
    CUtensorMapIm2ColWideMode, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
    const cuuint64_t *, const cuuint64_t *, const int *, const int *, cuuint32_t, cuuint32_t, const cuuint32_t *,
    CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
    const cuuint64_t *, const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave,
    CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef CUresult (*PFN_cuTensorMapReplaceAddress_v12000)(CUtensorMap *, void *);
typedef CUresult (*PFN_cuTexObjectCreate_v5000)(CUtexObject_v1 *, const CUDA_RESOURCE_DESC_v1 *,
    const CUDA_TEXTURE_DESC_v1 *, const CUDA_RESOURCE_VIEW_DESC_v1 *);
typedef CUresult (*PFN_cuTexObjectDestroy_v5000)(CUtexObject_v1);
typedef CUresult (*PFN_cuTexObjectGetResourceDesc_v5000)(CUDA_RESOURCE_DESC_v1 *, CUtexObject_v1);
typedef CUresult (*PFN_cuTexObjectGetResourceViewDesc_v5000)(CUDA_RESOURCE_VIEW_DESC_v1 *, CUtexObject_v1);
typedef CUresult (*PFN_cuTexObjectGetTextureDesc_v5000)(CUDA_TEXTURE_DESC_v1 *, CUtexObject_v1);
typedef CUresult (*PFN_cuTexRefCreate_v2000)(CUtexref *);
typedef CUresult (*PFN_cuTexRefDestroy_v2000)(CUtexref);
typedef CUresult (*PFN_cuTexRefGetAddressMode_v2000)(CUaddress_mode *, CUtexref, int);
typedef CUresult (*PFN_cuTexRefGetAddress_v3020)(CUdeviceptr_v2 *, CUtexref);
typedef CUresult (*PFN_cuTexRefGetArray_v2000)(CUarray *, CUtexref);
typedef CUresult (*PFN_cuTexRefGetBorderColor_v8000)(float *, CUtexref);
typedef CUresult (*PFN_cuTexRefGetFilterMode_v2000)(CUfilter_mode *, CUtexref);
typedef CUresult (*PFN_cuTexRefGetFlags_v2000)(unsigned int *, CUtexref);
typedef CUresult (*PFN_cuTexRefGetFormat_v2000)(CUarray_format *, int *, CUtexref);
typedef CUresult (*PFN_cuTexRefGetMaxAnisotropy_v5000)(int *, CUtexref);
typedef CUresult (*PFN_cuTexRefGetMipmapFilterMode_v5000)(CUfilter_mode *, CUtexref);
typedef CUresult (*PFN_cuTexRefGetMipmapLevelBias_v5000)(float *, CUtexref);
typedef CUresult (*PFN_cuTexRefGetMipmapLevelClamp_v5000)(float *, float *, CUtexref);
typedef CUresult (*PFN_cuTexRefGetMipmappedArray_v5000)(CUmipmappedArray *, CUtexref);
typedef CUresult (*PFN_cuTexRefSetAddress2D_v4010)(CUtexref, const CUDA_ARRAY_DESCRIPTOR_v2 *, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuTexRefSetAddressMode_v2000)(CUtexref, int, CUaddress_mode);
typedef CUresult (*PFN_cuTexRefSetAddress_v3020)(size_t *, CUtexref, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuTexRefSetArray_v2000)(CUtexref, CUarray, unsigned int);
typedef CUresult (*PFN_cuTexRefSetBorderColor_v8000)(CUtexref, float *);
typedef CUresult (*PFN_cuTexRefSetFilterMode_v2000)(CUtexref, CUfilter_mode);
typedef CUresult (*PFN_cuTexRefSetFlags_v2000)(CUtexref, unsigned int);
typedef CUresult (*PFN_cuTexRefSetFormat_v2000)(CUtexref, CUarray_format, int);
typedef CUresult (*PFN_cuTexRefSetMaxAnisotropy_v5000)(CUtexref, unsigned int);
typedef CUresult (*PFN_cuTexRefSetMipmapFilterMode_v5000)(CUtexref, CUfilter_mode);
typedef CUresult (*PFN_cuTexRefSetMipmapLevelBias_v5000)(CUtexref, float);
typedef CUresult (*PFN_cuTexRefSetMipmapLevelClamp_v5000)(CUtexref, float, float);
typedef CUresult (*PFN_cuTexRefSetMipmappedArray_v5000)(CUtexref, CUmipmappedArray, unsigned int);
typedef CUresult (*PFN_cuThreadExchangeStreamCaptureMode_v10010)(CUstreamCaptureMode *);
typedef CUresult (*PFN_cuUserObjectCreate_v11030)(CUuserObject *, void *, CUhostFn, unsigned int, unsigned int);
typedef CUresult (*PFN_cuUserObjectRelease_v11030)(CUuserObject, unsigned int);
typedef CUresult (*PFN_cuUserObjectRetain_v11030)(CUuserObject, unsigned int);
typedef CUresult (*PFN_cuWaitExternalSemaphoresAsync_v10000)(const CUexternalSemaphore *,
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1 *, unsigned int, CUstream);

// The newest form of each.
