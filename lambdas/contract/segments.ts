/** Returns the segments of a path, of which the first is empty. A slash at the end adds no segment. */
export function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}
