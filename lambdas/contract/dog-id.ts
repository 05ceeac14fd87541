/** Dog IDs are part of URLs and of schedule names. */
export const dogId = /^[A-Za-z0-9_-]{1,40}$/;

export function invalidDogId(id: string): string {
  return `"${id}" is not a valid ID for a dog. An ID has 1 to 40 characters: letters, digits, - and _.`;
}
