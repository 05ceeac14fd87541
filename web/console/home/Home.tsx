import { Fragment } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { type Exchange, headerOf, problemOf } from '../../shared/http/exchange.ts';
import { createDog, get, pathOf, postBark, postSchedule } from '../../shared/http/requests.ts';
import { base } from '../../shared/service.ts'; // @extension docs
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { barkOutcomeOf, statusTexts } from '../barks/bark-outcome.ts';
import { dogs, listState, readListedDog } from '../dogs/dog-index.ts';
import { RecentActivity } from '../feed/ActivityFeed.tsx';
import { patchSchedule } from '../requests.ts';
import { type DogSection, dogAddress } from '../routes.ts';
import { send } from '../send.ts';
import { succeeded } from '../succeeded.ts';
import { Heading } from '../ui/Heading.tsx';

/** The dog that the buttons make bark. The page creates it if it does not exist. */
const exampleDog = 'rex';

interface Design {
  readonly variant: 'A' | 'B' | 'C';
  readonly title: string;
  readonly request: string;
  readonly body: string;
  readonly response: string;
  readonly text: string;
  /** The section of the dog's page with the variant's form. */
  readonly section: DogSection;
}

const designs: readonly Design[] = [
  {
    variant: 'A',
    title: 'A collection of barks',
    request: 'POST /v1/dogs/rex/barks',
    body: '{ "message": "Woof" }',
    response: '201 Created',
    text: 'Creates a bark with its own URL, which you can read later, and cancel while it is pending.',
    section: 'bark',
  },
  {
    variant: 'B',
    title: 'A schedule on the dog',
    request: 'PATCH /v1/dogs/rex/\nIf-Unmodified-Since: <Last-Modified>',
    body: '{ "barks": { "next": 0 } }',
    response: '205 Reset Content',
    text: 'Sets a schedule in the state of the dog. The date and the body identify a repeat.',
    section: 'schedule',
  },
  {
    variant: 'C',
    title: 'Sub-resources of the dog',
    request: 'POST /v1/dogs/rex/bark-schedule',
    body: '{ "token": 7, "next": 0 }',
    response: '205 Reset Content',
    text: 'Sub-resources hold the schedule and the last bark. The token identifies a repeat.',
    section: 'schedule',
  },
];

interface Trial {
  readonly design: Design;
  /** In the order of sending. The last one makes the dog bark, or failed before that. */
  readonly exchanges: readonly Exchange[];
}

/** Makes the example dog bark. */
async function exchangesOf({ variant }: Design, createsDog: boolean): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const sent = async (request: Parameters<typeof send>[0]) => {
    const exchange = await send(request);
    exchanges.push(exchange);
    return exchange;
  };
  if (createsDog) await sent(createDog(exampleDog, { barkEffects: ['record'], barkHandling: 'sync' }));
  if (variant === 'A') await sent(postBark(exampleDog, { resource: 'barks', message: 'Woof' }));
  if (variant === 'C') await sent(postSchedule(exampleDog, { token: Date.now(), next: 0 }));
  if (variant === 'B') {
    const read = await sent(get(pathOf(exampleDog)));
    const lastModified = headerOf(read, 'last-modified');
    if (lastModified !== undefined)
      await sent(patchSchedule(exampleDog, { barks: { next: 0 } }, lastModified));
  }
  return exchanges;
}

export function Home() {
  const [trial, setTrial] = useState<Trial>();
  const [sending, setSending] = useState<Design>();
  const tryIt = async (design: Design) => {
    if (sending) return;
    setSending(design);
    const { isLoading, isPartial, problem } = listState.peek();
    const isListComplete = !isLoading && !isPartial && problem === undefined;
    let exchanges = await exchangesOf(design, isListComplete && !dogs.peek().has(exampleDog));
    if (exchanges.at(-1)?.response?.status === 404) exchanges = await exchangesOf(design, true);
    setTrial({ design, exchanges });
    setSending(undefined);
    void readListedDog(exampleDog);
  };
  return (
    <div class="page">
      <Heading>Make a dog bark without a verb in the URL</Heading>
      <p class="lead">
        No HTTP method means “bark”: you create or change a resource. Each button makes the dog {exampleDog}
        {' bark in one of the three variants, and shows the request. '}
        {/* @extension docs { */}
        <a href={`${base}/docs#variants`}>Compare the variants</a>
        {/* @extension docs } */}
      </p>
      <div class="designs">
        {designs.map((design) => (
          <Fragment key={design.variant}>
            <section class="card design" aria-label={`Variant ${design.variant}`}>
              <p class="variant">Variant {design.variant}</p>
              <h2>{design.title}</h2>
              <pre>
                {`${design.request}\n${design.body}\n\n`}
                <span class="response">{design.response}</span>
              </pre>
              <p>{design.text}</p>
              <Button kind="main" isBusy={sending === design} onClick={() => tryIt(design)}>
                Try variant {design.variant}
              </Button>
            </section>
            {trial?.design === design && <TrialResult key={trial.exchanges} trial={trial} />}
          </Fragment>
        ))}
      </div>
      <RecentActivity />
    </div>
  );
}

function TrialResult({ trial: { design, exchanges } }: { readonly trial: Trial }) {
  const element = useRef<HTMLElement>(null);
  // In a narrow window, the result is below the window.
  useLayoutEffect(() => {
    if (!matchMedia('(min-width: 52rem)').matches) element.current?.scrollIntoView();
  }, []);
  const exchange = exchanges.at(-1);
  if (!exchange) return null;
  return (
    <section class="trial" ref={element} aria-label={`Result of variant ${design.variant}`}>
      <div class="row">
        {succeeded(exchange) ? (
          <Alert kind="good">{textOf(exchange)}</Alert>
        ) : (
          <Alert kind="bad">{problemOf(exchange).detail}</Alert>
        )}
        <a class="button" href={dogAddress(exampleDog, design.section)}>
          Open {exampleDog}
        </a>
      </div>
      <ExchangePanel request={exchange.request} exchange={exchange} />
      {exchanges.length > 1 && <p class="hint">The page sent these requests first:</p>}
      {exchanges.slice(0, -1).map((one) => (
        <ExchangePanel key={one} request={one.request} exchange={one} open={false} />
      ))}
    </section>
  );
}

function textOf(exchange: Exchange): string {
  if (exchange.request.method !== 'POST' || !exchange.request.path.endsWith('/barks'))
    return statusTexts.complete;
  const outcome = barkOutcomeOf(exchange);
  return outcome?.kind === 'accepted' ? statusTexts.pending : (outcome?.text ?? '');
}
