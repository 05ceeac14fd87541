type Fetch = (url: string, request: RequestInit) => Promise<Response>;

/**
 * A kept connection can be closed just before its next request, above all while a thread imports a test file. As RFC 9110 allows, the
 * result repeats a GET whose connection breaks.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2}
 */
export function readAgain(fetch: Fetch) {
  return (url: string, request: RequestInit = {}): Promise<Response> =>
    fetch(url, request).catch((error) => {
      if ((request.method ?? 'GET') !== 'GET' || error.cause?.code !== 'UND_ERR_SOCKET') throw error;
      return fetch(url, request);
    });
}
