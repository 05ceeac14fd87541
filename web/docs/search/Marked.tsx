import type { Part } from './marks.ts';

export function Marked({ parts }: { readonly parts: readonly Part[] }) {
  return <>{parts.map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}</>;
}
