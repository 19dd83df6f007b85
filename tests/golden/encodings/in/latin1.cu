/* Auteur: André Lefèvre, © 2009. Réduction d'un vecteur; ce fichier est en Latin-1. */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void somme(const float *x, float *r, int n)	// élément par élément
{
    float s = 0.f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += x[i];
    for (int d = warpSize / 2; d > 0; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);	/* « réduit » */
    if (threadIdx.x == 0) *r = s;
}

int main()
{
    const char *unite = "metre: cudaMemcpy n'y change rien";
    float h[256], *d, *r, s;
    for (int i = 0; i < 256; i++) h[i] = 0.5f;
    if (cudaMalloc(&d, sizeof h) != cudaSuccess || cudaMalloc(&r, sizeof s) != cudaSuccess) return 2;
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    somme<<<1, 32>>>(d, r, 256);
    cudaMemcpy(&s, r, sizeof s, cudaMemcpyDeviceToHost);
    std::printf("%s %s\n", s == 128.f ? "PASS" : "FAIL", unite);
    return s != 128.f;
}
