import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../../lib/command-line.ts';
import { startService } from '../../tools/service.ts';
import { go, goGenerators } from './go.ts';
import { java, javaGenerators } from './java.ts';
import { node, nodeGenerators } from './node.ts';
import type { Access, Observations } from './programs/observations.ts';
import { python, pythonGenerators } from './python.ts';
import { description, type Generator, output, run, type Tool } from './tool.ts';

const usage = `npm run clients --prefix proof

Makes dogs bark with clients that generators make from the API description, and with an OAuth 2.0 library. The first run needs a
network. Clients whose tools the machine lacks are skipped.

  CLIENTS='go java'   selects tools, which the machine must then have`;

readCommandLine(usage, {});

const tools = [node, python, go, java];
const names = process.env.CLIENTS?.match(/[^ ,]+/g) ?? undefined;
const unknown = names?.filter((name) => !tools.some((tool) => tool.name === name)) ?? [];
if (unknown.length > 0)
  throw new Error(
    `CLIENTS contains ${unknown.join(', ')}, but must list any of ${tools.map(({ name }) => name).join(', ')}.`,
  );
const selected = names ? tools.filter(({ name }) => names.includes(name)) : tools;

async function missingParts({ parts = {} }: Tool): Promise<string[]> {
  const checked = Object.entries(parts).map(async ([part, [program, ...parameters]]) =>
    run(output, program, ...parameters).then(
      () => [],
      () => [part],
    ),
  );
  return (await Promise.all(checked)).flat();
}

/** A 32-bit float turns these tokens into one. */
const tokens = [1_795_896_000_000, 1_795_896_010_000, 1_795_896_020_000];

function check(observations: Observations): void {
  const { token, created, mailed, recorded, counted, accepted, performed, dog, patched, scheduled } =
    observations;
  assert.deepEqual(token, [200, 'Bearer']);
  assert.deepEqual([...new Set(created)], [201]);
  for (const [observation, status] of [
    [mailed, 200],
    [recorded, 201],
    [counted, 303],
    [performed, 303],
  ] as const) {
    if (!observation) continue;
    const bark = observation[1] as { status?: string; timestamp?: number } | undefined;
    assert.deepEqual([observation[0], bark?.status, typeof bark?.timestamp], [status, 'complete', 'number']);
  }
  assert.equal(accepted[0], 202);
  assert.match(JSON.stringify(accepted[1]), /\/barks\/a[0-9A-Z]{26}/);
  assert.deepEqual(dog, [200, 2]);
  assert.equal(patched, 205);
  assert.deepEqual(scheduled, [205, 205, 205]);
}

/** Another schedule with the same token gets 422, so the service received exactly this token. */
async function checkTokens({ base_url, username, password, prefix, next }: Access): Promise<void> {
  const url = new URL(`/v1/dogs/${prefix}-records/bark-schedule`, base_url);
  const headers = {
    Authorization: `Basic ${btoa(`${username}:${password}`)}`,
    'Content-Type': 'application/json',
  };
  for (const token of tokens) {
    const body = JSON.stringify({ token, next: next + 60 });
    assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 422);
  }
}

mkdirSync(output, { recursive: true });
const missing = new Map<Tool, readonly string[]>();
for (const tool of selected) missing.set(tool, await missingParts(tool));
const required = names ? [...missing.values()].flat() : [];
if (required.length > 0)
  throw new Error(`CLIENTS requires ${required.join(', ')}, which this machine lacks.`);
for (const tool of selected) if (missing.get(tool)?.length === 0) await tool.prepare();

const generators = [...nodeGenerators, ...pythonGenerators, ...goGenerators, ...javaGenerators].filter(
  ({ needs }) => needs.every((tool) => selected.includes(tool)),
);
const service = await startService();
try {
  const baseUrl = service.access.base_url.replace(/\/$/, '');
  writeFileSync(description, await (await fetch(`${baseUrl}/openapi.json`)).text());
  const next = Math.floor(Date.now() / 1_000) + 3_600;
  const shared: Omit<Access, 'prefix'> = {
    ...JSON.parse(readFileSync(join(service.directory, 'access.json'), 'utf8')),
    tokens,
    next,
  };
  const testGenerator = async ({ name, prefix, generate, observe }: Generator) => {
    const work = join(output, name.replaceAll(/\W/g, '-'));
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { recursive: true });
    const access: Access = { ...shared, prefix };
    const accessFile = join(work, 'access.json');
    writeFileSync(accessFile, JSON.stringify(access));
    await generate(work, baseUrl);
    check(await observe(work, accessFile));
    await checkTokens(access);
  };
  const test = async (name: string, work: () => Promise<void>, needs: readonly Tool[]) => {
    const lacked = needs.flatMap((tool) => missing.get(tool) ?? []);
    if (lacked.length > 0) {
      console.log(`- ${name}: skipped, because this machine lacks ${lacked.join(', ')}.`);
      return 'skipped';
    }
    try {
      await work();
      console.log(`✓ ${name}`);
      return 'passed';
    } catch (error) {
      console.log(`✕ ${name}`);
      console.error(error);
      return 'failed';
    }
  };
  const testLibrary = async () => {
    const { bark } = await import('./programs/google-auth-library.ts');
    await bark({ ...shared, prefix: 'google' });
  };
  const results = await Promise.all([
    ...generators.map((one) => test(one.name, () => testGenerator(one), one.needs)),
    ...(selected.includes(node) ? [test('google-auth-library', testLibrary, [node])] : []),
  ]);
  const countOf = (result: string) => results.filter((one) => one === result).length;
  const skipped = countOf('skipped');
  console.log(
    `${countOf('passed')} passed, ${countOf('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`,
  );
  process.exitCode = countOf('failed') > 0 ? 1 : 0;
} finally {
  await service.stop();
  rmSync(service.directory, { recursive: true });
}
