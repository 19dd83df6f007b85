// printf, assert, malloc and free of device code: s_incperflevel 0x5000 + kind, as
// porter/runtime/include/porter/device_printf.h has it. v[0:1] hold each lane's address of a record. That of printf and
// assert: how many words follow, room for the result, and pairs of a tag and a value. Lanes are served in order, and
// what a wave prints in one call stays together. printf of -mprintf-kind=buffered gives 0, or -1 and prints nothing where the
// buffer that AMD's runtime has for a kernel's calls would be full. In code objects the device library's own malloc and free become calls
// whose size, address and result are in v[0:1] themselves (porter/emu/elf/heap_calls.py); its printf and assert ask the
// host by a buffer (host/launches/hostcalls.cpp) and an interrupt.
#define _GNU_SOURCE
#include "memory.h"
#include "ops.h"

#include <stdio.h>

enum { CALL_BASE = 0x5000, CALL_PRINTF = 1, CALL_ASSERT = 2, CALL_MALLOC = 3, CALL_FREE = 4, CALL_MALLOC_DIRECT = 5, CALL_FREE_DIRECT = 6,
       CALL_PRINTF_BUFFERED = 7 };
enum { TAG_INTEGER, TAG_DOUBLE, TAG_STRING };

const Heap *device_heap;
Mailbox device_mailbox;

typedef struct { u64 tag, bits; } Value;
typedef struct { char *bytes; u64 size, room; } Text;

static void put(Text *t, const char *bytes, u64 n) {
  if (t->size + n > t->room) t->bytes = realloc(t->bytes, t->room = 2 * (t->size + n) + 64);
  memcpy(t->bytes + t->size, bytes, n);
  t->size += n;
}

// The lane's memory behind a flat address; NULL where it may not be read.
static const u8 *behind(Wave *w, int lane, u64 address, u32 size) {
  const u64 aperture = address & APERTURE_MASK, offset = address & 0xffffffff;
  if (aperture == PRIVATE_APERTURE)
    return offset + size <= w->scratch_size ? w->scratch + (u64)lane * w->scratch_size + offset : NULL;
  if (aperture == SHARED_APERTURE) return offset + size <= w->lds_size ? w->lds + offset : NULL;
  return out_of_bounds(&address, 1, size, false, w->launch->options.device) < 0 ? (const u8 *)(uintptr_t)address : NULL;
}

// A string to a buffer of its own; NULL, with the address of the first byte that cannot be read.
static char *string_at(Wave *w, int lane, u64 address, u64 *bad) {
  Text t = {0};
  for (;; address++) {
    const u8 *byte = behind(w, lane, address, 1);
    if (!byte) {
      free(t.bytes);
      *bad = address;
      return NULL;
    }
    put(&t, (const char *)byte, 1);
    if (!*byte) return t.bytes;
  }
}

typedef struct {
  Wave *w;
  int lane;
  const Value *values;
  u32 count, at;
  u64 bad;  // an address that could not be read
  u64 buffered;  // bytes that the call takes of AMD's buffer
} Arguments;

static Value take(Arguments *a) {
  static const Value none = {TAG_INTEGER, 0};
  return a->at < a->count ? a->values[a->at++] : none;
}

// An integer of the length that the conversion names: the caller extended it by its own type.
static u64 narrowed(u64 x, const char *length, bool sign) {
  if (!strcmp(length, "hh")) return sign ? (u64)(i64)(i8)x : (u8)x;
  if (!strcmp(length, "h")) return sign ? (u64)(i64)(i16)x : (u16)x;
  if (!*length) return sign ? (u64)(i64)(i32)x : (u32)x;
  return x;
}

// AMD's buffer of printf: a kernel's calls share so many bytes for each thread of a block, less two words in front.
#define BUFFER_BYTES (4096ull * CHIP_MAX_THREADS - 8)
#define CALL_BYTES 12  // of a call: a word of control and a number that stands for the format

static u64 padded(u64 size) { return (size + 7) & ~7ull; }

