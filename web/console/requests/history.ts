export function recordExchange(..._: unknown[]): void {}
