import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import type { Table } from '../../tools/table.ts';
import { type AwsRequest, type Recording, replay, standInForAws } from './aws-stand-in.ts';
import { type ColdFunction, type ColdStart, coldStart } from './cold-process.ts';
import { megabytesOfProcessor, ProcessorLimit } from './processor-limit.ts';
import { type RecordedStep, record } from './recording.ts';
import { documentedSteps, scenario } from './scenario.ts';
import { median, ratio, shuffled } from './statistics.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 21);

/**
 * A directory of other projects' bundles, which you build yourself. Each subdirectory contains an `index.mjs` or `index.cjs` that
 * exports `handler`. The bundle in the subdirectory `authorizer` authorizes requests to the others.
 */
const peersDirectory = process.env.BENCH_PEERS;

/** How long the stand-in for AWS takes to respond. */
const latencyMs = 4;

/** The first calls are skipped, because they include compilation. */
const warmCalls = { total: 40, skipped: 20 };

interface Candidate extends ColdFunction {
  readonly name: string;
  readonly recording: Recording;
}

/** Medians in milliseconds. */
interface Measured {
  readonly name: string;
  readonly firstCall: number;
  /** The initialization plus the first call: how long a request waits when it starts the function. */
  readonly coldStart: number;
  readonly warmCall: number;
}

const empty = 'an empty handler';
const oneClient = 'a default bundle with one client';

/**
 * Measures cold starts with the processor time that Lambda gives a function: at least one processor for the initialization, and
 * then, if `ProcessorLimit` is effective, a share that corresponds to the function's memory. Milliseconds depend on the machine;
 * ratios within one run hardly do.
 */
export async function measure(): Promise<readonly Table[]> {
  const directory = mkdtempSync(join(tmpdir(), 'cold-start-'));
  const { steps, discard } = await record();
  const tls = certificate(directory);
  let recording: Recording = {};
  const answer = async (request: AwsRequest) => {
    await sleep(latencyMs);
    return answerFor(recording, request);
  };
  const standIn = await standInForAws(answer, tls);
  const limit = new ProcessorLimit();
  const run: Run = (candidate, options) => {
    recording = candidate.recording;
    const aws = { AWS_ENDPOINT_URL: standIn.url, NODE_EXTRA_CA_CERTS: join(directory, 'cert.pem') };
    return coldStart(
      { ...candidate, environment: { ...candidate.environment, ...aws } },
      { limit, ...options },
    );
  };
  try {
    const getDog = stepOf(steps, 'GetDog');
    const baselines = [
      { ...getDog, name: empty, module: baseline(directory, 'empty') },
      { ...getDog, name: oneClient, module: baseline(directory, 'one-client') },
    ];
    const peers = peersOf(getDog);
    const measured = await measureAll([...baselines, ...steps, ...peers], run);
    const memory = Number(getDog.environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE);
    const note = limit.isEffective
      ? `with ${memory} MB of memory`
      : 'with whole processors, because only the root user of a Linux system can limit them';
    return [
      tableOf(measured, note),
      inSeries(measured, peers),
      ...(limit.isEffective ? [await byMemory(steps, run)] : []),
    ];
  } finally {
    limit.close();
    standIn.close();
    discard();
    rmSync(directory, { recursive: true });
  }
}

type Run = (
  candidate: Candidate,
  options: { readonly memory?: number; readonly laterCalls?: number },
) => Promise<ColdStart>;

/** The one-client baseline and the peers call GetItem without `ConsistentRead`, so they get the recorded response to GetDog. */
function answerFor(recording: Recording, request: AwsRequest) {
  const target = request.headers['x-amz-target'];
  const plain = target?.endsWith('GetItem') && !request.body.includes('ConsistentRead');
  const dog = Object.entries(recording).find(
    ([key]) => key.includes('GetItem') && key.includes('record-sync'),
  );
  return plain && dog ? dog[1] : replay(recording, request);
}

/** Each bundle must return the item with the ID in the path, or authorize a request. */
function peersOf(getDog: RecordedStep): Candidate[] {
  if (!peersDirectory) return [];
  return readdirSync(peersDirectory).map((name) => {
    const files = ['index.mjs', 'index.cjs'].map((file) => join(peersDirectory, name, file));
    const module = files.find((file) => existsSync(file));
    if (!module) throw new Error(`${join(peersDirectory, name)} contains neither index.mjs nor index.cjs.`);
    const event = { ...getDog.event, pathParameters: { id: 'record-sync' } };
    const environment = { ...getDog.environment, TABLE_NAME: getDog.environment.DOGS_TABLE ?? '' };
    return { ...getDog, name, module, event, environment };
  });
}

