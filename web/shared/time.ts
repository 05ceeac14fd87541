/** @param at Unix seconds */
export function dateAndTime(at: number): string {
  return new Date(at * 1000).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}
