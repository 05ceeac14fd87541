/**
 * Returns the media type of a Content-Type header in lower case, without its parameters.
 *
 * @param contentType the value of the header, if the request has it
 * @returns the media type, or an empty string if the request does not have the header
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1 RFC 9110 section 8.3.1}
 */
export function mediaTypeOf(contentType: string | undefined): string {
  const [mediaType = ''] = (contentType ?? '').split(';');
  return mediaType.trim().toLowerCase();
}
