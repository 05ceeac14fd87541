/** Returns a percent-encoded text decoded, or the text itself if its encoding is invalid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