async function measureAll(candidates: readonly Candidate[], run: Run): Promise<Measured[]> {
  const starts = new Map<Candidate, ColdStart[]>(candidates.map((one) => [one, []]));
  for (let round = 0; round < rounds; round++)
    for (const [candidate, seen] of shuffled([...starts])) seen.push(await run(candidate, {}));
  return [...starts].map(([{ name }, seen]) => measuredOf(name, seen));
}

function measuredOf(name: string, starts: readonly ColdStart[]): Measured {
  const medianOf = (value: (start: ColdStart) => number) => median(starts.map(value));
  return {
    name,
    firstCall: medianOf(({ firstCall }) => firstCall),
    coldStart: medianOf(({ initialization, firstCall }) => initialization + firstCall),
    warmCall: medianOf(({ laterCalls }) => median(laterCalls.slice(warmCalls.skipped))),
  };
}

function tableOf(all: readonly Measured[], note: string): Table {
  const nothing = named(all, empty);
  const standard = named(all, oneClient);
  const row = ({ name, ...times }: Measured) => [
    name,
    times.firstCall.toFixed(0),
    ratio(times.coldStart, nothing.coldStart),
    name === empty ? '' : ratio(times.coldStart - nothing.coldStart, standard.coldStart - nothing.coldStart),
  ];
  return {
    title: `Cold starts ${note}, as medians of ${rounds} processes. The whole cold start took ${nothing.coldStart.toFixed(0)} ms for ${empty} and ${standard.coldStart.toFixed(0)} ms for ${oneClient}`,
    columns: ['', 'first call in ms', 'whole ÷ empty', 'adds ÷ default adds'],
    rows: all.map(row),
    documented: ([name]) => !scenario.some((step) => step.name === name) || documentedSteps.has(String(name)),
  };
}

/** A client's first request causes two cold starts, one after the other. */
function inSeries(measured: readonly Measured[], peers: readonly Candidate[]): Table {
  const time = (name: string) => named(measured, name).coldStart;
  const others = [
    { title: 'two empty handlers', ms: 2 * time(empty) },
    { title: 'two default bundles', ms: 2 * time(oneClient) },
    ...peers
      .filter(({ name }) => name !== 'authorizer')
      .map(({ name }) => ({ title: name, ms: time('authorizer') + time(name) })),
  ];
  const own = time('Authorizer') + time('GetDog');
  return {
    title:
      'Cold starts of a first request, which waits for the authorizer and then for the function of the route',
    columns: ['', 'ms', ...others.map(({ title }) => `÷ ${title}`)],
    rows: [['Authorizer → GetDog', own.toFixed(0), ...others.map(({ ms }) => ratio(own, ms))]],
  };
}

/** Lambda's prices in us-east-1 on x86, in dollars. @see {@link https://aws.amazon.com/lambda/pricing/ Lambda pricing} */
const price = { gigabyteSecond: 0.0000166667, request: 0.0000002 };

/** The cost of a cold call includes the initialization, because Lambda bills that too. */
async function byMemory(steps: readonly RecordedStep[], run: Run): Promise<Table> {
  const rows: (string | number)[][] = [];
  for (const memory of [128, 256, 512, 1_024, megabytesOfProcessor]) {
    const both: Measured[] = [];
    for (const name of ['Authorizer', 'GetDog']) {
      const starts: ColdStart[] = [];
      for (let round = 0; round < rounds; round++)
        starts.push(await run(stepOf(steps, name), { memory, laterCalls: warmCalls.total }));
      both.push(measuredOf(name, starts));
    }
    const total = (duration: (one: Measured) => number) => both.reduce((sum, one) => sum + duration(one), 0);
    const cold = total(({ coldStart }) => coldStart);
    const warm = total(({ warmCall }) => warmCall);
    const dollars = (ms: number) =>
      (1e6 * (both.length * price.request + (ms / 1000) * (memory / 1024) * price.gigabyteSecond)).toFixed(2);
    rows.push([String(memory), cold.toFixed(0), warm.toFixed(1), dollars(cold), dollars(warm)]);
  }
  return {
    title: 'GET of a dog by memory size, including the authorizer',
    columns: ['MB', 'cold, ms', 'warm, ms', 'a million cold, dollars', 'a million warm, dollars'],
    rows,
  };
}

function stepOf(steps: readonly RecordedStep[], name: string): RecordedStep {
  const found = steps.find((step) => step.name === name);
  if (!found) throw new Error(`${name} was not recorded.`);
  return found;
}

function named(measured: readonly Measured[], name: string): Measured {
  const found = measured.find((one) => one.name === name);
  if (!found) throw new Error(`${name} was not measured.`);
  return found;
}

/** Bundles and minifies a baseline with esbuild's defaults for Node. */
function baseline(directory: string, name: string): string {
  const outfile = join(directory, `${name}.cjs`);
  buildSync({
    entryPoints: [join(import.meta.dirname, 'baselines', `${name}.ts`)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    outfile,
  });
  return outfile;
}

function certificate(directory: string): { key: string; cert: string } {
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}
