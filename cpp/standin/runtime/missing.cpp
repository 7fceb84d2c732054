// Functions of the CUDA runtime that are not here: each names itself and ends the program, so that none seems to succeed.
#include "standin/device.hpp"

// clang-format off
#define MISSING(X) \
    X(__cudaGetProcAddress) X(__cudaRegisterUnifiedTable) X(cudaArrayGetMemoryRequirements) X(cudaArrayGetPlane) \
    X(cudaArrayGetSparseProperties) X(cudaDestroyExternalMemory) X(cudaDestroyExternalSemaphore) \
    X(cudaDevResourceGenerateDesc) X(cudaDevSmResourceSplit) X(cudaDevSmResourceSplitByCount) \
    X(cudaDeviceGetDevResource) X(cudaDeviceGetExecutionCtx) X(cudaDeviceGetHostAtomicCapabilities) \
    X(cudaDeviceGetNvSciSyncAttributes) X(cudaDeviceGetP2PAtomicCapabilities) \
    X(cudaDeviceRegisterAsyncNotification) X(cudaDeviceUnregisterAsyncNotification) \
    X(cudaEGLStreamConsumerAcquireFrame) X(cudaEGLStreamConsumerConnect) X(cudaEGLStreamConsumerConnectWithFlags) \
    X(cudaEGLStreamConsumerDisconnect) X(cudaEGLStreamConsumerReleaseFrame) X(cudaEGLStreamProducerConnect) \
    X(cudaEGLStreamProducerDisconnect) X(cudaEGLStreamProducerPresentFrame) X(cudaEGLStreamProducerReturnFrame) \
    X(cudaEventCreateFromEGLSync) X(cudaExecutionCtxDestroy) X(cudaExecutionCtxGetDevResource) \
    X(cudaExecutionCtxGetDevice) X(cudaExecutionCtxGetId) X(cudaExecutionCtxRecordEvent) \
    X(cudaExecutionCtxStreamCreate) X(cudaExecutionCtxSynchronize) X(cudaExecutionCtxWaitEvent) \
    X(cudaExternalMemoryGetMappedBuffer) X(cudaExternalMemoryGetMappedMipmappedArray) X(cudaFreeMipmappedArray) \
    X(cudaGLGetDevices) X(cudaGLMapBufferObject) X(cudaGLMapBufferObjectAsync) X(cudaGLRegisterBufferObject) \
    X(cudaGLSetBufferObjectMapFlags) X(cudaGLSetGLDevice) X(cudaGLUnmapBufferObject) \
    X(cudaGLUnmapBufferObjectAsync) X(cudaGLUnregisterBufferObject) X(cudaGetExportTable) \
    X(cudaGetMipmappedArrayLevel) X(cudaGetTextureObjectResourceViewDesc) \
    X(cudaGraphAddExternalSemaphoresSignalNode) X(cudaGraphAddExternalSemaphoresWaitNode) \
    X(cudaGraphConditionalHandleCreate_v2) X(cudaGraphEventRecordNodeGetEvent) X(cudaGraphEventRecordNodeSetEvent) \
    X(cudaGraphEventWaitNodeGetEvent) X(cudaGraphEventWaitNodeSetEvent) X(cudaGraphExecEventRecordNodeSetEvent) \
    X(cudaGraphExecEventWaitNodeSetEvent) X(cudaGraphExecExternalSemaphoresSignalNodeSetParams) \
    X(cudaGraphExecExternalSemaphoresWaitNodeSetParams) X(cudaGraphExecGetFlags) X(cudaGraphExecGetId) \
    X(cudaGraphExecMemcpyNodeSetParamsFromSymbol) X(cudaGraphExecMemcpyNodeSetParamsToSymbol) \
    X(cudaGraphExternalSemaphoresSignalNodeGetParams) X(cudaGraphExternalSemaphoresSignalNodeSetParams) \
    X(cudaGraphExternalSemaphoresWaitNodeGetParams) X(cudaGraphExternalSemaphoresWaitNodeSetParams) \
    X(cudaGraphGetId) X(cudaGraphInstantiateWithParams_ptsz) X(cudaGraphMemcpyNodeSetParamsFromSymbol) \
    X(cudaGraphMemcpyNodeSetParamsToSymbol) X(cudaGraphNodeGetContainingGraph) X(cudaGraphNodeGetLocalId) \
    X(cudaGraphNodeGetParams) X(cudaGraphNodeGetToolsId) X(cudaGraphicsEGLRegisterImage) \
    X(cudaGraphicsGLRegisterBuffer) X(cudaGraphicsGLRegisterImage) X(cudaGraphicsMapResources) \
    X(cudaGraphicsResourceGetMappedEglFrame) X(cudaGraphicsResourceGetMappedMipmappedArray) \
    X(cudaGraphicsResourceGetMappedPointer) X(cudaGraphicsResourceSetMapFlags) \
    X(cudaGraphicsSubResourceGetMappedArray) X(cudaGraphicsUnmapResources) X(cudaGraphicsUnregisterResource) \
    X(cudaGraphicsVDPAURegisterOutputSurface) X(cudaGraphicsVDPAURegisterVideoSurface) X(cudaGreenCtxCreate) \
    X(cudaImportExternalMemory) X(cudaImportExternalSemaphore) X(cudaLaunchCooperativeKernelMultiDevice) \
    X(cudaLibraryGetManaged) X(cudaLibraryGetUnifiedFunction) X(cudaMallocMipmappedArray) \
    X(cudaMemDiscardAndPrefetchBatchAsync) X(cudaMemDiscardAndPrefetchBatchAsync_ptsz) X(cudaMemDiscardBatchAsync) \
    X(cudaMemDiscardBatchAsync_ptsz) X(cudaMemGetLocationInfo) X(cudaMemPoolExportPointer) \
    X(cudaMemPoolExportToShareableHandle) X(cudaMemPoolImportFromShareableHandle) X(cudaMemPoolImportPointer) \
    X(cudaMemPrefetchBatchAsync) X(cudaMemPrefetchBatchAsync_ptsz) X(cudaMemcpy2DArrayToArray_ptds) \
    X(cudaMemcpy3DBatchAsync) X(cudaMemcpy3DBatchAsync_ptsz) X(cudaMemcpy3DPeerAsync_ptsz) X(cudaMemcpy3DPeer_ptds) \
    X(cudaMemcpy3DWithAttributesAsync) X(cudaMemcpy3DWithAttributesAsync_ptsz) X(cudaMemcpyArrayToArray_ptds) \
    X(cudaMemcpyBatchAsync_ptsz) X(cudaMemcpyFromArray_ptds) X(cudaMemcpyToArray_ptds) \
    X(cudaMemcpyWithAttributesAsync_ptsz) X(cudaMipmappedArrayGetMemoryRequirements) \
    X(cudaMipmappedArrayGetSparseProperties) X(cudaSetDoubleForDevice) X(cudaSetDoubleForHost) \
    X(cudaSignalExternalSemaphoresAsync) X(cudaSignalExternalSemaphoresAsync_ptsz) \
    X(cudaSignalExternalSemaphoresAsync_v2) X(cudaSignalExternalSemaphoresAsync_v2_ptsz) \
    X(cudaStreamBeginRecaptureToGraph) X(cudaStreamBeginRecaptureToGraph_ptsz) X(cudaStreamGetCaptureInfo_v2_ptsz) \
    X(cudaStreamGetCaptureInfo_v3_ptsz) X(cudaStreamGetDevResource) X(cudaStreamGetDevResource_ptsz) \
    X(cudaStreamUpdateCaptureDependencies_v2_ptsz) X(cudaSubgridCreate) X(cudaSubgridWorkerGridCreate) \
    X(cudaSubgridWorksetCreate) X(cudaVDPAUGetDevice) X(cudaVDPAUSetVDPAUDevice) X(cudaWaitExternalSemaphoresAsync) \
    X(cudaWaitExternalSemaphoresAsync_ptsz) X(cudaWaitExternalSemaphoresAsync_v2) \
    X(cudaWaitExternalSemaphoresAsync_v2_ptsz)
// clang-format on

#define STANDIN_MISSING(name) \
    STANDIN_API int name() { foretell::standin::missing(#name); }
MISSING(STANDIN_MISSING)
