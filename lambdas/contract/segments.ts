/** Returns the segments of a path, the first of which is empty. A slash at the end adds no segment. */
export function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}
