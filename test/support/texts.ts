import fc, { type Arbitrary } from 'fast-check';

const codePoints = fc.oneof(
  fc.nat({ max: 0x7f }),
  fc.nat({ max: 0xffff }),
  fc.integer({ min: 0x10000, max: 0x10ffff }),
);

/** Includes unpaired surrogates. fast-check has such units too, but takes most of a second to build their tables. */
export const anyText: Arbitrary<string> = fc.string({
  unit: codePoints.map((code) => String.fromCodePoint(code)),
});

const origins = fc.constantFrom(
  'https://example.com',
  'http://a.b:8080',
  'HTTPS://[::1]',
  'ftp://me@x',
  'urn:',
);
const partsOfUrls = fc.constantFrom('/', 'a', '.', '~', '?', '=', '&', '#', '%20', '%', '[', ' ', 'ä');

/** Generates URLs and strings that are almost URLs. fast-check's own URLs need the same tables. */
export const nearlyUrl: Arbitrary<string> = fc
  .tuple(origins, fc.string({ unit: partsOfUrls }))
  .map((parts) => parts.join(''));
