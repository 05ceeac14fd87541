/** The pattern of dog IDs. */
export const dogId = /^[A-Za-z0-9_-]{1,40}$/;
