/**
 * Loaded into the service before it starts: writes, each second, what is in use of all its heaps and of what they hold
 * outside, in bytes. What the machine says that a process takes is no measure of it: V8 lets the heap of each function's
 * thread grow by and by.
 */
const { writeFileSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { getHeapStatistics } = require('node:v8');
const threads = require('node:worker_threads');

const workers = new Set();

class WatchedWorker extends threads.Worker {
  constructor(...parameters) {
    super(...parameters);
    workers.add(this);
    this.once('exit', () => workers.delete(this));
  }
}

async function inUse() {
  const answers = await Promise.allSettled([...workers].map((worker) => worker.getHeapStatistics()));
  // A worker that has just ended answers no more.
  const heaps = [getHeapStatistics(), ...answers.flatMap(({ value }) => value ?? [])];
  return heaps.reduce((sum, heap) => sum + heap.used_heap_size + heap.external_memory, 0);
}

if (threads.isMainThread && process.env.HEAPS_FILE) {
  threads.Worker = WatchedWorker;
  syncBuiltinESMExports();
  setInterval(async () => writeFileSync(process.env.HEAPS_FILE, String(await inUse())), 1_000).unref();
}
