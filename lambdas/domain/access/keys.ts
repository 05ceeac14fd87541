/** A name of a user or a client: RFC 7617 forbids the colon, and what cannot be typed anywhere helps nobody. */
export const accessName = /^[A-Za-z0-9._@+-]{1,64}$/;