// Whether a call's bytes are left. AMD's device library counts the two words in front once more.
static bool buffer_holds(Launch *launch, u64 bytes) {
  u64 used = __atomic_load_n(&launch->printed, __ATOMIC_RELAXED);
  do {
    if (8 + used + bytes > BUFFER_BYTES) return false;
  } while (!__atomic_compare_exchange_n(&launch->printed, &used, used + bytes, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return true;
}

static void put_formatted(Text *out, const char *spec, int width, int precision, char kind, Arguments *a, const char *length) {
  char form[64], *made = NULL;
  int n = -1;
  // `*` twice: width and precision are always given, and a negative precision means none.
  if (strchr("di", kind)) {
    snprintf(form, sizeof form, "%%%s*.*ll%c", spec, kind);
    n = asprintf(&made, form, width, precision, (long long)narrowed(take(a).bits, length, true));
  } else if (strchr("uoxX", kind)) {
    snprintf(form, sizeof form, "%%%s*.*ll%c", spec, kind);
    n = asprintf(&made, form, width, precision, (unsigned long long)narrowed(take(a).bits, length, false));
  } else if (strchr("aAeEfFgG", kind)) {
    snprintf(form, sizeof form, "%%%s*.*%c", spec, kind);
    n = asprintf(&made, form, width, precision, __builtin_bit_cast(double, take(a).bits));
  } else if (kind == 'c') {
    snprintf(form, sizeof form, "%%%s*c", spec);
    n = asprintf(&made, form, width, (int)take(a).bits);
  } else if (kind == 'p') {
    snprintf(form, sizeof form, "%%%s*p", spec);
    n = asprintf(&made, form, width, (void *)(uintptr_t)take(a).bits);
  } else if (kind == 's') {
    const u64 address = take(a).bits;
    char *string = address ? string_at(a->w, a->lane, address, &a->bad) : strdup("(null)");
    snprintf(form, sizeof form, "%%%s*.*s", spec);
    if (string) n = asprintf(&made, form, width, precision, string);
    if (string) a->buffered += (address ? padded(strlen(string) + 1) : 0) - 8;
    free(string);
  }
  if (n > 0) put(out, made, (u64)n);
  if (n >= 0) free(made);
}

static void put_printf(Text *out, const char *format, Arguments *a) {
  while (*format) {
    const char *percent = strchrnul(format, '%');
    put(out, format, (u64)(percent - format));
    if (!*percent) return;
    const char *p = percent + 1;
    char flags[8] = "", length[3] = "";
    u32 flag_count = 0;
    while (*p && strchr("-+ #0'", *p)) {
      if (flag_count < sizeof flags - 1 && !strchr(flags, *p)) flags[flag_count++] = *p;
      p++;
    }
    int width = 0, precision = -1;
    if (*p == '*') width = (int)take(a).bits, p++;
    else while (*p >= '0' && *p <= '9') width = 10 * width + (*p++ - '0');
    if (*p == '.') {
      precision = 0;
      if (*++p == '*') precision = (int)take(a).bits, p++;
      else while (*p >= '0' && *p <= '9') precision = 10 * precision + (*p++ - '0');
    }
    while (*p && strchr("hljztL", *p)) {
      if (strlen(length) < 2) strncat(length, p, 1);
      p++;
    }
    if (*p == '%') put(out, "%", 1);
    else if (*p && strchr("diuoxXaAeEfFgGcps", *p)) put_formatted(out, flags, width, precision, *p, a, length);
    else if (*p != 'n') put(out, percent, (u64)(p - percent) + (*p != 0));  // no conversion: as it stands
    format = *p ? p + 1 : p;
  }
}

static const Ins *unreadable(Wave *w, const Ins *I, int lane, u64 address, u32 size) {
  const FaultKind kind = (address & APERTURE_MASK) == PRIVATE_APERTURE  ? FAULT_SCRATCH_BOUNDS
                         : (address & APERTURE_MASK) == SHARED_APERTURE ? FAULT_LDS_BOUNDS
                                                                        : FAULT_OUT_OF_BOUNDS;
  return fault(w, I, kind, lane, address, size, -1);
}

static bool assertion(Text *out, Arguments *a) {
  char *part[4] = {0};  // expression, file, -, function
  for (u32 i = 0; i < 4; i++)
    if (i != 2 && !(part[i] = string_at(a->w, a->lane, a->values[i].bits, &a->bad))) break;
  const bool good = part[3];
  if (good) {
    char *line = NULL;
    const int n = asprintf(&line, "%s:%u: %s: Device-side assertion `%s' failed.\n", part[1], (u32)a->values[2].bits,
                           part[3], part[0]);
    if (n > 0) put(out, line, (u64)n);
    if (n >= 0) free(line);
  }
  for (u32 i = 0; i < 4; i++) free(part[i]);
  return good;
}

// Serves one call; false with the lane and address of what it could not read.
static bool serve(Wave *w, u32 kind, int *lane, u64 *bad, u32 *size) {
  Text out = {0};
  bool good = true;
  for (u64 m = EXEC; m && good; m &= m - 1) {
    const int l = *lane = __builtin_ctzll(m);
    const u64 address = *bad = GET64(w->R, l);
    const u32 *record = (const u32 *)behind(w, l, address, *size = 8);
    const u32 words = record ? record[0] : 0;
    good = record && behind(w, l, address, *size = 8 + 8 * words) && words >= (kind == CALL_ASSERT ? 8 : 2);
    if (!good) break;
    Arguments a = {w, l, (const Value *)(record + 2), words / 2, 0, 0, CALL_BYTES + 8 * (words / 2 - 1)};
    *size = 1;
    if (kind == CALL_ASSERT) {
      good = assertion(&out, &a);
    } else {
      const u64 before = out.size;
      char *format = string_at(w, l, take(&a).bits, &a.bad);
      if ((good = format)) put_printf(&out, format, &a);
      free(format);
      u32 result = (u32)(out.size - before);
      if (kind == CALL_PRINTF_BUFFERED) {
        result = buffer_holds(w->launch, a.buffered) ? 0 : ~0u;
        if (result) out.size = before;
      }
      ((u32 *)record)[1] = result;
    }
    if (a.bad) good = false;
    *bad = a.bad;
  }
  if (out.size) fwrite(out.bytes, 1, out.size, kind == CALL_ASSERT ? stderr : stdout);
  free(out.bytes);
  return good;
}

#define NATIVE_host_call(NAME)                                                                        \
  const Ins *NAME(Wave *w, const Ins *I) {                                                            \
    const u32 kind = (u32)I->imm - CALL_BASE;                                                         \
    if (kind >= CALL_PRINTF && kind <= CALL_PRINTF_BUFFERED) {                                          \
      const Ins *stopped = host_call(w, I, kind);                                                     \
      if (unlikely(w->state == FAULTED)) return stopped;                                              \
    }                                                                                                 \
    NEXT;                                                                                             \
  }

// The call of the function that this instruction is in, by the return address in s[30:31]: the user's line
static const Ins *caller(const Wave *w, const Ins *I) {
  const u64 back = (w->s[30] | (u64)w->s[31] << 32) ^ CODE_APERTURE;
  return back % INS_BYTES == 0 && back && back / INS_BYTES < w->launch->image->ins_count ? w->code + back / INS_BYTES - 1 : I;
}

static const Ins *heap_call(Wave *w, const Ins *I, u32 kind) {
  const bool direct = kind >= CALL_MALLOC_DIRECT, allocates = kind == CALL_MALLOC || kind == CALL_MALLOC_DIRECT;
  const u32 size = allocates ? 16 : 8;
  EACH_LANE(EXEC) {
    const u64 given = GET64(w->R, l);
    u64 *record = direct ? NULL : (u64 *)behind(w, (int)l, given, size);
    if (!direct && !record) return unreadable(w, I, (int)l, given, size);
    const u64 asked = direct ? given : record[0];
    if (allocates) {
      const u64 block = device_heap ? device_heap->allocate(asked) : 0;
      if (direct) PUT64(w->R, l, block);
      else record[1] = block;
    } else if (asked && !(device_heap && device_heap->release(asked))) {
      return fault(w, caller(w, I), FAULT_BAD_FREE, (int)l, asked, 0, -1);
    }
  }
  return NULL;
}

static __attribute__((noinline)) const Ins *host_call(Wave *w, const Ins *I, u32 kind) {
  int lane = 0;
  u64 bad = 0;
  u32 size = 0;
  if (!EXEC) return NULL;
  if (kind >= CALL_MALLOC && kind <= CALL_FREE_DIRECT) return heap_call(w, I, kind);
  if (!serve(w, kind, &lane, &bad, &size)) return unreadable(w, I, lane, bad, size);
  if (kind == CALL_ASSERT) return fault(w, caller(w, I), FAULT_ASSERT, __builtin_ctzll(EXEC), 0, 0, -1);
  return NULL;
}

// The lowest bits say what for: 1 is an interrupt.
const Ins *op_s_sendmsg(Wave *w, const Ins *I) {
  if ((I->imm & 15) == 1 && device_mailbox.interrupt) device_mailbox.interrupt();
  NEXT;
}

#include "natives.h"
