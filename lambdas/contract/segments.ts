/** The first segment is empty. A trailing slash adds none. */
export function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}
