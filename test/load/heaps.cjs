/**
 * Node loads this module into the service before the service starts. Every second, it writes the number of bytes that are in
 * use in all heaps and in their external memory. The resident memory does not show this number, because V8 lets the heap of
 * each function's thread grow slowly.
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
  const statistics = await Promise.allSettled([...workers].map((worker) => worker.getHeapStatistics()));
  // A worker that has just ended does not respond.
  const heaps = [getHeapStatistics(), ...statistics.flatMap(({ value }) => value ?? [])];
  return heaps.reduce((sum, heap) => sum + heap.used_heap_size + heap.external_memory, 0);
}

if (threads.isMainThread && process.env.HEAPS_FILE) {
  threads.Worker = WatchedWorker;
  syncBuiltinESMExports();
  setInterval(async () => writeFileSync(process.env.HEAPS_FILE, String(await inUse())), 1_000).unref();
}
