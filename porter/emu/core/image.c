// Loading: the packed program becomes handlers to call, with its data in place and its symbols resolved.
#include "clock.h"
#include "hooks.h"

#include <stdio.h>

static const void *at(const void *blob, u32 offset) { return (const u8 *)blob + offset; }

static u64 symbol_address(const Image *image, const Symbol *s) {
  switch (s->kind) {
    case SYMBOL_CODE: return CODE_APERTURE | s->value * INS_BYTES;
    case SYMBOL_DATA: return (u64)(uintptr_t)(image->data + s->value);
    default: return s->value;
  }
}

static void relocate(Image *image, const Reloc *r, u32 number) {
  const u64 ins_address = CODE_APERTURE | ((u64)r->ins * INS_BYTES);
  u64 value = symbol_address(image, &image->symbols[r->symbol]);
  if (r->kind == REL_GOT_LO || r->kind == REL_GOT_HI) {
    image->got[number] = value;
    value = (u64)(uintptr_t)&image->got[number];
  }
  value += r->addend;
  // The literal of an instruction lies four bytes into it.
  if (r->kind == REL_REL32_LO || r->kind == REL_REL32_HI || r->kind == REL_GOT_LO || r->kind == REL_GOT_HI)
    value -= ins_address + 4;
  u8 *place = r->where == WHERE_POOL ? (u8 *)(image->pool + r->place) : image->data + r->place;
  if (r->kind == REL_REL64) value -= (u64)(uintptr_t)place;
  if (r->kind == REL_ABS64 || r->kind == REL_REL64) {
    memcpy(place, &value, 8);
    return;
  }
  const bool high = r->kind == REL_ABS32_HI || r->kind == REL_REL32_HI || r->kind == REL_GOT_HI;
  const u32 half = high ? (u32)(value >> 32) : (u32)value;
  memcpy(place, &half, 4);
}

// Registers come in units; the descriptor of a kernel says how many of these it gets.
static u32 given(u32 count) {
  return (count + CHIP_REGISTER_GRANULE - 1) / CHIP_REGISTER_GRANULE * CHIP_REGISTER_GRANULE;
}

static bool lacks(const Kernel *k, u32 row, u32 count) {
  if (!count) return false;
  return row < k->agpr_base ? row + count > given(k->vgprs) : row + count > k->agpr_base + given(k->agprs);
}

// Rows that instructions name, and for each kernel whether one of its own, up to the next function's first, has more than
// its descriptor gives. A code object may say anything: a wave has room for all rows whatever it says.
static void find_rows(Image *image) {
  u32 *owner = malloc(sizeof(u32) * (image->ins_count + 1));
  memset(owner, 0xff, sizeof(u32) * (image->ins_count + 1));
  const u32 nobody = UINT32_MAX - 1;
  for (u32 i = 0; i < image->symbol_count; i++)
    if (image->symbols[i].kind == SYMBOL_CODE && image->symbols[i].value < image->ins_count)
      owner[image->symbols[i].value] = nobody;
  image->beyond = malloc(sizeof(u32) * (image->kernel_count + 1));
  for (u32 k = 0; k < image->kernel_count; k++) {
    owner[image->kernels[k].entry] = k;
    image->beyond[k] = NONE_BEYOND;
    if (image->kernels[k].rows > image->rows) image->rows = image->kernels[k].rows;
  }
  u32 kernel = UINT32_MAX;
  for (u32 i = 0; i < image->ins_count; i++) {
    const Regs *r = &image->regs[i];
    if (owner[i] != UINT32_MAX) kernel = owner[i] == nobody ? UINT32_MAX : owner[i];
    bool beyond = false;
    for (int j = 0; j < 5; j++) {
      const u32 row = j < 4 ? r->v[j] : r->v_out, count = j < 4 ? r->v_count[j] : r->v_out_count;
      if (count && row + count > image->rows) image->rows = row + count;
      beyond |= kernel != UINT32_MAX && lacks(&image->kernels[kernel], row, count);
    }
    if (beyond && image->beyond[kernel] == NONE_BEYOND) image->beyond[kernel] = i;
  }
  free(owner);
}

