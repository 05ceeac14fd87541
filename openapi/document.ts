/** The interface as OpenAPI 3.1 has it. */
export function openApiDocument(): object {
  return { openapi: '3.1.1', info: { title: 'Dog service', version: '0.1.0' }, paths: {} };
}
