import { useEffect } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import { dogId } from '../../../lambdas/contract/dog-id.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { type Exchange, headerOf, problemOf } from '../../shared/http/exchange.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { BarkCard } from '../barks/BarkCard.tsx';
import { watchedBarks } from '../barks/BarkProgress.tsx';
import { RecentActivity } from '../feed/ActivityFeed.tsx';
import { BarkHistory } from '../history/BarkHistory.tsx';
import { followDog, openDog, readDog } from '../live/open-dog.ts';
import { NoticeCard } from '../NoticeCard.tsx';
import { type DogSection, dogAddress, dogSections } from '../routes.ts';
import { ScheduleCard } from '../schedules/ScheduleCard.tsx';
import { Card } from '../ui/Card.tsx';
import { Heading } from '../ui/Heading.tsx';
import { RelativeTime, useNow } from '../ui/Time.tsx';
import { DeleteDog } from './DeleteDog.tsx';
import { DogSettings } from './DogSettings.tsx';
import { SuspendedAddresses } from './SuspendedAddresses.tsx';
import { factsOf } from './words.ts';

interface DogPageProps {
  readonly id: string;
  readonly section: DogSection;
}

/** The view needs a different `key` for each dog. */
export function DogPage({ id, section }: DogPageProps) {
  useEffect(() => {
    watchedBarks.value = [];
    return followDog(id);
  }, []);
  const { dog, tag, exchange } = openDog.value?.id === id ? openDog.value : {};
  return (
    <div class="page">
      <div class="dog-heading">
        <Heading>{id}</Heading>
        {dog && <DogFacts dog={dog} />}
      </div>
      {!dog && exchange && <NoDog id={id} exchange={exchange} />}
      {dog && (
        <>
          <nav class="sections" aria-label={`Sections of ${id}`}>
            {dogSections.map((one) => (
              <a key={one} href={dogAddress(id, one)} aria-current={one === section ? 'page' : undefined}>
                {sectionTitles[one]}
              </a>
            ))}
          </nav>
          <SuspendedAddresses dog={dog} />
          <NoticeCard />
          {/* Hidden forms keep what the user has entered. */}
          <div hidden={section !== 'bark'}>
            <div class="page">
              <BarkCard dog={dog} />
              <RecentActivity dog={id} />
            </div>
          </div>
          <div hidden={section !== 'schedule'}>
            <ScheduleCard dog={dog} lastModified={(exchange && headerOf(exchange, 'last-modified')) ?? ''} />
          </div>
          {section === 'history' && <BarkHistory dog={dog} tag={tag} />}
          <div hidden={section !== 'settings'}>
            <div class="page">
              <DogSettings dog={dog} tag={tag} />
              <DeleteDog id={id} />
            </div>
          </div>
        </>
      )}
    </div>
  );
}

const sectionTitles: Readonly<Record<DogSection, string>> = {
  bark: 'Bark',
  schedule: 'Schedule',
  history: 'History',
  settings: 'Settings',
};

function DogFacts({ dog }: { readonly dog: Dog }) {
  return (
    <dl class="facts">
      {factsOf(dog, useNow()).map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{typeof value === 'number' ? <RelativeTime at={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

function NoDog({ id, exchange }: { readonly id: string; readonly exchange: Exchange }) {
  const isUnknown = exchange.response?.status === 404;
  return (
    <Card
      title={isUnknown ? 'Unknown dog' : 'This dog cannot be shown'}
      beside={<ExchangePanel request={exchange.request} exchange={exchange} />}
    >
      <Alert kind="bad">{isUnknown ? `There is no dog named ${id}.` : problemOf(exchange).detail}</Alert>
      <div class="row">
        {isUnknown && dogId.test(id) && (
          <a class="button main" href={`#new?id=${encodeURIComponent(id)}`}>
            Create {id}
          </a>
        )}
        {!isUnknown && <Button onClick={() => void readDog()}>Try again</Button>}
      </div>
    </Card>
  );
}
