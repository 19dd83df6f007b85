// A hash of bytes, to tell whether a state was seen before.
#pragma once
#include "emu.h"

#define HASH_PRIME 0x100000001b3ull

static inline u64 hash_bytes(u64 hash, const void *bytes, u64 size) {
  const u64 *words = bytes;
  const u64 count = size / 8;
  u64 part[4] = {hash, hash + 1, hash + 2, hash + 3};
  u64 i = 0;
  for (; i + 4 <= count; i += 4)
    for (int j = 0; j < 4; j++) part[j] = (part[j] ^ words[i + j]) * HASH_PRIME;
  for (; i < count; i++) part[0] = (part[0] ^ words[i]) * HASH_PRIME;
  u64 tail = 0;
  memcpy(&tail, words + count, size % 8);
  part[1] = (part[1] ^ tail) * HASH_PRIME;
  for (int j = 0; j < 4; j++) hash = (hash ^ part[j] ^ part[j] >> 29) * HASH_PRIME;
  return hash;
}
