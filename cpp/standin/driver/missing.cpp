// Functions of the CUDA driver that are not here: each names itself and ends the program, so that none seems to succeed.
#include "standin/device.hpp"

// clang-format off
#define MISSING(X) \
    X(cuArray3DCreate) X(cuArray3DGetDescriptor) X(cuArrayCreate) X(cuArrayGetDescriptor) \
    X(cuArrayGetMemoryRequirements) X(cuArrayGetPlane) X(cuArrayGetSparseProperties) \
    X(cuCheckpointProcessCheckpoint) X(cuCheckpointProcessGetRestoreThreadId) X(cuCheckpointProcessGetState) \
    X(cuCheckpointProcessLock) X(cuCheckpointProcessRestore) X(cuCheckpointProcessUnlock) X(cuCoredumpGetAttribute) \
    X(cuCoredumpGetAttributeGlobal) X(cuCoredumpSetAttribute) X(cuCoredumpSetAttributeGlobal) X(cuCtxAttach) \
    X(cuCtxCreate) X(cuCtxDestroy) X(cuCtxDetach) X(cuCtxFromGreenCtx) X(cuCtxGetDevResource) \
    X(cuCtxGetExecAffinity) X(cuCtxPopCurrent) X(cuCtxPushCurrent) X(cuCtxRecordEvent) X(cuCtxWaitEvent) \
    X(cuDestroyExternalMemory) X(cuDestroyExternalSemaphore) X(cuDevResourceGenerateDesc) X(cuDevSmResourceSplit) \
    X(cuDevSmResourceSplitByCount) X(cuDeviceGetDevResource) X(cuDeviceGetHostAtomicCapabilities) \
    X(cuDeviceGetNvSciSyncAttributes) X(cuDeviceGetP2PAtomicCapabilities) X(cuDeviceGetProperties) \
    X(cuDeviceGetTexture1DLinearMaxWidth) X(cuDevicePrimaryCtxRelease) X(cuDevicePrimaryCtxReset) \
    X(cuDevicePrimaryCtxSetFlags) X(cuDeviceRegisterAsyncNotification) X(cuDeviceTotalMem) \
    X(cuDeviceUnregisterAsyncNotification) X(cuEGLStreamConsumerAcquireFrame) X(cuEGLStreamConsumerConnect) \
    X(cuEGLStreamConsumerDisconnect) X(cuEGLStreamConsumerReleaseFrame) X(cuEGLStreamProducerConnect) \
    X(cuEGLStreamProducerDisconnect) X(cuEGLStreamProducerPresentFrame) X(cuEGLStreamProducerReturnFrame) \
    X(cuEventCreateFromEGLSync) X(cuEventDestroy) X(cuExternalMemoryGetMappedBuffer) \
    X(cuExternalMemoryGetMappedMipmappedArray) X(cuFuncSetBlockShape) X(cuFuncSetSharedSize) X(cuGLCtxCreate) \
    X(cuGLGetDevices) X(cuGLInit) X(cuGLMapBufferObject) X(cuGLMapBufferObjectAsync) X(cuGLRegisterBufferObject) \
    X(cuGLUnmapBufferObject) X(cuGLUnmapBufferObjectAsync) X(cuGLUnregisterBufferObject) \
    X(cuGraphAddBatchMemOpNode) X(cuGraphAddDependencies) X(cuGraphAddExternalSemaphoresSignalNode) \
    X(cuGraphAddExternalSemaphoresWaitNode) X(cuGraphAddKernelNode) X(cuGraphAddNode) \
    X(cuGraphBatchMemOpNodeGetParams) X(cuGraphBatchMemOpNodeSetParams) X(cuGraphEventRecordNodeGetEvent) \
    X(cuGraphEventRecordNodeSetEvent) X(cuGraphEventWaitNodeGetEvent) X(cuGraphEventWaitNodeSetEvent) \
    X(cuGraphExecBatchMemOpNodeSetParams) X(cuGraphExecEventRecordNodeSetEvent) X(cuGraphExecEventWaitNodeSetEvent) \
    X(cuGraphExecExternalSemaphoresSignalNodeSetParams) X(cuGraphExecExternalSemaphoresWaitNodeSetParams) \
    X(cuGraphExecGetFlags) X(cuGraphExecGetId) X(cuGraphExecKernelNodeSetParams) X(cuGraphExecMemcpyNodeSetParams) \
    X(cuGraphExecNodeSetParams) X(cuGraphExecUpdate) X(cuGraphExternalSemaphoresSignalNodeGetParams) \
    X(cuGraphExternalSemaphoresSignalNodeSetParams) X(cuGraphExternalSemaphoresWaitNodeGetParams) \
    X(cuGraphExternalSemaphoresWaitNodeSetParams) X(cuGraphGetEdges) X(cuGraphGetId) X(cuGraphInstantiate) \
    X(cuGraphInstantiate_v2) X(cuGraphKernelNodeGetParams) X(cuGraphKernelNodeSetParams) \
    X(cuGraphMemcpyNodeGetParams) X(cuGraphMemcpyNodeSetParams) X(cuGraphNodeGetContainingGraph) \
    X(cuGraphNodeGetDependencies) X(cuGraphNodeGetDependentNodes) X(cuGraphNodeGetLocalId) X(cuGraphNodeGetToolsId) \
    X(cuGraphNodeSetParams) X(cuGraphRemoveDependencies) X(cuGraphicsEGLRegisterImage) \
    X(cuGraphicsGLRegisterBuffer) X(cuGraphicsGLRegisterImage) X(cuGraphicsMapResources) \
    X(cuGraphicsResourceGetMappedEglFrame) X(cuGraphicsResourceGetMappedMipmappedArray) \
    X(cuGraphicsResourceGetMappedPointer) X(cuGraphicsResourceGetMappedPointer_v2) X(cuGraphicsResourceSetMapFlags) \
    X(cuGraphicsResourceSetMapFlags_v2) X(cuGraphicsSubResourceGetMappedArray) X(cuGraphicsUnmapResources) \
    X(cuGraphicsUnregisterResource) X(cuGraphicsVDPAURegisterOutputSurface) X(cuGraphicsVDPAURegisterVideoSurface) \
    X(cuGreenCtxCreate) X(cuGreenCtxDestroy) X(cuGreenCtxGetDevResource) X(cuGreenCtxGetId) \
    X(cuGreenCtxRecordEvent) X(cuGreenCtxStreamCreate) X(cuGreenCtxWaitEvent) X(cuImportExternalMemory) \
    X(cuImportExternalSemaphore) X(cuIpcOpenMemHandle) X(cuKernelGetLibrary) X(cuLaunch) \
    X(cuLaunchCooperativeKernelMultiDevice) X(cuLaunchGrid) X(cuLaunchGridAsync) X(cuLibraryGetManaged) \
    X(cuLibraryGetUnifiedFunction) X(cuLinkAddData) X(cuLinkAddFile) X(cuLinkCreate) X(cuMemAlloc) \
    X(cuMemAllocHost) X(cuMemAllocPitch) X(cuMemBatchDecompressAsync) X(cuMemDiscardAndPrefetchBatchAsync) \
    X(cuMemDiscardBatchAsync) X(cuMemFree) X(cuMemGetAddressRange) X(cuMemGetHandleForAddressRange) X(cuMemGetInfo) \
    X(cuMemGetLocationInfo) X(cuMemHostGetDevicePointer) X(cuMemHostRegister) X(cuMemImportFromShareableHandle) \
    X(cuMemMapArrayAsync) X(cuMemPoolExportPointer) X(cuMemPoolExportToShareableHandle) \
    X(cuMemPoolImportFromShareableHandle) X(cuMemPoolImportPointer) X(cuMemPrefetchAsync_ptsz) \
    X(cuMemPrefetchBatchAsync) X(cuMemcpy2D) X(cuMemcpy2DAsync) X(cuMemcpy2DUnaligned) X(cuMemcpy3D) \
    X(cuMemcpy3DAsync) X(cuMemcpy3DBatchAsync) X(cuMemcpy3DBatchAsync_ptsz) X(cuMemcpy3DBatchAsync_v2) \
    X(cuMemcpy3DPeer) X(cuMemcpy3DPeerAsync) X(cuMemcpy3DWithAttributesAsync) X(cuMemcpyAtoA) X(cuMemcpyAtoA_v2) \
    X(cuMemcpyAtoD) X(cuMemcpyAtoH) X(cuMemcpyAtoHAsync) X(cuMemcpyBatchAsync_ptsz) X(cuMemcpyDtoA) X(cuMemcpyDtoD) \
    X(cuMemcpyDtoDAsync) X(cuMemcpyDtoH) X(cuMemcpyDtoHAsync) X(cuMemcpyHtoA) X(cuMemcpyHtoAAsync) X(cuMemcpyHtoD) \
    X(cuMemcpyHtoDAsync) X(cuMemsetD16) X(cuMemsetD2D16) X(cuMemsetD2D32) X(cuMemsetD2D8) X(cuMemsetD32) \
    X(cuMemsetD8) X(cuMipmappedArrayCreate) X(cuMipmappedArrayDestroy) X(cuMipmappedArrayGetLevel) \
    X(cuMipmappedArrayGetMemoryRequirements) X(cuMipmappedArrayGetSparseProperties) X(cuModuleGetGlobal) \
    X(cuModuleGetSurfRef) X(cuModuleGetTexRef) X(cuMulticastAddDevice) X(cuMulticastBindAddr) X(cuMulticastBindMem) \
    X(cuMulticastCreate) X(cuMulticastGetGranularity) X(cuMulticastUnbind) X(cuParamSetSize) X(cuParamSetTexRef) \
    X(cuParamSetf) X(cuParamSeti) X(cuParamSetv) X(cuProfilerInitialize) X(cuSignalExternalSemaphoresAsync) \
    X(cuStreamBatchMemOp_ptsz) X(cuStreamBeginCapture) X(cuStreamBeginCapture_ptsz) \
    X(cuStreamBeginRecaptureToGraph) X(cuStreamDestroy) X(cuStreamGetCaptureInfo) X(cuStreamGetCaptureInfo_ptsz) \
    X(cuStreamGetCaptureInfo_v2_ptsz) X(cuStreamGetCtx_v2) X(cuStreamGetDevResource) X(cuStreamGetGreenCtx) \
    X(cuStreamUpdateCaptureDependencies_ptsz) X(cuStreamWaitValue32_ptsz) X(cuStreamWaitValue64_ptsz) \
    X(cuStreamWriteValue32_ptsz) X(cuStreamWriteValue64_ptsz) X(cuSurfObjectGetResourceDesc) X(cuSurfRefGetArray) \
    X(cuSurfRefSetArray) X(cuTensorMapEncodeIm2col) X(cuTensorMapEncodeIm2colWide) X(cuTexObjectGetResourceDesc) \
    X(cuTexObjectGetResourceViewDesc) X(cuTexObjectGetTextureDesc) X(cuTexRefCreate) X(cuTexRefDestroy) \
    X(cuTexRefGetAddress) X(cuTexRefGetAddressMode) X(cuTexRefGetAddress_v2) X(cuTexRefGetArray) \
    X(cuTexRefGetBorderColor) X(cuTexRefGetFilterMode) X(cuTexRefGetFlags) X(cuTexRefGetFormat) \
    X(cuTexRefGetMaxAnisotropy) X(cuTexRefGetMipmapFilterMode) X(cuTexRefGetMipmapLevelBias) \
    X(cuTexRefGetMipmapLevelClamp) X(cuTexRefGetMipmappedArray) X(cuTexRefSetAddress) X(cuTexRefSetAddress2D) \
    X(cuTexRefSetAddress2D_v2) X(cuTexRefSetAddress2D_v3) X(cuTexRefSetAddressMode) X(cuTexRefSetAddress_v2) \
    X(cuTexRefSetArray) X(cuTexRefSetBorderColor) X(cuTexRefSetFilterMode) X(cuTexRefSetFlags) X(cuTexRefSetFormat) \
    X(cuTexRefSetMaxAnisotropy) X(cuTexRefSetMipmapFilterMode) X(cuTexRefSetMipmapLevelBias) \
    X(cuTexRefSetMipmapLevelClamp) X(cuTexRefSetMipmappedArray) X(cuVDPAUCtxCreate) X(cuVDPAUGetDevice) \
    X(cuWaitExternalSemaphoresAsync)
// clang-format on

#define STANDIN_MISSING(name) \
    STANDIN_API int name() { foretell::standin::missing(#name); }
MISSING(STANDIN_MISSING)
