import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { median, ratio, shuffled } from '../tools/statistics.ts';
import type { Table } from '../tools/table.ts';
import { type AwsRequest, AwsStandIn, type Recording, replay } from './aws-stand-in.ts';
import { type ColdCall, callCold, load, record } from './recording.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 21);

/** A function to measure in two kinds of processes: one kind only loads it, and the other also calls it. */
interface Candidate {
  readonly name: string;
  readonly code: string;
  readonly eventFile: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly recording: Recording;
}

interface Times {
  readonly load: number[];
  readonly call: number[];
  readonly cpu: ColdCall['cpu'][];
}

/** The median durations of the processes of a candidate, in milliseconds. */
interface Measured {
  readonly candidate: Candidate;
  readonly load: number;
  readonly call: number;
  /** The processor time of loading and calling. */
  readonly cpu: ColdCall['cpu'];
}

const empty = 'an empty handler';
const oneClient = "one DynamoDB client in a bundle with esbuild's default options";

/**
 * Measures cold starts in whole processes. One process loads a function and exits. Another process also makes the first call,
 * with a server over TLS that replaces AWS. The milliseconds depend on the machine, but the ratios within one run hardly do.
 */
export async function measure(): Promise<readonly Table[]> {
  const directory = mkdtempSync(join(tmpdir(), 'cold-start-'));
  const { steps, discard } = await record();
  const getDog = steps.find(({ name }) => name === 'GetDog');
  if (!getDog) throw new Error('GetDog was not recorded.');
  const baselines = [
    { ...getDog, name: empty, code: baseline(directory, 'empty') },
    { ...getDog, name: oneClient, code: baseline(directory, 'one-client') },
  ];
  const tls = certificate(directory);
  let recording: Recording = {};
  const standIn = await AwsStandIn.listen((request: AwsRequest) => answerFor(recording, request), tls);
  try {
    const all = [...baselines, ...steps].map((one) => ({
      ...one,
      environment: {
        ...one.environment,
        AWS_ENDPOINT_URL: standIn.url,
        NODE_EXTRA_CA_CERTS: join(directory, 'cert.pem'),
      },
    }));
    const measured = await timesOf(all, (candidate) => {
      recording = candidate.recording;
    });
    return [tableOf(measured), inSeries(measured), byMemory(measured)];
  } finally {
    standIn.close();
    discard();
    rmSync(directory, { recursive: true });
  }
}

/** The baseline makes almost the same call as GetDog, so it gets the response with the same dog. */
function answerFor(recording: Recording, request: AwsRequest) {
  const target = request.headers['x-amz-target'];
  const plain = target?.endsWith('GetItem') && !request.body.includes('ConsistentRead');
  const dog = Object.entries(recording).find(([key]) => key.includes('GetItem'))?.[1];
  return plain && dog ? dog : replay(recording, request);
}

async function timesOf(candidates: readonly Candidate[], prepare: (candidate: Candidate) => void) {
  const times = new Map<Candidate, Times>(candidates.map((one) => [one, { load: [], call: [], cpu: [] }]));
  for (let round = 0; round < rounds; round++)
    for (const [candidate, seen] of shuffled([...times])) {
      const { code, environment, eventFile } = candidate;
      prepare(candidate);
      const [loaded] = await timed(() => load(code, environment));
      const [called, { cpu }] = await timed(() => callCold(code, environment, eventFile));
      seen.load.push(loaded);
      seen.call.push(called);
      seen.cpu.push(cpu);
    }
  return [...times].map(
    ([candidate, seen]): Measured => ({
      candidate,
      load: median(seen.load),
      call: median(seen.call),
      cpu: {
        loading: median(seen.cpu.map(({ loading }) => loading)),
        calling: median(seen.cpu.map(({ calling }) => calling)),
      },
    }),
  );
}

async function timed<Result>(run: () => Promise<Result>): Promise<[number, Result]> {
  const began = performance.now();
  const result = await run();
  return [performance.now() - began, result];
}

function tableOf([nothing, standard, ...functions]: readonly Measured[]): Table {
  if (!nothing || !standard) throw new Error('The baselines are missing.');
  const row = (measured: Measured, share: boolean) => [
    measured.candidate.name,
    ratio(measured.load, nothing.load),
    share ? ratio(measured.load - nothing.load, standard.load - nothing.load) : '',
    ratio(measured.call, nothing.call),
    share ? ratio(measured.call - nothing.call, standard.call - nothing.call) : '',
  ];
  return {
    title: `Cold starts, as medians of ${rounds} processes. Loading took ${nothing.load.toFixed(0)} ms for ${empty} and ${standard.load.toFixed(0)} ms for ${oneClient}. Loading and the first call together took ${nothing.call.toFixed(0)} ms and ${standard.call.toFixed(0)} ms`,
    columns: ['', 'loaded ÷ empty', 'adds ÷ default adds', 'first call ÷ empty', 'adds ÷ default adds'],
    rows: [row(nothing, false), row(standard, true), ...functions.map((one) => row(one, true))],
  };
}

/** Returns the times of the first request of a client. It causes two cold starts, one after the other. */
function inSeries(measured: readonly Measured[]): Table {
  const time = (name: string) => named(measured, name).call;
  const rows = ['Authorizer', 'Authorizer, by token'].flatMap((authorizer) =>
    ['GetDog', 'PostBarks', 'PatchDog'].map((route) => [
      `${authorizer} → ${route}`,
      ratio(time(authorizer) + time(route), 2 * time(empty)),
      ratio(time(authorizer) + time(route), 2 * time(oneClient)),
    ]),
  );
  return {
    title:
      'Cold starts of a first request, which waits for the authorizer and then for the function of the route',
    columns: ['', '÷ two empty handlers', '÷ two default bundles'],
    rows,
  };
}

/** The memory size at which Lambda gives a function a whole processor. Below it, a function gets a proportional share. */
const megabytesOfProcessor = 1_769;

/**
 * Calculates the effect of memory on a first request. Lambda always loads functions with whole processors. During a call, a
 * function gets the share of a processor that corresponds to its memory.
 */
function byMemory(measured: readonly Measured[]): Table {
  const first = ['Authorizer', 'GetDog'].map((name) => named(measured, name).cpu);
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  const loading = sum(first.map((cpu) => cpu.loading));
  const calling = sum(first.map((cpu) => cpu.calling));
  const timeWith = (megabytes: number) =>
    loading + (calling * megabytesOfProcessor) / Math.min(megabytes, megabytesOfProcessor);
  return {
    title: `Processor time of the first GET of a dog, by memory size. The two calls take ${ratio(calling, loading + calling)} of the time, and loading takes the rest`,
    columns: ['MB', '÷ time with 1769 MB'],
    rows: [512, 1_024, megabytesOfProcessor, 3_008].map((megabytes) => [
      String(megabytes),
      ratio(timeWith(megabytes), timeWith(megabytesOfProcessor)),
    ]),
  };
}

function named(measured: readonly Measured[], name: string): Measured {
  const found = measured.find(({ candidate }) => candidate.name === name);
  if (!found) throw new Error(`${name} was not measured.`);
  return found;
}

/** Bundles a baseline with the defaults of esbuild for Node. */
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

/** Returns a self-signed certificate for this machine, and its key. */
function certificate(directory: string): { key: string; cert: string } {
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}
