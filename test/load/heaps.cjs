/**
 * Loaded into the service before it starts: writes, each second, what is in use of all its heaps, in bytes. What the
 * machine says that a process takes is no measure of it: V8 lets the heap of each function's thread grow by and by.
 */
const { writeFileSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
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
  const heaps = await Promise.allSettled([...workers].map((worker) => worker.getHeapStatistics()));
  return heaps.reduce(
    (sum, { value }) => sum + (value?.used_heap_size ?? 0),
    process.memoryUsage().heapUsed + process.memoryUsage().external,
  );
}

if (threads.isMainThread && process.env.HEAPS_FILE) {
  threads.Worker = WatchedWorker;
  syncBuiltinESMExports();
  setInterval(async () => writeFileSync(process.env.HEAPS_FILE, String(await inUse())), 1_000).unref();
}
