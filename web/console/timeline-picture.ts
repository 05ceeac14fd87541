import { every, relativeTime } from '../shared/time.ts';
import { element, fill, svg } from './dom.ts';
import { type Barks, timelineOf } from './timeline.ts';

/** Shows past and future barks as a picture and in words. */
export class TimelinePicture {
  readonly element = element('figure', { class: 'timeline' });

  show(barks: Barks, now: number): void {
    const words = inWords(barks, now);
    fill(this.element, pictureOf(barks, now, words), element('figcaption', {}, words));
  }
}

function pictureOf(barks: Barks, now: number, words: string): SVGElement {
  const { past, coming, ticks, now: here } = timelineOf(barks, now);
  const bar = (kind: string, x: number) =>
    svg('line', { class: kind, x1: `${x}%`, x2: `${x}%`, y1: 24, y2: 56 });
  return svg(
    'svg',
    { role: 'img', 'aria-label': words, height: 96, width: '100%' },
    svg('line', { class: 'axis', x1: '0%', x2: '100%', y1: 68, y2: 68 }),
    ...past.map(({ x }) => bar('past', x)),
    ...coming.map(({ x }) => bar('coming', x)),
    svg('line', { class: 'now', x1: `${here}%`, x2: `${here}%`, y1: 8, y2: 68 }),
    ...ticks.flatMap(({ x, label }) => [
      svg('line', { class: 'tick', x1: `${x}%`, x2: `${x}%`, y1: 68, y2: 73 }),
      svg('text', { class: label === 'now' ? 'here' : 'label', x: `${x}%`, y: 89 }, label),
    ]),
  );
}

function inWords({ previous = [], next, frequency = 0 }: Barks, now: number): string {
  const last = previous.at(-1);
  const barks = previous.length === 1 ? 'One bark' : `The latest ${previous.length} barks, the last`;
  const past =
    last === undefined ? 'No bark yet.' : `${barks} ${last >= now ? 'just now' : relativeTime(last, now)}.`;
  if (next === undefined) return `${past} No bark is scheduled.`;
  const repeated = frequency > 0 ? `, then ${every(frequency)}` : '';
  return `${past} The next ${next <= now ? 'is due now' : `is ${relativeTime(next, now)}`}${repeated}.`;
}
