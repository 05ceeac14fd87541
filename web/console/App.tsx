import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { noResponse } from '../shared/http/exchange.ts';
import { SignIn } from '../shared/SignIn.tsx';
import { isLocal } from '../shared/service.ts';
import { credentials, fromLink } from '../shared/session.ts';
import { Alert } from '../shared/ui/Alert.tsx';
import { DogList } from './dogs/DogList.tsx';
import { DogPage } from './dogs/DogPage.tsx';
import { loadDogs, readListedDog, resetDogs } from './dogs/dog-index.ts';
import { NewDog } from './dogs/NewDog.tsx';
import { ActivityFeed } from './feed/ActivityFeed.tsx';
import { connect } from './feed/feed-source.ts';
import { Home } from './home/Home.tsx';
import { openDog, readDog } from './live/open-dog.ts';
import { repeat } from './live/repeat.ts';
import { NoticeCard } from './NoticeCard.tsx';
import { route } from './router.ts';
import type { Route } from './routes.ts';
import { isUnreachable } from './send.ts';
import { Heading } from './ui/Heading.tsx';

export function App() {
  const title = credentials.value ? titleOf(route.value) : 'Sign in';
  useEffect(() => {
    document.title = `${title} – Dog service`;
  }, [title]);
  return (
    <>
      {isUnreachable.value && <Unreachable />}
      {credentials.value ? (
        <SignedIn />
      ) : (
        <main>
          <div class="card sign-in">
            <Heading>Sign in</Heading>
            <SignIn />
          </div>
        </main>
      )}
    </>
  );
}

/** Reads the dogs again and again, until the service responds. */
function Unreachable() {
  useEffect(() => {
    const end = repeat(async () => {
      await loadDogs();
      return 2_000;
    });
    return () => {
      end();
      void readDog();
    };
  }, []);
  return (
    <p class="banner" role="alert">
      {noResponse} This page tries again every two seconds.
    </p>
  );
}

const links = [
  ['home', '', 'Home'],
  ['dogs', 'dogs', 'Dogs'],
  // Only a local service reports activities.
  ...(isLocal ? ([['activity', 'activity', 'Activity']] as const) : []),
] as const;

function SignedIn() {
  const { view } = route.value;
  useEffect(() => {
    void loadDogs();
    const path = fromLink('feed');
    const onDog = (dog: string) => void (dog === openDog.value?.id ? readDog() : readListedDog(dog));
    // The dogs may have changed before the stream was live.
    const disconnect =
      path === undefined ? undefined : connect(path, { onDog, onLive: () => void loadDogs() });
    return () => {
      resetDogs();
      disconnect?.();
    };
  }, []);
  return (
    <div class={view === 'dogs' ? 'body with-list' : 'body'}>
      <div class="sidebar">
        <nav class="views" aria-label="Views">
          {links.map(([name, address, label]) => (
            <a key={name} href={`#${address}`} aria-current={currentOf(name, view)}>
              {label}
            </a>
          ))}
        </nav>
        <DogList current={route.value.view === 'dog' ? route.value.id : undefined} />
      </div>
      <main>
        <View />
      </main>
    </div>
  );
}

/** A dog's page belongs to the link to all dogs, which only a narrow window shows. */
function currentOf(link: string, view: Route['view']): 'page' | 'true' | undefined {
  if (link === view) return 'page';
  return link === 'dogs' && (view === 'dog' || view === 'new') ? 'true' : undefined;
}

function View() {
  const current = route.value;
  switch (current.view) {
    case 'dog':
      return <DogPage key={current.id} id={current.id} section={current.section} />;
    case 'new':
      return <NewDog key={current.id} id={current.id} />;
    case 'activity':
      return (
        <Page title="Activity">{fromLink('feed') === undefined ? <NeedsLink /> : <ActivityFeed />}</Page>
      );
    case 'dogs':
      return (
        <Page title="Dogs">
          <p class="lead">Open a dog in the list to make it bark.</p>
        </Page>
      );
    case 'home':
      return (
        <>
          <NoticeCard />
          <Home />
        </>
      );
  }
}

function NeedsLink() {
  return (
    <Alert kind="info">
      <p>
        This session did not begin with a sign-in link, which contains the secret addresses of the activities
        and the inbox.
      </p>
      <p>
        Open a sign-in link: press <code>o</code> in the terminal of <code>npm start</code>, or run{' '}
        <code>npx dogs sign-in</code>.
      </p>
    </Alert>
  );
}

function Page({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="page">
      <Heading key={title}>{title}</Heading>
      {children}
    </div>
  );
}

function titleOf(current: Route): string {
  if (current.view === 'dog')
    return current.section === 'bark' ? current.id : `${current.id}, ${current.section}`;
  if (current.view === 'new') return 'New dog';
  return links.find(([view]) => view === current.view)?.[2] ?? 'Activity';
}
