/**
 * `// @extension events`, with `{` or `}` for the first and the last of several lines, in the comments of each language. In a
 * Markdown table, the comment is a further cell.
 */
const mark =
  /^(?<code>.*?)\s*(?:\/\/|#|\{?\/\*|<!--) @extension (?<names>[a-z|]+)(?: (?<brace>[{}]))?(?: \*\/\}?| -->(?: *\|)?)?$/;

/**
 * Removes the lines that belong to extensions that are not kept, and the marks of those that are. `a|b` marks lines that either
 * needs.
 *
 * @param path for errors
 * @param kept true for each extension that is kept, false for the others
 * @throws Error with the place of a mark that is incorrect, or lacks its other half
 */
export function withoutExtensions(
  text: string,
  path: string,
  kept: Readonly<Record<string, boolean>>,
): string {
  if (!text.includes('@extension')) return text;
  const open: { names: string; place: string; isKept: boolean }[] = [];
  const lines: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const place = `${path}:${index + 1}`;
    const isRemoved = () => open.some(({ isKept }) => !isKept);
    const groups = mark.exec(line)?.groups;
    if (!groups) {
      if (line.includes('@extension')) throw new Error(`${place}: this is not a mark of an extension.`);
      if (!isRemoved()) lines.push(line);
      continue;
    }
    const { code = '', names = '', brace } = groups;
    const unknown = names.split('|').find((name) => !(name in kept));
    if (unknown !== undefined) throw new Error(`${place}: there is no extension "${unknown}".`);
    if ((brace === undefined) === (code === ''))
      throw new Error(`${place}: a mark is at the end of a line, or has a brace and a line of its own.`);
    const isKept = names.split('|').some((name) => kept[name]);
    if (brace === '{') open.push({ names, place, isKept });
    else if (brace === '}') {
      if (open.pop()?.names !== names) throw new Error(`${place}: "${names} {" is not the last open mark.`);
    } else if (isKept && !isRemoved()) lines.push(code);
  }
  const last = open.at(-1);
  if (last) throw new Error(`${last.place}: "${last.names} }" is missing.`);
  return lines.join('\n');
}
