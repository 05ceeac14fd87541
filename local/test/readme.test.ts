import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as cloudFormation from '@aws-sdk/client-cloudformation';
import * as logs from '@aws-sdk/client-cloudwatch-logs';
import * as eventBridge from '@aws-sdk/client-eventbridge';
import * as lambda from '@aws-sdk/client-lambda';
import * as scheduler from '@aws-sdk/client-scheduler';
import * as secretsManager from '@aws-sdk/client-secrets-manager';
import * as ses from '@aws-sdk/client-ses';
import * as sesV2 from '@aws-sdk/client-sesv2';
import * as stepFunctions from '@aws-sdk/client-sfn';
import * as sqs from '@aws-sdk/client-sqs';

/** The SDK clients of each emulator whose code names the operations that it supports. */
const clients: Readonly<Record<string, readonly object[]>> = {
  cloudformation: [cloudFormation],
  eventbridge: [eventBridge],
  lambda: [lambda],
  logs: [logs],
  scheduler: [scheduler],
  'secrets-manager': [secretsManager],
  ses: [ses, sesV2],
  sqs: [sqs],
  'step-functions': [stepFunctions],
};

const local = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(local, 'README.md'), 'utf8');

/** Returns the operations of an AWS service that a text names. */
function operationsIn(text: string, service: string): string[] {
  const words = new Set(text.match(/\b[A-Z]\w+\b/g));
  return (clients[service] ?? [])
    .flatMap((client) => Object.keys(client))
    .filter((name) => name.endsWith('Command') && words.has(name.replace(/Command$/, '')))
    .map((name) => name.replace(/Command$/, ''))
    .sort();
}

/** Returns the code of an emulator. The links in its comments also name operations that deploy the template. */
function codeOf(service: string): string {
  const folder = join(local, service);
  const files = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return files.join('\n').replace(/\{@link [^}]*\}/g, '');
}

describe('The table in local/README.md', () => {
  const rows = readme.matchAll(/^\| [^|]*\(`([\w-]+)\/`\) *\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm);
  const cells = new Map(
    [...rows].map(([, service = '', emulated = '', , missing = '']) => [service, { emulated, missing }]),
  );

  test.each(Object.keys(clients))('names the operations of the emulator in local/%s', (service) => {
    const { emulated = '', missing = '' } = cells.get(service) ?? {};
    expect([service, operationsIn(emulated, service)]).toEqual([
      service,
      operationsIn(codeOf(service), service),
    ]);
    expect(['not emulated', operationsIn(missing, service)]).toEqual(['not emulated', []]);
  });
});
