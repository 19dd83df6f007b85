// porter stub headers: OpenGL interoperability.
#pragma once
#include "cuda_runtime_api.h"

typedef unsigned int GLuint;
typedef unsigned int GLenum;
enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame, cudaGLDeviceListNextFrame };
enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly, cudaGLMapFlagsWriteDiscard };

extern "C" {
cudaError_t cudaGLGetDevices(unsigned int *, int *, unsigned int, cudaGLDeviceList);
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource **, GLuint, GLenum, unsigned int);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **, GLuint, unsigned int);
cudaError_t cudaGLSetGLDevice(int);
cudaError_t cudaGLRegisterBufferObject(GLuint);
cudaError_t cudaGLMapBufferObject(void **, GLuint);
cudaError_t cudaGLUnmapBufferObject(GLuint);
cudaError_t cudaGLUnregisterBufferObject(GLuint);
cudaError_t cudaGLSetBufferObjectMapFlags(GLuint, unsigned int);
cudaError_t cudaGLMapBufferObjectAsync(void **, GLuint, cudaStream_t);
cudaError_t cudaGLUnmapBufferObjectAsync(GLuint, cudaStream_t);
}
