import { decoded } from '../../shared/decoded.ts';
import { dateAndTime } from '../../shared/time.ts';
import { dogId } from '../dogs/dog-id.ts';
import type { Entry } from './feed.ts';

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

/** The fields that the feed uses. */
interface Occurrence {
  readonly dog?: string;
  readonly scheduledTime?: string;
}

/** The fields that the feed uses. */
interface ServiceEvent {
  readonly id: string;
  readonly data: {
    readonly dog: string;
    readonly bark?: string;
    readonly reason?: string;
  };
}

/** An activity, as the local cloud's activity stream sends it. */
export type LocalActivity = { /** ISO 8601. */ readonly time: string } & (
  | RequestActivity
  | {
      readonly type: 'event';
      readonly source: string;
      readonly detailType: string;
      readonly detail: ServiceEvent;
    }
  | { readonly type: 'mail'; readonly messageId: string; readonly to: string[]; readonly subject: string }
  | { readonly type: 'occurrence'; readonly scheduledAt: string; readonly input: Occurrence }
  | {
      readonly type: 'invocation';
      readonly functionName: string;
      readonly event: Occurrence;
      readonly error?: string;
    }
  | {
      readonly type: 'workflow';
      readonly execution: string;
      readonly state: string;
      readonly input: { readonly dog?: string };
      /** The output of an execution that succeeded. The status is absent if the execution found no bark. */
      readonly output?: { readonly status?: string };
    }
);

/** Undefined if the feed does not show the activity. */
type Shown = Omit<Entry, 'at'> | undefined;

export function entryOf(activity: LocalActivity): Entry | undefined {
  const shown = shownOf(activity);
  return shown && { ...shown, at: Date.parse(activity.time) / 1000 };
}

/** Returns the ID of the dog that an activity may have changed, if any. */
export function dogOf(activity: LocalActivity): string | undefined {
  // The stream reports a GET only after a server error. If a listener then read the dog again, it might never stop.
  if (activity.type === 'request' && activity.method === 'GET') return undefined;
  if (activity.type === 'event') return activity.detail.data.dog;
  // A successful invocation has no entry, but its scheduled bark has changed the dog.
  return activity.type === 'invocation' ? activity.event.dog : entryOf(activity)?.dog;
}

function shownOf(activity: LocalActivity): Shown {
  switch (activity.type) {
    case 'request':
      return requestEntry(activity);
    case 'mail': {
      const [, dog] = /^(\S+) barked$/.exec(activity.subject) ?? [];
      const text = `Mail to ${activity.to.join(', ')}`;
      const id = `mail:${activity.messageId}`;
      return { id, kind: 'mail', ...(dog && { dog }), text, detail: activity.subject };
    }
    case 'occurrence': {
      const { dog } = activity.input;
      const at = Date.parse(activity.scheduledAt) / 1000;
      const detail = `Scheduled for ${dateAndTime(at)}`;
      return dog === undefined
        ? undefined
        : { id: occurrenceId(dog, at), kind: 'occurrence', dog, text: 'Occurrence delivered', detail };
    }
    case 'invocation': {
      const { dog, scheduledTime } = activity.event;
      if (activity.error === undefined || dog === undefined || scheduledTime === undefined) return undefined;
      const id = `failed:${activity.time}:${dog}`;
      const text = 'Scheduled bark failed';
      return { id, kind: 'bark', dog, text, detail: activity.error, hasFailed: true };
    }
    case 'workflow':
      return workflowEntry(activity);
    case 'event':
      return eventEntry(activity);
    default:
      return undefined;
  }
}

/** @param at the occurrence's time, in Unix seconds */
export function occurrenceId(dog: string, at: number): string {
  return `occurrence:${dog}:${at}`;
}

function workflowEntry({ execution, state, input, output }: LocalActivity & { type: 'workflow' }): Shown {
  const { dog } = input;
  if (dog === undefined) return undefined;
  // The execution of a cancelled bark also succeeds.
  const status = state === 'SUCCEEDED' ? output?.status : undefined;
  const entry = { id: `outcome:${execution}`, kind: 'bark', dog } as const;
  if (status === 'complete') return { ...entry, text: 'Bark complete' };
  if (status === 'failed' || ['FailBark', 'FAILED', 'TIMED_OUT'].includes(state))
    return { ...entry, text: 'Bark failed', hasFailed: true };
  return undefined;
}

/**
 * A request or an execution can report the same thing as an event, and its entry then has the same ID. For complete synchronous
 * barks, the feed shows requests and occurrences instead of events.
 */
