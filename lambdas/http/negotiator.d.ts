declare module 'negotiator/lib/mediaType.js' {
  /** Returns the provided media types that are accepted, most preferred first. */
  export default function preferredMediaTypes(accept: string, provided: string[]): string[];
}
