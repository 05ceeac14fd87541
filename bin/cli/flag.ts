/** Returns the option that sets a field, such as `--bark-effects` for `barkEffects`. */
export function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
