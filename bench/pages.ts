import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { findChromium, launchChromium, noBrowser } from '../tools/browser.ts';
import {
  emptyPage,
  type Load,
  type Profile,
  profiles,
  timeTable,
  type Weight,
  weightTable,
} from '../tools/page-loads.ts';
import { type Service, startService } from '../tools/service.ts';
import { shuffled } from '../tools/statistics.ts';
import type { Table } from '../tools/table.ts';

const rounds = 5;

interface Subject {
  readonly page: string;
  readonly url: string;
  /** A JavaScript expression, evaluated in each animation frame, that is true once the main control responds. */
  readonly responds: string;
  /** The session storage of a signed-in user, as JSON. */
  readonly session?: string;
}

/**
 * Measures each page's size, and the time until a user can use the page, with an empty cache. Returns no tables if there is no
 * browser.
 */
export async function measure(): Promise<readonly Table[]> {
  const executablePath = findChromium();
  if (!executablePath) {
    console.log(`The pages are not measured, ${noBrowser}`);
    return [];
  }
  const service = await startService();
  const server = await serveEmptyPage();
  const browser = await launchChromium(executablePath);
  try {
    const subjects = await subjectsOf(service, server, browser);
    const weights: Weight[] = [];
    for (const subject of subjects) weights.push(await weigh(browser, subject));
    return [weightTable(weights), timeTable(await loadInTurns(browser, subjects))];
  } finally {
    await browser.close();
    server.close();
    await service.stop();
    rmSync(service.directory, { recursive: true });
  }
}

async function loadInTurns(browser: Browser, subjects: readonly Subject[]): Promise<Load[]> {
  const pairs = subjects.flatMap((subject) => profiles.map((profile) => ({ subject, profile })));
  const loads = new Map<object, Load[]>(pairs.map((pair) => [pair, []]));
  for (let round = 0; round < rounds; round++)
    for (const pair of shuffled(pairs)) {
      const { subject, profile } = pair;
      const { usableMs } = await load(browser, subject, profile);
      loads.get(pair)?.push({ page: subject.page, profile: profile.name, usableMs });
    }
  return [...loads.values()].flat();
}

async function weigh(browser: Browser, subject: Subject): Promise<Weight> {
  const { htmlBytes, sentBytes, requests } = await load(browser, subject, { name: '' });
  return { page: subject.page, htmlBytes, sentBytes, requests };
}

async function load(browser: Browser, { url, responds, session }: Subject, { network }: Profile) {
  const context = await browser.newContext();
  try {
    if (session) await context.addInitScript(`Object.assign(sessionStorage, ${session})`);
    await context.addInitScript(watch(responds));
    const page = await context.newPage();
    let requests = 0;
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) requests++;
    });
    const tools = await context.newCDPSession(page);
    await tools.send('Network.enable');
    if (network) await tools.send('Network.emulateNetworkConditions', { offline: false, ...network });
    const response = await page.goto(url, { waitUntil: 'commit' });
    if (!response?.ok()) throw new Error(`${url} responded with ${response?.status()}.`);
    const usableMs: number = await page.evaluate('usableMs');
    const counted = requests;
    const { responseBodySize } = await response.request().sizes();
    return {
      usableMs,
      htmlBytes: (await response.body()).length,
      sentBytes: responseBodySize,
      requests: counted,
    };
  } finally {
    await context.close();
  }
}

/**
 * Returns a script that sets `usableMs` to a promise for the time from the navigation until the page is usable: its first content
 * is visible, and its main control responds.
 */
function watch(responds: string): string {
  return `globalThis.usableMs = new Promise((resolve, reject) => {
    const isShown = (element) => element?.checkVisibility() && !element.disabled;
    const hasButton = (name) =>
      [...document.querySelectorAll('button')].some((one) => one.textContent.trim() === name && isShown(one));
    let respondsAt;
    const check = () => {
      if (respondsAt === undefined && (${responds})) respondsAt = performance.now();
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      if (respondsAt !== undefined && paint) resolve(Math.max(respondsAt, paint.startTime));
      else requestAnimationFrame(check);
    };
    requestAnimationFrame(check);
    setTimeout(() => reject(new Error('The page is not usable after 60 seconds.')), 60_000);
  })`;
}

/** Clicks a link in the contents and, once its target is visible, the search button. True once the search is open. */
const docsRespond = `(() => {
  const section = document.getElementById('problems');
  const link = document.querySelector('nav a[href="#problems"]');
  if (!section || !isShown(link)) return false;
  if (location.hash !== '#problems') link.click();
  if (section.getBoundingClientRect().top >= innerHeight) return false;
  const search = document.querySelector('dialog.search');
  if (search && !search.open) document.querySelector('.search-button').click();
  return search?.open === true;
})()`;

async function subjectsOf(
  { access, output }: Service,
  server: Server,
  browser: Browser,
): Promise<readonly Subject[]> {
  const { base_url, username, password } = access;
  const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  // The bark sends the email that the inbox shows.
  const bark = await fetch(`${base_url}/v1/dogs/message-sync/barks`, {
    method: 'POST',
    headers: { Authorization },
  });
  if (!bark.ok) throw new Error(`The service responded with ${bark.status}.`);
  const [, inboxUrl = ''] = /Inbox +(\S+)/.exec(output()) ?? [];
  const { port } = server.address() as AddressInfo;
  return [
    { page: emptyPage, url: `http://127.0.0.1:${port}/`, responds: `hasButton('Empty')` },
    { page: 'console, signed out', url: `${base_url}/`, responds: `hasButton('Sign in')` },
    {
      page: 'console, with a dog open',
      url: `${base_url}/#dogs/record-sync`,
      responds: `hasButton('Bark')`,
      session: await signedInSession(browser, access),
    },
    { page: '`/docs`', url: `${base_url}/docs`, responds: docsRespond },
    { page: 'local inbox', url: inboxUrl, responds: `isShown(document.querySelector('.filter input'))` },
  ];
}

async function signedInSession(
  browser: Browser,
  { base_url, username, password }: Service['access'],
): Promise<string> {
  const page = await browser.newPage();
  await page.goto(`${base_url}/`);
  await page.getByLabel('User name', { exact: true }).fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  const session: string = await page.evaluate('JSON.stringify(sessionStorage)');
  await page.close();
  return session;
}

async function serveEmptyPage(): Promise<Server> {
  const text = '<!doctype html><html lang="en"><title>Empty</title><button>Empty</button>';
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
