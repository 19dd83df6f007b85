// What streams have to do, and the threads that do it. Operations are done one at a time in the order in which they were
// asked for, or with a seed in any order that the streams allow; so a program without races gives the same results each
// time. Only a kernel that waits for somebody else (core/run.c), or hipStreamWaitValue, lets others in before it ends:
// it keeps its thread, and another one goes on. One thread at a time has the turn; a thread of the program that waits
// for an operation takes it too, to do that and what comes before it in its stream.
//
// Nothing begins before the host asks whether it is done, or has left the runtime alone for a moment.
#include <dirent.h>
#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <thread>
#include <utility>

#include "graphs/graphs.h"
#include "host.h"
#include "memory/ipc.h"

namespace host {

namespace {

using Clock = std::chrono::steady_clock;
using Hold = std::unique_lock<std::mutex>;

constexpr std::chrono::milliseconds GRACE{2}, LOOK_AGAIN{1};
constexpr double PATIENCE_WITH_PROCESSES = 12;  // times as much: another process may compile, or emulate for long
constexpr unsigned IDLE_LOOKS = 50;  // in which a thread looks itself whether there is something to do, and then sleeps

struct Operation {
  u64 ticket = 0;
  int device = 0;
  const void *line = nullptr;  // the stream
  bool begun = false;
  Work work;
  std::vector<u64> after;
  Clock::time_point asked;
  std::string name;  // for reports
};

struct Waiting {  // an operation that lets others in
  std::condition_variable turn;
  bool its_turn = false;
};

struct Queue {
  std::mutex lock;
  std::condition_variable asked, done;
  std::map<u64, std::unique_ptr<Operation>> pending;  // by ticket, those that have begun too
  std::deque<Waiting *> waiting;
  u64 tickets = 0, wanted = 0;  // the last one that the host waits for
  u64 random = 0;
  std::set<const std::vector<u64> *> hosts;  // what threads of the program wait for
  bool turn = false;          // some thread has it
  unsigned idle = 0, asleep = 0;  // threads here that have nothing to do; those of them that do not look themselves
  u64 quiet = 0;              // looks in vain of operations that wait, since anything changed
  Clock::time_point changed;  // when that was
  bool last_look = false;     // the host could do nothing more, and all that waits looks once again: it may just have
  bool started = false;
};

Queue &queue() {
  static Queue &all = *new Queue;
  return all;
}

thread_local bool serving = false;

u64 shuffled(u64 *x) {
  *x ^= *x >> 12, *x ^= *x << 25, *x ^= *x >> 27;
  return *x * 0x2545f4914f6cdd1dull;
}

bool may_begin(const Queue &q, const Operation &o) {
  return !o.begun && std::none_of(o.after.begin(), o.after.end(), [&](u64 before) { return q.pending.count(before) != 0; });
}

// The next operation: of those that the host wants, or of all where others wait for one of them, or the host is away.
Operation *next(Queue &q, bool all) {
  std::vector<Operation *> found;
  const auto now = Clock::now();
  for (const auto &[ticket, o] : q.pending) {
    if (!all && ticket > q.wanted && now - o->asked < GRACE) break;
    if (!may_begin(q, *o)) continue;
    if (!q.random) return o.get();
    found.push_back(o.get());
    if (found.size() == 64) break;
  }
  return found.empty() ? nullptr : found[shuffled(&q.random) % found.size()];
}

void changed(Queue &q) {
  q.quiet = 0;
  q.last_look = false;
  q.changed = Clock::now();
}

void do_it(Queue &q, Hold &hold, Operation *o) {
  o->begun = true;
  changed(q);
  hold.unlock();
  const auto begin = Clock::now();
  stream_begins(o->ticket, o->line, o->name);
  (void)run_work(o->work, o->device);
  stream_ends(o->work.type == hipGraphNodeTypeBatchMemOp, o->work.type == hipGraphNodeTypeHost && !o->work.action);
  const bool runs_kernels = o->work.type == hipGraphNodeTypeKernel || o->work.type == hipGraphNodeTypeGraph;
  if (!runs_kernels) advance_clock(o->device, std::chrono::duration<double>(Clock::now() - begin).count());
  hold.lock();
  q.pending.erase(o->ticket);
  changed(q);
  q.done.notify_all();
}

void give_turn(Queue &q) {
  Waiting *first = q.waiting.front();
  q.waiting.pop_front();
  first->its_turn = true;
  first->turn.notify_one();
}

void end_turn(Queue &q) {
  if (!q.waiting.empty()) {
    give_turn(q);
    return;
  }
  q.turn = false;
  if (q.asleep && !q.pending.empty()) q.asked.notify_one();
}

// Until there may be something to do.
void rest(Queue &q, Hold &hold, unsigned *looks) {
  q.idle++;
  if (!q.pending.empty()) *looks = 0;
  if (++*looks <= IDLE_LOOKS) {
    q.asked.wait_for(hold, GRACE);
  } else {
    q.asleep++;
    q.asked.wait(hold);
    q.asleep--;
    *looks = 0;
  }
  q.idle--;
}

void serve() {
  serving = true;
  pthread_setname_np(pthread_self(), WORKER_NAME);
  Queue &q = queue();
  Hold hold(q.lock);
  for (unsigned looks = 0;;) {
    Operation *o = q.turn ? nullptr : next(q, !q.waiting.empty());
    if (!o) {
      rest(q, hold, &looks);
      continue;
    }
    q.turn = true;
    for (; o; o = next(q, !q.waiting.empty())) do_it(q, hold, o);
    end_turn(q);
  }
}

bool all_done(const Queue &q, const std::vector<u64> &tickets) {
  return std::none_of(tickets.begin(), tickets.end(), [&](u64 ticket) { return q.pending.count(ticket) != 0; });
}

// Whether an operation has to be done before these are.
bool is_needed(const Queue &q, const Operation &o, const std::vector<u64> &tickets) {
  for (const u64 ticket : tickets) {
    const auto found = q.pending.find(ticket);
    if (found != q.pending.end() && o.ticket <= ticket && found->second->line == o.line) return true;
  }
  return false;
}

// Does what a thread of the program waits for, where it is free to.
void help(Queue &q, Hold &hold, const std::vector<u64> &tickets) {
  if (q.turn) return;
  Operation *o = next(q, !q.waiting.empty());
  if (!o || !is_needed(q, *o, tickets)) return;
  q.turn = serving = true;
  do {
    do_it(q, hold, o);
    o = next(q, !q.waiting.empty());
  } while (o && is_needed(q, *o, tickets));
  serving = false;
  end_turn(q);
}

// Whether the program has a thread that does not wait for an operation.
bool host_goes_on(const Queue &q) {
  unsigned others = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return true;
  while (const dirent *task = readdir(tasks)) {
    if (*task->d_name == '.') continue;
    FILE *file = fopen((std::string("/proc/self/task/") + task->d_name + "/comm").c_str(), "r");
    char name[32] = "";
    if (file && fgets(name, sizeof name, file)) others += strncmp(name, WORKER_NAME, strlen(WORKER_NAME)) != 0;
    if (file) fclose(file);
  }
  closedir(tasks);
  for (const std::vector<u64> *tickets : q.hosts) others -= !all_done(q, *tickets);
  return others > 0;
}

// All that has begun waits. True: the host may yet do something about it.
bool wait_for_host(Queue &q, Hold &hold) {
  const std::chrono::duration<double> vain = Clock::now() - q.changed;
  const double patience = options().patience * (other_processes() ? PATIENCE_WITH_PROCESSES : 1);
  if (vain.count() > patience) return false;
  if (!other_processes() && !host_goes_on(q)) {
    q.quiet = 0;
    return !std::exchange(q.last_look, true);
  }
  q.last_look = false;
  q.asked.wait_for(hold, LOOK_AGAIN);
  q.quiet = 0;
  return true;
}

// Called by what has begun and cannot go on, or was long enough at it. False: nobody is left who could help.
int let_others(int progressed) {
  Queue &q = queue();
  Hold hold(q.lock);
  if (progressed) changed(q);
  else q.quiet++;
  const bool fresh = next(q, true);
  if (!fresh && (q.waiting.empty() || q.quiet > q.waiting.size())) return progressed || wait_for_host(q, hold);
  Waiting me;
  q.waiting.push_back(&me);
  const HeapOwner heap = heap_owner();
  if (!fresh) give_turn(q);
  else q.turn = false;
  if (fresh && q.idle) q.asked.notify_all();
  else if (fresh) std::thread(serve).detach();
  me.turn.wait(hold, [&] { return me.its_turn; });
  set_heap_owner(heap);
  return true;
}

void finish_at_exit() { wait_for_all(); }

// A child of fork() has no other threads.
void before_fork() {
  wait_for_all();
  queue().lock.lock();
}
void after_fork() { queue().lock.unlock(); }
void after_fork_in_child() {
  queue().started = false;
  queue().hosts.clear();
  queue().idle = queue().asleep = 0;
  queue().lock.unlock();
}

void start(Queue &q) {
  if (q.started) return;
  q.started = true;
  q.random = options().seed * 0x9e3779b97f4a7c15ull;
  launch_waits = let_others;
  static const bool once = atexit(finish_at_exit) == 0 && pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
  (void)once;
  std::thread(serve).detach();
}

}  // namespace

u64 ask(Work &&work, int device, const void *line, std::vector<u64> &&after, const std::string &name) {
  if (serving) {  // a function of the host that calls HIP
    (void)run_work(work, device);
    return 0;
  }
  Queue &q = queue();
  Hold hold(q.lock);
  start(q);
  auto o = std::make_unique<Operation>();
  const u64 ticket = o->ticket = ++q.tickets;
  o->device = device;
  o->line = line;
  o->name = name;
  o->work = std::move(work);
  stream_asked(ticket, line, after, o->work);
  for (const u64 before : after)
    if (q.pending.count(before)) o->after.push_back(before);
  o->asked = Clock::now();
  q.pending.emplace(ticket, std::move(o));
  if (q.asleep || !q.waiting.empty()) q.asked.notify_all();
  return ticket;
}

bool is_done(u64 ticket) {
  Queue &q = queue();
  const Hold hold(q.lock);
  if (!q.pending.count(ticket)) {
    stream_known({ticket});
    return true;
  }
  if (ticket > q.wanted) {
    q.wanted = ticket;
    q.asked.notify_all();
  }
  return false;
}

void wait_for(const std::vector<u64> &tickets) {
  if (serving) return;
  Queue &q = queue();
  Hold hold(q.lock);
  for (const u64 ticket : tickets) q.wanted = std::max(q.wanted, ticket);
  if (all_done(q, tickets)) return stream_known(tickets);
  q.hosts.insert(&tickets);
  help(q, hold, tickets);
  if (!all_done(q, tickets)) q.asked.notify_all();
  q.done.wait(hold, [&] { return all_done(q, tickets); });
  q.hosts.erase(&tickets);
  stream_known(tickets);
}

// What is asked for meanwhile does not count.
void wait_for_all() {
  Queue &q = queue();
  std::map<const void *, u64> last;  // of each stream
  u64 asked;
  {
    const Hold hold(q.lock);
    asked = q.tickets;
    for (const auto &[ticket, o] : q.pending) last[o->line] = ticket;
  }
  std::vector<u64> tickets;
  for (const auto &[line, ticket] : last) tickets.push_back(ticket);
  wait_for(tickets);
  if (!serving) stream_all_known(asked);
}

// Until `holds`: what others do meanwhile is let in. False: nobody is left who could make it hold.
bool wait_until(const std::function<bool()> &holds) {
  while (!holds())
    if (!let_others(false)) return false;
  return true;
}

}  // namespace host