Image *image_load(const void *bytes, u64 size, char *error, u64 error_size) {
  const Header *h = bytes;
  if (size < sizeof *h || h->magic != IMAGE_MAGIC || h->size > size) {
    snprintf(error, error_size, "not a porter image");
    return NULL;
  }
  if (h->table_hash != table_hash) {
    snprintf(error, error_size, "the program was built for another version of the emulator: build it again");
    return NULL;
  }
  Image *image = calloc(1, sizeof *image);
  void *blob = malloc(h->size);
  memcpy(blob, bytes, h->size);
  image->blob = blob;
  image->ins_count = h->ins_count;
  image->ins = aligned_alloc(64, (sizeof(Ins) * (h->ins_count + 1) + 63) & ~63ull);
  memcpy(image->ins, at(blob, h->ins_at), sizeof(Ins) * h->ins_count);
  image->ext = at(blob, h->ext_at);
  image->pool = (u32 *)at(blob, h->pool_at);
  image->kernels = at(blob, h->kernel_at);
  image->kernel_count = h->kernel_count;
  image->args = at(blob, h->arg_at);
  image->symbols = (Symbol *)at(blob, h->symbol_at);
  image->symbol_count = h->symbol_count;
  image->places = at(blob, h->place_at);
  image->regs = at(blob, h->regs_at);
  image->strings = at(blob, h->string_at);
  image->data_size = h->data_size;
  image->data_block = aligned_alloc(4096, (h->data_size + 8191) & ~4095ull);
  image->data = image->data_block;
  memcpy(image->data, at(blob, h->data_at), h->data_size);
  image->got = aligned_alloc(4096, (8ull * (h->reloc_count + 1) + 4095) & ~4095ull);
  memset(image->got, 0, 8ull * (h->reloc_count + 1));
  for (u32 i = 0; i < h->ins_count; i++) {
    Ins *ins = &image->ins[i];
    ins->fn = ins->real = handlers[ins->op];
    ins->index = i;
  }
  clock_find_waits(image);
  find_rows(image);
  const Reloc *relocs = at(blob, h->reloc_at);
  for (u32 i = 0; i < h->reloc_count; i++) {
    const Symbol *s = &image->symbols[relocs[i].symbol];
    if (s->kind == SYMBOL_UNDEFINED) {
      snprintf(error, error_size, "undefined symbol: %s", image->strings + s->name);
      image_free(image);
      return NULL;
    }
    relocate(image, &relocs[i], i);
  }
  image->variables = image->data + h->data_writable_at;
  memory_add((u64)(uintptr_t)image->data, h->data_writable_at, MEMORY_READ_ONLY | MEMORY_ELSEWHERE);
  memory_add((u64)(uintptr_t)image->variables, h->data_size - h->data_writable_at, MEMORY_ELSEWHERE);
  memory_add((u64)(uintptr_t)image->got, 8ull * (h->reloc_count + 1), MEMORY_READ_ONLY | MEMORY_ELSEWHERE);
  return image;
}

void image_free(Image *image) {
  if (!image) return;
  memory_remove((u64)(uintptr_t)image->data);
  memory_remove((u64)(uintptr_t)image->variables);
  memory_remove((u64)(uintptr_t)image->got);
  free(image->ins);
  free(image->beyond);
  free(image->checked);
  free(image->polls);
  free(image->guesses);
  free(image->scalars);
  free(image->data_block);
  free(image->got);
  free(image->blob);
  free(image);
}

int image_find_kernel(const Image *image, const char *name) {
  for (u32 i = 0; i < image->kernel_count; i++)
    if (!strcmp(image->strings + image->kernels[i].name, name)) return (int)i;
  return -1;
}

u64 image_symbol(const Image *image, const char *name, u64 *size) {
  for (u32 i = 0; i < image->symbol_count; i++) {
    const Symbol *s = &image->symbols[i];
    if (s->kind == SYMBOL_UNDEFINED || strcmp(image->strings + s->name, name)) continue;
    if (size) *size = s->size;
    return symbol_address(image, s);
  }
  return 0;
}

void kernel_arguments(const Image *image, u32 kernel, const LaunchOptions *o, void *const *args, void *segment) {
  const Kernel *k = &image->kernels[kernel];
  u8 *out = segment;
  memset(out, 0, k->kernarg_size);
  u32 given = 0;
  for (u32 i = 0; i < k->arg_count; i++) {
    const Argument *a = &image->args[k->first_arg + i];
    if (a->kind < 16) {
      if (args) memcpy(out + a->offset, args[given++], a->size);
      continue;
    }
    u64 value = 0;
    switch (a->kind) {
      case HIDDEN_BLOCK_COUNT_X: case HIDDEN_BLOCK_COUNT_Y: case HIDDEN_BLOCK_COUNT_Z:
        value = o->grid[a->kind - HIDDEN_BLOCK_COUNT_X];
        break;
      case HIDDEN_GROUP_SIZE_X: case HIDDEN_GROUP_SIZE_Y: case HIDDEN_GROUP_SIZE_Z:
        value = o->block[a->kind - HIDDEN_GROUP_SIZE_X];
        break;
      case HIDDEN_GRID_DIMS:
        value = o->grid[2] * o->block[2] > 1 ? 3 : o->grid[1] * o->block[1] > 1 ? 2 : 1;
        break;
      case HIDDEN_DYNAMIC_LDS_SIZE: value = o->dynamic_lds; break;
      case HIDDEN_SHARED_BASE: value = SHARED_APERTURE >> 32; break;
      case HIDDEN_PRIVATE_BASE: value = PRIVATE_APERTURE >> 32; break;
      default: break;  // remainders and offsets are 0: HIP grids are whole workgroups
    }
    memcpy(out + a->offset, &value, a->size);
  }
}

u32 image_instruction_count(const Image *image) { return image->ins_count; }

