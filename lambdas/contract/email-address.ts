/**
 * A dot-atom, `@` and a domain name, without quoted strings and comments.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc5322#section-3.4.1 RFC 5322 section 3.4.1}
 * @see {@link https://www.rfc-editor.org/rfc/rfc5321#section-4.1.2 RFC 5321 section 4.1.2}
 */
export const emailAddress = /* @__PURE__ */ addressPattern();

function addressPattern(): RegExp {
  const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
  return new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`);
}

/** Before the `@`: https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.1 */
export const maxLocalPartLength = 64;

/** An SMTP path has at most 256 octets, including two angle brackets: https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.3 */
export const maxAddressLength = 254;

export function isEmailAddress(text: string): boolean {
  return (
    text.length <= maxAddressLength && text.indexOf('@') <= maxLocalPartLength && emailAddress.test(text)
  );
}
