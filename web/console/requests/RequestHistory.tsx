export function RequestHistory(_: Record<string, unknown>) {
  return null;
}
