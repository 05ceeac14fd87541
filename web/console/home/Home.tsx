import { useState } from 'preact/hooks';
import { Code } from '../../shared/http/Code.tsx';
import { type Exchange, problemOf, succeeded } from '../../shared/http/exchange.ts';
import { createDog } from '../../shared/http/requests.ts';
import { base } from '../../shared/service.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Heading } from '../../shared/ui/Heading.tsx';
import { useAction } from '../actions.ts';
import { formOf } from '../drafts.ts';
import { ActivityFeed } from '../feed/ActivityFeed.tsx';
import { notify } from '../notice.ts';
import { go, route } from '../router.ts';
import { type DogSection, dogAddress } from '../routes.ts';
import { tryForm } from '../trial.ts';

/** The dog that the buttons open. The console creates it if it does not exist. */
const exampleDog = 'rex';

interface Design {
  readonly variant: 'A' | 'B' | 'C';
  readonly title: string;
  readonly request: string;
  readonly body: string;
  readonly response: string;
  readonly text: string;
  /** The section of the dog's page whose form sends the request. */
  readonly section: DogSection;
  /** The values of that form's fields. */
  readonly choices: object;
}

const designs: readonly Design[] = [
  {
    variant: 'A',
    title: 'A collection of barks',
    request: 'POST /v1/dogs/rex/barks',
    body: '{ "message": "Woof" }',
    response: '201 Created',
    text: 'A POST to the collection creates a bark with its own URL. You can read it later, and cancel it while it is pending.',
    section: 'bark',
    choices: { resource: 'barks', message: 'Woof', handling: 'own', waits: false, key: '' },
  },
  {
    variant: 'B',
    title: 'A schedule on the dog',
    request: 'PATCH /v1/dogs/rex/\nIf-Unmodified-Since: <Last-Modified>',
    body: '{ "barks": { "next": 0 } }',
    response: '205 Reset Content',
    text: 'A PATCH sets a schedule in the state of the dog, and the dog barks when the schedule is due. The date and the body identify a repeat.',
    section: 'schedule',
    choices: { variant: 'B', first: 'now', repeat: 'once' },
  },
  {
    variant: 'C',
    title: 'Sub-resources of the dog',
    request: 'POST /v1/dogs/rex/bark-schedule',
    body: '{ "token": 7, "next": 0 }',
    response: '205 Reset Content',
    text: 'Sub-resources hold the schedule and the last bark. The token identifies a repeat.',
    section: 'schedule',
    choices: { variant: 'C', first: 'now', repeat: 'once' },
  },
];

export function Home() {
  const [tried, setTried] = useState<Design>();
  const { exchange, isSending, run } = useAction();
  const tryIt = async (design: Design) => {
    if (isSending) return;
    setTried(design);
    const creation = await run(createDog(exampleDog, { barkEffects: ['record'], barkHandling: 'sync' }));
    // The user may have opened another view during the request.
    if (!creation || !isReady(creation) || route.peek().view !== 'home') return;
    if (succeeded(creation)) notify(`${exampleDog} was created`, creation, 1);
    tryForm(formOf(exampleDog, design.section), design.choices);
    go(dogAddress(exampleDog, design.section));
  };
  return (
    <div class="page">
      <Heading>Make a dog bark without a verb in the URL</Heading>
      <p class="lead">
        No HTTP method means “bark”: you create or change a resource. Each button makes the dog {exampleDog}{' '}
        bark in one of the three variants, and shows the request.{' '}
        <a href={`${base}/docs#variants`}>Compare the variants</a>
      </p>
      <div class="designs">
        {designs.map((design) => (
          <section key={design.variant} class="design" aria-label={`Variant ${design.variant}`}>
            <p class="variant">Variant {design.variant}</p>
            <h2>{design.title}</h2>
            <pre>
              <Code text={`${design.request}\n${design.body}\n\n`} />
              <span class="response">{design.response}</span>
            </pre>
            <p>{design.text}</p>
            <Button kind="main" isBusy={isSending && design === tried} onClick={() => tryIt(design)}>
              Try variant {design.variant}
            </Button>
            {design === tried && !isSending && exchange && !isReady(exchange) && (
              <Alert kind="bad">{problemOf(exchange).detail}</Alert>
            )}
          </section>
        ))}
      </div>
      <Card title="Activity">
        <ActivityFeed limit={5} />
      </Card>
    </div>
  );
}

/** Returns true if the example dog exists after an attempt to create it. */
function isReady(creation: Exchange): boolean {
  return succeeded(creation) || creation.response?.status === 412;
}
