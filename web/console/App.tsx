import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { noResponse } from '../shared/http/exchange.ts';
import { SignIn } from '../shared/SignIn.tsx';
import { credentials, feed } from '../shared/session.ts';
import { Heading } from '../shared/ui/Heading.tsx';
import { isUnreachable, lastUser, sessionEnd } from './connection.ts';
import { DogList } from './dogs/DogList.tsx';
import { DogPage } from './dogs/DogPage.tsx';
import { loadDogs, readListedDog, resetDogs } from './dogs/dog-index.ts';
import { NewDog } from './dogs/NewDog.tsx';
import { NoticeCard } from './dogs/NoticeCard.tsx';
import { ActivityFeed } from './feed/ActivityFeed.tsx';
import { clear, connect, onDogActivity } from './feed/feed-source.ts';
import { Home } from './home/Home.tsx';
import { openDog, refresh } from './live/open-dog.ts';
import { NeedsLink } from './NeedsLink.tsx';
import { RequestHistory } from './requests/RequestHistory.tsx';
import { route } from './router.ts';
import type { Route } from './routes.ts';
import { Tokens } from './tokens/Tokens.tsx';

export function App() {
  const title = credentials.value ? titleOf(route.value) : 'Sign in';
  useEffect(() => {
    document.title = `${title} – Dog service`;
  }, [title]);
  return (
    <>
      {isUnreachable.value && (
        <p class="banner" role="alert">
          {noResponse} This page tries again every two seconds.
        </p>
      )}
      {credentials.value ? (
        <SignedIn />
      ) : (
        <main>
          <SignIn message={sessionEnd.value} user={lastUser.value} />
        </main>
      )}
    </>
  );
}

const links = [
  ['home', '', 'Home'],
  ['dogs', 'dogs', 'Dogs'],
  ['activity', 'activity', 'Activity'],
  ['requests', 'requests', 'Requests'],
  ['tokens', 'tokens', 'Tokens'],
] as const;

function SignedIn() {
  const { view } = route.value;
  useEffect(() => {
    void loadDogs();
    const path = feed();
    const ends = [
      resetDogs,
      // The dogs may have changed before the stream was live.
      path === undefined ? clear : connect(path, () => void loadDogs()),
      onDogActivity((dog) => (dog === openDog.value?.id ? refresh() : void readListedDog(dog))),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  return (
    <div class={view === 'dogs' ? 'body with-list' : 'body'}>
      <div class="sidebar">
        <nav class="views" aria-label="Views">
          {links.map(([name, address, label]) => (
            <a key={name} href={`#${address}`} aria-current={name === view ? 'page' : undefined}>
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

function View() {
  const current = route.value;
  switch (current.view) {
    case 'dog':
      return <DogPage key={current.id} id={current.id} section={current.section} />;
    case 'new':
      return (
        <div class="page">
          <NewDog key={current.id} id={current.id} />
        </div>
      );
    case 'activity':
      return (
        <Page title="Activity">
          <ActivityFeed />
        </Page>
      );
    case 'dogs':
      return (
        <Page title="Dogs">
          <p class="lead">Open a dog in the list to make it bark.</p>
        </Page>
      );
    case 'inbox':
      return (
        <Page title="Inbox">
          <NeedsLink>
            <strong>This session did not begin with a sign-in link.</strong> Only such a link contains the
            secret address of the inbox.
          </NeedsLink>
        </Page>
      );
    case 'unknown':
      return (
        <Page title="Unknown view">
          <p>
            The console has no view with the address <code>{location.hash}</code>.{' '}
            <a href="#home">Open the home page</a>
          </p>
        </Page>
      );
    case 'requests':
      return <RequestHistory />;
    case 'tokens':
      return <Tokens />;
    case 'home':
      return (
        <>
          <NoticeCard />
          <Home />
        </>
      );
  }
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
  if (current.view === 'inbox') return 'Inbox';
  return links.find(([view]) => view === current.view)?.[2] ?? 'Unknown view';
}
