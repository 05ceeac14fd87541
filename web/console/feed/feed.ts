import { dogId } from '../../../lambdas/contract/dog-id.ts';
import { dateAndTime } from '../../shared/time.ts';
import { decoded } from '../decoded.ts';

export interface Entry {
  /** Two reports of the same thing have the same ID. */
  readonly id: string;
  /** Unix seconds, with a fraction. */
  readonly at: number;
  /** Absent if the activity names no dog. */
  readonly dog?: string;
  /** Such as `Barked`. */
  readonly text: string;
  readonly detail?: string;
  readonly hasFailed?: boolean;
  /** True until the stream reports the bark that the entry can have caused. */
  readonly awaitsBark?: boolean;
  /** The ID of the entry that a reported bark would have had without this entry, its cause. */
  readonly bark?: string;
  /** True if the entry is about a bark whose cause the stream has not reported yet. The cause then replaces this entry. */
  readonly isEarly?: boolean;
}

interface RequestActivity {
  readonly type: 'request';
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly requestId: string;
  readonly user?: string;
  readonly location?: string;
  readonly detail?: string;
}

interface EventActivity {
  readonly type: 'event';
  readonly detailType: string;
  readonly detail: {
    readonly id: string;
    readonly data: {
      readonly dog: string;
      readonly bark?: string;
      readonly reason?: string;
      /** Unix seconds. */
      readonly timestamp?: number;
    };
  };
}

/** An activity, as the local cloud's activity stream sends it, with the members that the feed uses. */
export type LocalActivity = { /** ISO 8601. */ readonly time: string } & (
  | RequestActivity
  | EventActivity
  | { readonly type: 'mail'; readonly messageId: string; readonly to: string[]; readonly subject: string }
  | {
      readonly type: 'invocation';
      readonly event: { readonly dog?: string; readonly scheduledTime?: string };
      readonly error?: string;
    }
  | { readonly type: 'occurrence' | 'workflow' }
);

const maxEntries = 500;

/** The stream can report a bark shortly before the request or the occurrence that caused it. */
const earlySeconds = 2;

/** Returns the entries, newest first, after a further activity. */
export function entriesAfter(entries: readonly Entry[], activity: LocalActivity): readonly Entry[] {
  const found = shownOf(activity);
  if (!found) return entries;
  const entry: Entry = { at: Date.parse(activity.time) / 1000, ...found };
  const { id, at, dog } = entry;
  if (entries.some((one) => one.bark === id || (one.id === id && !one.isEarly))) return entries;
  const replaced = (one: Entry, { awaitsBark: _, ...by }: Entry, bark: string): Entry[] =>
    entries.map((other) => (other === one ? { ...by, text: 'Barked', bark } : other));
  if (isSynchronousBark(activity)) {
    const { timestamp = 0 } = activity.detail.data;
    const cause = entries.findLast((one) => one.dog === dog && one.awaitsBark && one.at >= timestamp);
    return cause ? replaced(cause, cause, id) : [{ ...entry, isEarly: true }, ...entries];
  }
  const early = entries.find(
    (one) =>
      one.isEarly && (one.id === id || (entry.awaitsBark && one.dog === dog && one.at >= at - earlySeconds)),
  );
  if (early) return replaced(early, entry, early.id);
  return [entry, ...entries].slice(0, maxEntries);
}

/** The IDs of asynchronous barks begin with an a. */
function isSynchronousBark(activity: LocalActivity): activity is LocalActivity & EventActivity {
  if (activity.type !== 'event' || activity.detailType !== 'dogs.bark.completed') return false;
  return !activity.detail.data.bark?.startsWith('a');
}

/** Returns the ID of the dog that an activity may have changed, if any. */
export function dogOf(activity: LocalActivity): string | undefined {
  // The stream reports a GET only after a server error. If a listener then read the dog again, it might never stop.
  if (activity.type === 'request' && activity.method === 'GET') return undefined;
  if (activity.type === 'event') return activity.detail.data.dog;
  // A successful invocation has no entry, but its scheduled bark has changed the dog.
  return activity.type === 'invocation' ? activity.event.dog : shownOf(activity)?.dog;
}

