export function ActivityFeed(_: Record<string, unknown>) {
  return null;
}
