/** Matches a valid dog ID. */
export const dogId = /^[A-Za-z0-9_-]{1,40}$/;
