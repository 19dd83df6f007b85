// porter stub headers: OpenGL interoperability of the driver.
#pragma once
#include "cuda.h"

typedef unsigned int GLuint;
typedef unsigned int GLenum;
enum CUGLDeviceList { CU_GL_DEVICE_LIST_ALL = 1, CU_GL_DEVICE_LIST_CURRENT_FRAME, CU_GL_DEVICE_LIST_NEXT_FRAME };

extern "C" {
CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *, GLuint, unsigned int);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *, GLuint, GLenum, unsigned int);
CUresult cuGLGetDevices(unsigned int *, CUdevice *, unsigned int, CUGLDeviceList);
}
