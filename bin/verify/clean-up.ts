import { NotFound } from '../../lambdas/domain/platform/errors.ts';
import type { Api } from './api.ts';
import { expectStatus } from './check.ts';

/** What the command has created, and must delete. */
export class CleanUp {
  private readonly steps: { readonly subject: string; readonly remove: () => Promise<unknown> }[] = [];

  /** Call it before the creation, because the response to a creation can be lost. */
  add(subject: string, remove: () => Promise<unknown>): void {
    this.steps.push({ subject, remove });
  }

  /** Removes everything in reverse order. @returns what is left, and why */
  async run(): Promise<string[]> {
    const left: string[] = [];
    for (const { subject, remove } of this.steps.reverse())
      await remove().catch((error) => {
        if (!(error instanceof NotFound)) left.push(`${subject}. ${error.message}`);
      });
    return left;
  }
}

/**
 * Returns a function that creates a dog. Existing dogs stay as they are, even those with such a name.
 *
 * @param cleaner sends requests even after Ctrl-C
 */
export function dogFactory(name: string, api: Api, cleaner: Api, cleanUp: CleanUp) {
  let dogs = 0;
  return async (settings: object): Promise<string> => {
    dogs += 1;
    const path = `/v1/dogs/${name}-${dogs}/`;
    cleanUp.add(`the dog ${name}-${dogs}`, async () =>
      expectStatus(await cleaner.send('DELETE', path), 204, 404),
    );
    const created = await api.send('PUT', path, { headers: { 'If-None-Match': '*' }, body: settings });
    expectStatus(created, 201);
    return path;
  };
}
