import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Observations } from './programs/observations.ts';

/** What generators of clients need on the machine. */
export interface Tool {
  readonly name: string;
  /** Commands that fail if the machine lacks a part of the tool, by the part. Without them, the tool is required. */
  readonly parts?: Readonly<Record<string, readonly [program: string, ...parameters: string[]]>>;
  /** Installs the packages of the tool. It needs a network the first time. */
  prepare(): Promise<void> | void;
}

/** A generator, and a program that uses its client. */
export interface Generator {
  readonly name: string;
  readonly needs: readonly Tool[];
  /** The beginning of the IDs of the program's dogs. */
  readonly prefix: string;
  /** Generates the client in the subfolder `client` of the folder `work`. */
  generate(work: string, baseUrl: string): Promise<unknown>;
  /** Compiles the client or checks its types, and makes dogs bark with it. */
  observe(work: string, accessFile: string): Promise<Observations>;
}

export const folder = import.meta.dirname;
export const programs = join(folder, 'programs');
export const output = resolve(folder, '../../.build/clients');
export const description = join(output, 'openapi.json');

/** Enough to install packages and to compile a client on a slow machine. */
const limitMs = 15 * 60_000;

export async function run(cwd: string, program: string, ...parameters: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, parameters, {
    cwd,
    maxBuffer: 2 ** 26,
    timeout: limitMs,
  });
  return stdout;
}

export function isStale(file: string, source: string): boolean {
  return !existsSync(file) || statSync(file).mtimeMs < statSync(source).mtimeMs;
}
