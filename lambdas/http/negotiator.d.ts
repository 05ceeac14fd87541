declare module 'negotiator/lib/mediaType.js' {
  /** Returns the accepted ones of the provided media types, most preferred first. */
  export default function preferredMediaTypes(accept: string, provided: string[]): string[];
}
