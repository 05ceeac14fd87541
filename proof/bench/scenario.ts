import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Access } from '../../bin/start/access.ts';

/** The values from which steps create their events. */
export interface Known {
  readonly access: Access;
  /** The functions' responses so far, by step name. */
  readonly responses: ReadonlyMap<string, unknown>;
  /** The body of the last CreateSchedule request. */
  readonly schedule: { readonly Target: { readonly Input: string } } | undefined;
}

export interface Step {
  /** Unique among the steps. */
  readonly name: string;
  readonly function: string;
  readonly event: (known: Known) => object;
}

export const documentedSteps: ReadonlySet<string> = new Set([
  'GetDog',
  'PostBarks',
  'PatchDog',
  'Authorizer',
  'Authorizer, by token',
  'IssueToken',
]);

const anHour = 3_600;

/** The calls in order, mostly for the dog `record-sync`. Some use the results of earlier ones. */
export const scenario: readonly Step[] = [
  step('ListDogs'),
  step('GetDog'),
  step('PostBarks'),
  step('ListBarks'),
  step('PostLastBark'),
  step('GetLastBark'),
  step('DeleteLastBark'),
  step('PostBarkSchedule'),
  step('GetBarkSchedule'),
  step('PatchDog', () => {
    const next = Math.floor(Date.now() / 1000) + anHour;
    return {
      ...withHeader(sample('PatchDog'), 'If-Unmodified-Since', new Date().toUTCString()),
      body: JSON.stringify({ barks: { next, frequency: 10 } }),
    };
  }),
  step('BarkOnSchedule', ({ schedule }) => {
    const occurrence = JSON.parse(schedule?.Target.Input ?? '{}');
    return { ...occurrence, scheduledTime: new Date(occurrence.firstInvocationAt * 1000).toISOString() };
  }),
  step('DeleteBarkSchedule'),
  { ...step('PostBarks', () => ofDog('PostBarks', 'record-async')), name: 'PostBarks, async' },
  step('PerformBark', (known) => ({ dog: 'record-async', bark: asyncBarkIn(known) })),
  step('PutDog'),
  step('DeleteDog'),
  step('PurgeDog'),
  step('PublishEvents'),
  step('Authorizer', ({ access: { username, password } }) =>
    withHeader(sample('Authorizer'), 'Authorization', `Basic ${btoa(`${username}:${password}`)}`),
  ),
  step('IssueToken', ({ access: { client_id, client_secret, refresh_token } }) => ({
    ...withHeader(sample('IssueToken'), 'Content-Type', 'application/json'),
    body: JSON.stringify({ client_id, client_secret, refresh_token, grant_type: 'refresh_token' }),
  })),
  {
    ...step('Authorizer', (known) =>
      withHeader(sample('Authorizer'), 'Authorization', `Bearer ${tokenIn(known)}`),
    ),
    name: 'Authorizer, by token',
  },
  step('GetKeys'),
  step('RefreshCredentials'),
  step('GetConsole'),
  step('GetOpenApi'),
  step('GetDocs'),
  step('Fallback'),
];

function step(name: string, event: Step['event'] = () => sample(name)): Step {
  return { name, function: name, event };
}

function sample(name: string): APIGatewayProxyEvent {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../events', `${name}.json`), 'utf8'));
}

function ofDog(name: string, dog: string): APIGatewayProxyEvent {
  const event = sample(name);
  const path = event.path.replace(/(?<=^\/v1\/dogs\/)[^/]+/, dog);
  return { ...event, path, pathParameters: { ...event.pathParameters, dog_id: dog } };
}

function withHeader<Event extends Pick<APIGatewayProxyEvent, 'headers' | 'multiValueHeaders'>>(
  event: Event,
  name: string,
  value: string,
): Event {
  return {
    ...event,
    headers: { ...event.headers, [name]: value },
    multiValueHeaders: { ...event.multiValueHeaders, [name]: [value] },
  };
}

function asyncBarkIn({ responses }: Known): string {
  const { headers } = responses.get('PostBarks, async') as APIGatewayProxyResult;
  return String(headers?.Location).split('/').at(-1) ?? '';
}

function tokenIn({ responses }: Known): string {
  return JSON.parse((responses.get('IssueToken') as APIGatewayProxyResult).body).access_token;
}