/** Returns undefined if the feed does not show the activity. */
function shownOf(activity: LocalActivity): Omit<Entry, 'at'> | undefined {
  switch (activity.type) {
    case 'request':
      return requestEntry(activity);
    case 'event':
      return eventEntry(activity);
    case 'mail': {
      const [, dog] = /^(\S+) barked$/.exec(activity.subject) ?? [];
      const text = `Mail to ${activity.to.join(', ')}`;
      return {
        id: `mail:${activity.messageId}`,
        ...(dog && { dog }),
        text,
        detail: activity.subject,
      };
    }
    case 'invocation': {
      const { event, error } = activity;
      const { dog, scheduledTime } = event;
      if (dog === undefined || scheduledTime === undefined) return undefined;
      if (error !== undefined)
        return {
          id: `failed:${activity.time}:${dog}`,
          dog,
          text: 'Scheduled bark failed',
          detail: error,
          hasFailed: true,
        };
      const detail = `Scheduled for ${dateAndTime(Date.parse(scheduledTime) / 1000)}`;
      const id = `occurrence:${dog}:${scheduledTime}`;
      return { id, dog, text: 'Schedule due', detail, awaitsBark: true };
    }
    default:
      return undefined;
  }
}

function eventEntry({ detailType, detail: { id, data } }: EventActivity): Omit<Entry, 'at'> | undefined {
  const { dog, bark = '', reason } = data;
  const detail = reason ? { detail: reason } : {};
  switch (detailType) {
    case 'dogs.bark.completed':
      return { id: `outcome:${bark}`, dog, text: 'Barked' };
    case 'dogs.bark.failed':
      return { id: `outcome:${bark}`, dog, text: 'Bark failed', ...detail, hasFailed: true };
    case 'dogs.bark.mail-failed':
      return { id, dog, text: 'Mail for a scheduled bark failed', ...detail, hasFailed: true };
    default:
      return undefined;
  }
}

function requestEntry(request: RequestActivity): Omit<Entry, 'at'> | undefined {
  const { method, path, status, user, requestId, location = '', detail } = request;
  const hasFailed = status >= 400;
  const [resource = ''] = path.split('?');
  // Each sign-in causes such a request.
  if (resource.startsWith('/oauth2/') && !hasFailed) return undefined;
  const [, encoded, rest = ''] = /^\/v1\/dogs\/([^/]+)(?:\/(.*?))?\/?$/.exec(resource) ?? [];
  const dog = decoded(encoded ?? '');
  const [, bark] = /\/barks\/([^/]+)$/.exec(location) ?? [];
  const known = actions.find(([pattern]) => pattern.test(`${method} ${rest} ${status}`));
  const [, text] = encoded !== undefined && known ? known : ([/./, 'Request'] as const);
  const failure = /^POST barks?$/.test(`${method} ${rest}`) ? 'Bark failed' : 'Request failed';
  return {
    id: bark && status === 201 ? `outcome:${bark}` : `request:${requestId}`,
    // The entry links to its dog, and no dog has an invalid ID.
    ...(dogId.test(dog) && { dog }),
    text: hasFailed ? failure : text,
    detail: [
      variantOf(method, rest),
      `${method} ${path} → ${status}`,
      user && `by ${user}`,
      hasFailed && detail,
    ]
      .filter(Boolean)
      .join(' · '),
    ...(hasFailed && { hasFailed }),
    ...(!hasFailed && causes.includes(text) && !(bark && status === 201) && { awaitsBark: true }),
  };
}

/** The actions on dogs, by a request's method, its path after the dog's ID, and its response's status. */
const actions: readonly (readonly [RegExp, string])[] = [
  // The status 200 does not say whether the dog barked.
  [/^POST barks? 200/, 'Bark request succeeded'],
  [/^POST barks? 202/, 'Bark accepted'],
  [/^POST barks? /, 'Barked'],
  [/^DELETE barks\//, 'Bark cancelled'],
  [/^PATCH {2}204/, 'Schedule unchanged'],
  [/^PATCH {2}/, 'Schedule changed'],
  [/^POST bark-schedule/, 'Schedule set'],
  [/^DELETE bark-schedule/, 'Schedule ended'],
  [/^PUT {2}201/, 'Dog created'],
  [/^PUT {2}/, 'Settings replaced'],
  [/^DELETE {2}/, 'Dog deleted'],
];

const causes = ['Bark request succeeded', 'Barked', 'Schedule changed', 'Schedule set'];

/** Returns the variant of the API to which a request belongs, if any. */
function variantOf(method: string, rest: string): string | undefined {
  if (method === 'POST' && rest === 'barks') return 'Variant A';
  if (method === 'PATCH' && rest === '') return 'Variant B';
  return rest === 'bark' || rest === 'bark-schedule' ? 'Variant C' : undefined;
}
