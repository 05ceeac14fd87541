export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/**
 * @param isApple true if the device has a Command key
 * @param isTyping true if a field has focus
 */
export function opensSearch(press: KeyPress, isApple: boolean, isTyping: boolean): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press;
  if (key === '/') return !isTyping && !ctrlKey && !metaKey && !altKey;
  const isModified = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return key.toLowerCase() === 'k' && isModified && !altKey && !shiftKey;
}
