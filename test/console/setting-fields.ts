import type { Locator, Page } from 'playwright-core';
import {
  type Kind,
  type Setting,
  type SettingName,
  settingNames,
  settingOf,
  settingTexts,
} from '../../lambdas/contract/dog-settings.ts';
import { withRemedy } from '../support/remedy.ts';
import { button, field, shownIn } from './browser.ts';

/** An absent setting is undefined. */
interface Control<K extends Kind> {
  readonly enter: (place: Place, value: unknown, setting: Setting<K>) => Promise<void>;
  readonly read: (place: Place, setting: Setting<K>) => Promise<unknown>;
}

interface Place {
  readonly input: Locator;
  /** The radio button or checkbox with a value. */
  readonly choice: (value: unknown) => Locator;
  /** The values of the radio buttons or checkboxes that are checked. */
  readonly chosen: () => Promise<string[]>;
}

const controls: { readonly [K in Kind]: Control<K> } = {
  text: {
    enter: ({ input }, value = '') => input.fill(String(value)),
    read: async ({ input }) => (await input.inputValue()) || undefined,
  },
  integer: {
    enter: ({ input }, value = '') => input.fill(String(value)),
    read: async ({ input }) => {
      const text = await input.inputValue();
      return text === '' ? undefined : Number(text);
    },
  },
  boolean: {
    enter: ({ choice }, value = '') => choice(value).check(),
    read: async ({ chosen }) => ({ '': undefined, true: true, false: false })[String(await chosen())],
  },
  choice: {
    enter: ({ choice }, value = '') => choice(value).check(),
    read: async ({ chosen }) => (await chosen())[0] || undefined,
  },
  choices: {
    enter: async ({ choice }, value = [], { choices }) => {
      for (const one of choices) await choice(one).setChecked((value as string[]).includes(one));
    },
    read: async ({ chosen }) => {
      const all = await chosen();
      return all.length > 0 ? all : undefined;
    },
  },
  texts: {
    // Typed, because the field must keep the line that the user has begun.
    enter: async ({ input }, value = []) => {
      await input.fill('');
      await input.pressSequentially((value as string[]).join('\n'));
    },
    read: async ({ input }) => {
      const text = await input.inputValue();
      return text === '' ? undefined : text.split('\n');
    },
  },
};

function placeOf(page: Page, name: SettingName): Place {
  const { label } = settingTexts[name];
  const group = page.getByRole('group', { name: label, exact: true });
  return {
    input: field(page, label),
    choice: (value) => group.locator(`[value=${JSON.stringify(String(value))}]`),
    chosen: () =>
      group.locator(':checked').evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? '')),
  };
}

export async function enterSettings(page: Page, values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const name of settingNames)
    await withControl(name, (control, setting) => control.enter(placeOf(page, name), values[name], setting));
}

export async function expectFormShows(page: Page, values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const name of settingNames)
    await withControl(name, async ({ read }, setting) =>
      expect({ [name]: await read(placeOf(page, name), setting) }).toEqual({ [name]: values[name] }),
    );
}

/** If the action fails, the message begins with the place of the control. */
async function withControl(
  name: SettingName,
  act: (control: Control<Kind>, setting: Setting) => Promise<void>,
): Promise<void> {
  const setting = settingOf(name);
  try {
    await act(controls[setting.kind] as Control<Kind>, setting);
  } catch (error) {
    const remedy = `See the control for the kind "${setting.kind}" in web/console/dogs/SettingsFields.tsx.`;
    withRemedy(remedy, () => {
      throw error;
    });
  }
}

/**
 * Presses the button of the form that sends a PUT.
 *
 * @throws Error with the form's errors, the request and the response, if the browser sends none or the service refuses it
 */
export async function submit(page: Page, name: string): Promise<void> {
  const form = page.locator('form', { has: button(page, name) });
  const isValid = (await form.locator(':invalid').count()) === 0;
  const [response] = await Promise.all([
    isValid ? page.waitForResponse((one) => one.request().method() === 'PUT') : undefined,
    button(page, name).click(),
  ]);
  if (response?.ok()) return;
  const errors = form.locator('.field:has(.field-error, :invalid), [role=alert]');
  await errors.first().waitFor();
  const shown = await Promise.all((await errors.all()).map(shownIn));
  const lines = [
    ...shown.map((text) => `The form shows: ${text.replaceAll('\n', ' ')}`),
    ...(response
      ? [
          `Request: ${response.request().postData()}`,
          `Response: ${response.status()} ${await response.text()}`,
        ]
      : ['The browser sent no request.']),
    'See web/console/dogs/SettingsFields.tsx for the form, and lambdas/domain/dogs/schema.ts for the rules.',
  ];
  throw new Error(lines.join('\n'));
}
