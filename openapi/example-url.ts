/** The URL of the service in examples. Pages show their own instead. */
export const exampleUrl = 'https://dogs.example.com';
