import { barX, plot, ruleX, text } from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import type { Chart } from '../tools/table.ts';

const width = 800;

/** Returns an SVG document with a white background, so that the chart is legible on dark pages too. */
export function svgOf({ description, unit, bars }: Chart): string {
  const { document } = parseHTML('<html><body></body></html>');
  const labels = [...new Set(bars.map(({ label }) => label))];
  const totalOf = (label: string) => sum(bars.filter((bar) => bar.label === label));
  const longest = labels.reduce((a, b) => (totalOf(a) < totalOf(b) ? b : a), '');
  const named = bars.filter(({ label, part }) => label === longest && part !== '');
  const element = plot({
    document,
    width,
    height: 60 + 22 * labels.length,
    marginLeft: 190,
    style: { background: 'white', color: 'black' },
    x: { label: unit, grid: true },
    y: { label: null, domain: labels },
    marks: [
      barX(bars, { x: 'value', y: 'label', fill: 'part' }),
      text(named, {
        x: (_, n) => sum(named.slice(0, n)),
        y: 'label',
        text: 'part',
        fill: 'white',
        textAnchor: 'start',
        dx: 6,
      }),
      ruleX([0]),
    ],
  });
  element.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  element.setAttribute('role', 'img');
  element.setAttribute('aria-label', description);
  // The style element is only for charts embedded in HTML.
  element.querySelector('style')?.remove();
  return `${element.outerHTML}\n`;
}

function sum(bars: Chart['bars']): number {
  return bars.reduce((total, { value }) => total + value, 0);
}
