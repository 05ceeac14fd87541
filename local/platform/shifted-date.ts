/** Makes this thread's `Date` return the system time plus a clock's `offset`, which another thread can change at any time. */
export function shiftDate(offset: BigInt64Array): void {
  const SystemDate = Date;
  const now = () => SystemDate.now() + Number(Atomics.load(offset, 0));
  globalThis.Date = new Proxy(SystemDate, {
    apply: () => new SystemDate(now()).toString(),
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
