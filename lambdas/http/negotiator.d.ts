/** The types of a module of `negotiator` that `@types/negotiator` does not describe. */
declare module 'negotiator/lib/mediaType.js' {
  /** Returns those of the provided media types that an Accept header accepts, most preferred first. */
  export default function preferredMediaTypes(accept: string, provided: string[]): string[];
}