void image_place(const Image *image, u32 index, SourcePlace *out) {
  *out = (SourcePlace){"", "", "", 0, 0, 0};
  if (index >= image->ins_count) return;
  const Place *p = &image->places[index];
  const char *strings = image->strings;
  *out = (SourcePlace){strings + p->file, strings + p->inner_file, strings + p->text, p->line, p->inner_line, p->column};
}

static const char *text_of(const Image *image, u32 i) { return image->strings + image->places[i].text; }

// What may be told what another wave has written: the scalar unit only by loads that pass its cache by.
static bool may_poll(const Image *image, u32 i) {
  const u32 role = image->regs[i].role;
  return role & ROLE_LOAD && (role & (ROLE_VMEM | ROLE_LDS) || (role & ROLE_SMEM && strstr(text_of(image, i), " glc")));
}

// The first try of a loop that polls, which compilers and people peel: on the same source line, or, where no lines are
// known, from the same registers.
static bool first_try(const Image *image, u32 i, u32 polling) {
  const Place *a = &image->places[i], *b = &image->places[polling];
  if (image->ins[i].op != image->ins[polling].op) return false;
  if (b->line) return a->line == b->line && a->file == b->file;
  const char *from = strchr(text_of(image, i), ','), *other = strchr(text_of(image, polling), ',');
  return !a->line && from && other && may_poll(image, i) && !strcmp(from, other);
}

// A load polls when it sits in a short loop that stores nothing and reads the same place each time round: such loops
// wait for another wave.
static void find_polls(Image *image) {
  const u32 longest = 48;
  for (u32 end = 0; end < image->ins_count; end++) {
    const Ins *branch = &image->ins[end];
    const u32 start = (u32)branch->imm;
    if (!(image->regs[end].role & ROLE_BRANCH) || start > end || end - start > longest)
      continue;
    bool quiet = true;
    u64 rows[(CHIP_VGPRS + CHIP_AGPRS) / 64] = {0}, scalars[256 / 64] = {0};
    for (u32 i = start; i <= end; i++) {
      const Regs *r = &image->regs[i];
      if (r->role & (ROLE_STORE | ROLE_ATOMIC | ROLE_MFMA)) quiet = false;
      for (int j = 0; j < 2; j++)
        for (u32 n = 0, s = r->s_out[j]; n < r->s_out_count[j]; n++, s++) scalars[s >> 6 & 3] |= 1ull << (s & 63);
      for (u32 row = r->v_out; row < (u32)r->v_out + r->v_out_count; row++) rows[row >> 6] |= 1ull << (row & 63);
    }
    for (u32 i = start; quiet && i <= end; i++) {
      const Regs *r = &image->regs[i];
      if (!may_poll(image, i)) continue;
      bool same = true;
      for (u32 row = r->v[0]; row < (u32)r->v[0] + r->v_count[0]; row++) same &= !(rows[row >> 6] >> (row & 63) & 1);
      for (int j = 0; j < 4; j++)
        for (u32 s = r->s[j]; s < (u32)r->s[j] + r->s_count[j]; s++) same &= !(scalars[s >> 6 & 3] >> (s & 63) & 1);
      if (same) image->polls[i] = 1;
    }
  }
  for (u32 i = 0; i < image->ins_count; i++) {
    if (image->polls[i] != 1) continue;
    for (u32 j = 0; j < image->ins_count; j++)
      if (!image->polls[j] && first_try(image, j, i)) image->polls[j] = 2;
  }
}

// Only through LDS do the waves of a workgroup learn what others know; where nobody waits for that, neither by polling
// nor by an atomic in a loop that looks at what it returns, barriers and atomics say it all.
static void find_signals(Image *image) {
  bool waits = false, learns = false;
  u32 looped = UINT32_MAX;  // the first instruction of the loops whose ends were met, going backwards
  for (u32 i = image->ins_count; i-- > 0;) {
    const Regs *r = &image->regs[i];
    const u32 target = (u32)image->ins[i].imm;
    if (r->role & ROLE_BRANCH && target <= i && target < looped) looped = target;
    const bool atomic = r->role & ROLE_ATOMIC && r->role & (ROLE_LDS | ROLE_FLAT);
    waits |= image->polls[i] || (atomic && r->v_out_count && i >= looped);
    learns |= r->role & (ROLE_LDS | ROLE_FLAT) && (image->polls[i] || atomic);
    if (i == looped) looped = UINT32_MAX;
  }
  image->signals = waits && learns;
}

void image_prepare_checks(Image *image) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (!image->checked) {
    image->polls = calloc(image->ins_count + 1, 1);
    find_polls(image);
    image->guesses = calloc(image->ins_count + 1, 1);
    hooks.prepare(image);
    find_signals(image);
    Ins *copy = aligned_alloc(64, (sizeof(Ins) * (image->ins_count + 1) + 63) & ~63ull);
    memcpy(copy, image->ins, sizeof(Ins) * image->ins_count);
    for (u32 i = 0; i < image->ins_count; i++) copy[i].fn = hooks.instruction;
    image->checked = copy;
  }
  pthread_mutex_unlock(&lock);
}
