import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import { type Clock, systemClock } from '../platform/clock.ts';

/** Caches the results of authorizers. If the cache is full, it removes the least recently used result. */
export class AuthorizerCache {
  /** The results, by key. The least recently used result is first. */
  private readonly entries = new Map<
    string,
    { readonly result: APIGatewayAuthorizerResult; readonly expiresAt: number }
  >();
  private readonly maxEntries: number;
  private readonly clock: Pick<Clock, 'now'>;

  constructor(maxEntries: number, clock: Pick<Clock, 'now'> = systemClock) {
    this.maxEntries = maxEntries;
    this.clock = clock;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Returns the result for a key, or undefined if the cache has no result or the result has expired. */
  get(key: string): APIGatewayAuthorizerResult | undefined {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    if (!entry || entry.expiresAt <= this.clock.now()) return undefined;
    this.entries.set(key, entry);
    return entry.result;
  }

  /** Caches a result for the given time, in place of the previous result for the key. If the time is 0, caches no result. */
  set(key: string, result: APIGatewayAuthorizerResult, ttlSeconds: number): void {
    this.entries.delete(key);
    if (ttlSeconds <= 0) return;
    this.entries.set(key, { result, expiresAt: this.clock.now() + ttlSeconds * 1000 });
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.maxEntries) return;
      this.entries.delete(oldest);
    }
  }
}
