/** The first segment is empty. A trailing slash adds no segment. */
export function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}
