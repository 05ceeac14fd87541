import '../support/settings-of-each-kind.ts';

import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { filesOfPages } from '../../bin/linked-pages.ts';
import { settingNames } from '../../lambdas/contract/dog-settings.ts';
import { DogPutDocument } from '../../lambdas/domain/dogs/schema.ts';
import { validate } from '../../lambdas/http/json-body.ts';
import { Problem } from '../../lambdas/http/problem.ts';
import { openApiDocument } from '../../openapi/document.ts';
import { otherValue } from '../support/setting-values.ts';
import { enterSettings, expectFormShows, submit } from './setting-fields.ts';
import {
  button,
  describeInBrowser,
  expectAccessibleState,
  field,
  heading,
  shownIn,
  stage,
} from './support.ts';

type Values = Readonly<Record<string, unknown>>;

describeInBrowser('The settings of a dog in the console, of each kind,', () => {
  let page: Page;
  let html: string;
  /** The settings of the dog "sam", which the service of the tests does not support. Undefined if there is no dog. */
  let stored: Values | undefined;

  async function serve(route: Route): Promise<void> {
    const request = route.request();
    if (request.method() === 'GET')
      return stored
        ? route.fulfill({
            json: { id: 'sam', ...stored, barkCount: 0, barking: false },
            headers: { ETag: '"1"' },
          })
        : route.fulfill({ status: 404, json: { title: 'Not Found', detail: 'There is no dog.' } });
    try {
      const { settings } = validate(DogPutDocument, request.postDataJSON());
      const status = stored ? 204 : 201;
      stored = settings;
      return route.fulfill({ status });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { message: detail, errors } = error;
      return route.fulfill({ status: 422, json: { title: 'Unprocessable Content', detail, errors } });
    }
  }

  const open = (address: string) =>
    stage.enter(address, {
      prepare: async (opened) => {
        await opened.route(`${stage.access.base_url}/`, (route) =>
          route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }),
        );
        await opened.route('**/v1/dogs/sam/', serve);
      },
    });

  const replace = async () => {
    await submit(page, 'Replace the settings');
    await page.getByText('The service replaced the settings.').waitFor();
  };

  beforeAll(async () => {
    const script = join(import.meta.dirname, 'console-of-each-kind.mjs');
    const files = await filesOfPages(openApiDocument(), { console: script });
    html = files.get('api/console.ts')?.['console.html'] ?? '';
  });

  test('are sent, shown, replaced, removed and set again, and their errors are at their fields', async () => {
    const { settings: defaults } = validate(DogPutDocument, {});
    const values = Object.fromEntries(
      settingNames.map((name) => [name, otherValue(name, (defaults as Values)[name])]),
    );
    const others = Object.fromEntries(settingNames.map((name) => [name, otherValue(name, values[name])]));
    page = await open('#new');
    await heading(page, 'New dog').waitFor();
    await expectFormShows(page, defaults);
    await expectAccessibleState(page);
    await field(page, 'ID').fill('sam');
    await enterSettings(page, values);
    await submit(page, 'Create the dog');
    expect(stored).toEqual(values);
    await heading(page, 'sam').waitFor();
    const facts = await shownIn(page.locator('.facts'));
    expect(facts).toContain('The optional-boolean setting\nYes');
    expect(facts).toContain('The optional-texts setting\nMax, Bella 🐶');

    await page.getByRole('link', { name: 'Settings' }).click();
    await expectFormShows(page, values);
    await enterSettings(page, others);
    await replace();
    expect(stored).toEqual(others);
    await expectFormShows(page, others);

    await enterSettings(page, defaults);
    await replace();
    expect(stored).toEqual(defaults);
    await expectFormShows(page, defaults);

    await enterSettings(page, others);
    await button(page, 'Discard my changes').click();
    await expectFormShows(page, defaults);

    for (const [kind, wrong, error] of [
      ['text', 'x'.repeat(21), 'Must have 1 to 20 characters.'],
      ['integer', '1.5', 'Must be an integer from -20 to 5000000000.'],
      ['integer', 'ten', 'Must be an integer from -20 to 5000000000.'],
      ['texts', 'a, b', 'Must not contain a comma or a line break, and must not begin or end with a space.'],
    ] as const) {
      const label = `The optional-${kind} setting`;
      await field(page, label).fill(wrong);
      await expect(submit(page, 'Replace the settings')).rejects.toThrow(error);
      expect(await field(page, label).getAttribute('aria-invalid')).toBe('true');
      expect(await field(page, label).inputValue()).toBe(wrong);
      await button(page, 'Discard my changes').click();
    }
    expect(stored).toEqual(defaults);
  });
});
