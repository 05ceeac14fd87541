import type { Dog } from '../../client/index.ts';
import { documentOf, type Exchange, succeeded } from '../shared/http/exchange.ts';
import { get, pathOf } from '../shared/http/requests.ts';
import { send } from '../shared/session.ts';
import { seconds } from '../shared/time.ts';
import { barkCards } from './bark-form.ts';
import { card } from './card.ts';
import { deleteCard, type ReplaceCard, replaceCard, tagOf } from './dog-form.ts';
import { button, element, fill, heading } from './dom.ts';
import { ExchangePanel } from './exchange-panel.ts';
import { Outcome } from './form.ts';
import { mailLinks } from './mail-links.ts';
import { RecordedBarks } from './recorded-barks.ts';
import { ScheduleCard } from './schedule-form.ts';
import { TimelinePicture } from './timeline-picture.ts';
import { type Place, pause, type View } from './view.ts';

/** The time between two updates of the timeline. */
const updateIntervalMs = 5_000;

/** The view of a dog: its state, its timeline and the cards of its actions. */
export class DogView implements View {
  readonly element: HTMLElement;
  private readonly id: string;
  private readonly place: Place;
  private readonly panel = new ExchangePanel({ ofAction: false });
  private readonly outcome = new Outcome();
  private readonly fields = element('dl', { class: 'fields' });
  private readonly timeline = new TimelinePicture();
  private readonly schedule: ScheduleCard;
  private readonly recorded: RecordedBarks;
  private readonly actions = element('div', { class: 'stack' });
  private settings: ReplaceCard | undefined;
  private dog: Dog | undefined;
  /** The number of loads. The view ignores the response to a load if a later one has begun. */
  private loads = 0;

  constructor(id: string, place: Place) {
    this.id = id;
    this.place = place;
    this.schedule = new ScheduleCard(id, () => this.load());
    this.recorded = new RecordedBarks(id);
    this.panel.preview(get(pathOf(id)));
    this.element = element(
      'div',
      { class: 'stack' },
      heading(id),
      card(
        'The dog',
        [this.timeline, this.panel],
        this.fields,
        this.outcome.element,
        element(
          'div',
          { class: 'row' },
          button('Reload', () => this.load()),
        ),
      ),
      this.actions,
    );
    void this.keepUpdated();
  }

  async load(): Promise<void> {
    this.loads += 1;
    const { loads } = this;
    const exchange = await send(get(pathOf(this.id)));
    if (this.place.left.aborted || loads !== this.loads) return;
    this.panel.show(exchange);
    if (!succeeded(exchange)) return this.outcome.showProblem(exchange);
    this.outcome.clear();
    this.show(exchange);
    await this.recorded.load();
  }

  private show(exchange: Exchange): void {
    const first = this.dog === undefined;
    this.dog = documentOf<Dog>(exchange);
    fill(this.fields, ...fieldsOf(this.dog));
    this.place.updateList(this.dog);
    this.draw();
    if (first) this.actions.append(...this.cards(this.dog, tagOf(exchange)));
    else this.settings?.update(this.dog, tagOf(exchange));
  }

  private cards(dog: Dog, tag: string | undefined): HTMLElement[] {
    const changed = () => void this.load();
    this.settings = replaceCard(dog, tag, changed);
    return [
      barkCards(this.id, { dog: () => this.dog, changed, left: this.place.left }),
      this.schedule.element,
      this.recorded.element,
      this.settings.element,
      deleteCard(this.id, this.place),
    ];
  }

  private draw(): void {
    if (!this.dog) return;
    const now = seconds(Date.now());
    this.timeline.show(this.dog.barks ?? {}, now);
    this.schedule.show(this.dog, now);
  }

  /** Updates the timeline regularly, and reads the dog when a bark is due. */
  private async keepUpdated(): Promise<void> {
    while (await pause(updateIntervalMs, this.place.left)) {
      const due = this.dog?.barks?.next;
      if (due !== undefined && due <= seconds(Date.now())) await this.load();
      else this.draw();
    }
  }
}

function fieldsOf(dog: Dog): HTMLElement[] {
  const { id, email, owner, barkCount, barkEffects, barkHandling, barking } = dog;
  const shown = { id, barkCount, barkEffects: barkEffects.join(', '), barkHandling, barking, email, owner };
  const rows = Object.entries(shown).flatMap(([name, value]) =>
    value === undefined ? [] : [element('dt', {}, name), element('dd', { class: name }, String(value))],
  );
  const mails = mailLinks(dog);
  return mails ? [...rows, element('dt', {}, 'inbox'), element('dd', {}, mails)] : rows;
}