function eventEntry({ detailType, detail: { id, data } }: LocalActivity & { type: 'event' }): Shown {
  const { dog, bark = '', reason } = data;
  const isAsync = bark.startsWith('a');
  switch (detailType) {
    case 'dogs.bark.completed':
      return isAsync ? { id: `outcome:${bark}`, kind: 'bark', dog, text: 'Bark complete' } : undefined;
    case 'dogs.bark.failed': {
      const detail = reason && { detail: reason };
      return { id: `outcome:${bark}`, kind: 'bark', dog, text: 'Bark failed', ...detail, hasFailed: true };
    }
    case 'dogs.bark.cancelled':
      return { id: `cancelled:${bark}`, kind: 'cancellation', dog, text: 'Bark cancelled' };
    case 'dogs.bark.mail-failed':
      return {
        id: `event:${id}`,
        kind: 'mail',
        dog,
        text: 'Mail for a scheduled bark failed',
        hasFailed: true,
      };
    case 'dogs.schedule.ended':
      return reason === 'last-occurrence'
        ? {
            id: `event:${id}`,
            kind: 'schedule',
            dog,
            text: 'Schedule over',
            detail: 'It had one occurrence.',
          }
        : undefined;
    default:
      return undefined;
  }
}

function requestEntry(request: RequestActivity): Shown {
  const { method, path, status, user, requestId, detail } = request;
  const [resource = ''] = path.split('?');
  const line = `${method} ${path} → ${status}`;
  const [, encoded, rest = ''] = /^\/v1\/dogs\/([^/]+)(?:\/(.*?))?\/?$/.exec(resource) ?? [];
  const dog = decoded(encoded ?? '');
  const hasFailed = status >= 400;
  const common = {
    id: `request:${requestId}`,
    // The entry links to its dog, and no dog has an invalid ID.
    ...(dogId.test(dog) && { dog }),
    detail: [variantOf(method, rest), line, user && `by ${user}`, hasFailed && detail]
      .filter(Boolean)
      .join(' · '),
    ...(hasFailed && { hasFailed }),
  };
  const otherText = resource === '/oauth2/v4/token' ? 'Access token issued' : 'Request';
  const action = encoded === undefined ? undefined : actionOf(request, rest);
  return { ...common, ...(action ?? { kind: 'request', text: hasFailed ? 'Request failed' : otherText }) };
}

/** @param rest the path after the dog's ID, without leading and trailing slashes */
function actionOf(
  { method, status, location }: RequestActivity,
  rest: string,
): Pick<Entry, 'kind' | 'text'> & { id?: string } {
  const hasFailed = status >= 400;
  if (method === 'POST' && (rest === 'barks' || rest === 'bark')) {
    if (hasFailed) return { kind: 'bark', text: 'Bark failed' };
    // The client may have waited for a bark that failed.
    if (status === 200) return { kind: 'bark', text: 'Bark request succeeded' };
    const [, bark] = /\/barks\/([^/]+)$/.exec(location ?? '') ?? [];
    const [text, id] =
      status === 202 ? ['Bark accepted', `accepted:${bark}`] : ['Bark complete', `outcome:${bark}`];
    return { kind: 'bark', text, ...(bark && { id }) };
  }
  const [, bark] = /^barks\/([^/]+)$/.exec(rest) ?? [];
  if (method === 'DELETE' && bark !== undefined)
    return hasFailed
      ? { kind: 'cancellation', text: 'Cancellation failed' }
      : { kind: 'cancellation', text: 'Bark cancelled', id: `cancelled:${bark}` };
  const text = plainActions[`${method} ${rest} ${status}`] ?? plainActions[`${method} ${rest}`];
  const kind = rest === 'bark-schedule' || method === 'PATCH' ? 'schedule' : 'request';
  return text === undefined || hasFailed
    ? { kind, text: hasFailed ? 'Request failed' : 'Request' }
    : { kind, text };
}

/** Returns the variant of the API to which a request belongs, if any. */
function variantOf(method: string, rest: string): string | undefined {
  if (method === 'POST' && rest === 'barks') return 'Variant A';
  if (method === 'PATCH' && rest === '') return 'Variant B';
  return rest === 'bark' || rest === 'bark-schedule' ? 'Variant C' : undefined;
}

const plainActions: Readonly<Record<string, string>> = {
  'PATCH ': 'Schedule changed',
  'PATCH  204': 'Schedule unchanged',
  'POST bark-schedule': 'Schedule set',
  'DELETE bark-schedule': 'Schedule ended',
  'PUT ': 'Settings replaced',
  'PUT  201': 'Dog created',
  'DELETE ': 'Dog deleted',
};
