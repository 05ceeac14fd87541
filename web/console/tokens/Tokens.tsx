export function Tokens(_: Record<string, unknown>) {
  return null;
}
