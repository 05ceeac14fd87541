import type { Locator, Page } from 'playwright-core';
import {
  mapSettings,
  type SettingName,
  settingNames,
  settingOf,
  settingTexts,
} from '../../lambdas/contract/dog-settings.ts';
import { dogAt } from '../support/client.ts';
import { button, cardOf, describeInBrowser, field, shownIn, stage } from './support.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns the checkboxes or radio buttons of a setting. */
const choiceOf = (page: Page, name: SettingName, choice: string): Locator =>
  page
    .getByRole('group', { name: settingTexts[name].label, exact: true })
    .locator(`[value=${JSON.stringify(choice)}]`);

/** Returns a value for each setting that differs from the dog's value. */
function otherValues(dog: Values): Record<SettingName, unknown> {
  return mapSettings((name) => {
    const setting = settingOf(name);
    if (setting.kind === 'switch') return dog[name] !== true;
    if (setting.kind === 'choice') return setting.choices.find((choice) => choice !== dog[name]);
    return settingTexts[name].example;
  });
}

async function enterValue(page: Page, name: SettingName, value: unknown): Promise<void> {
  const setting = settingOf(name);
  if (setting.kind === 'text') await field(page, settingTexts[name].label).fill(String(value));
  if (setting.kind === 'choice') await choiceOf(page, name, String(value)).check();
  if (setting.kind === 'switch') await choiceOf(page, name, 'true').setChecked(value === true);
  if (setting.kind === 'list')
    for (const choice of setting.choices)
      await choiceOf(page, name, choice).setChecked((value as string[]).includes(choice));
}

/** Returns the value that the form shows. */
async function shownValue(page: Page, name: SettingName): Promise<unknown> {
  const setting = settingOf(name);
  if (setting.kind === 'text') return field(page, settingTexts[name].label).inputValue();
  if (setting.kind === 'switch') return choiceOf(page, name, 'true').isChecked();
  const chosen: string[] = [];
  for (const choice of setting.choices)
    if (await choiceOf(page, name, choice).isChecked()) chosen.push(choice);
  return setting.kind === 'list' ? chosen : chosen[0];
}

describeInBrowser('Each setting of a dog in the console', () => {
  const valuesAt = async (id: string) => ({ ...(await dogAt(stage.client, `/v1/dogs/${id}/`)) }) as Values;

  test('can be given to a new dog, which the form then shows, and replaced', async () => {
    await stage.newDog('sally', {});
    const values = otherValues(await valuesAt('sally'));
    await stage.client.delete('/v1/dogs/sally/');
    const page = await stage.enter('#new?id=sally');
    for (const name of settingNames) await enterValue(page, name, values[name]);
    await button(page, 'Create the dog').click();
    await page.getByText('sally was created').first().waitFor();
    expect(await valuesAt('sally')).toMatchObject(values);
    const facts = await shownIn(page.locator('.facts'));
    for (const name of settingNames.filter((one) => !('format' in settingOf(one))))
      expect(facts).toContain([values[name]].flat().join(', '));
    await page.getByRole('link', { name: 'Settings' }).click();
    await button(page, 'Replace the settings').waitFor();
    const shown = await Promise.all(settingNames.map(async (name) => [name, await shownValue(page, name)]));
    expect(shown).toEqual(settingNames.map((name) => [name, values[name]]));

    const others = otherValues(values);
    for (const name of settingNames) await enterValue(page, name, others[name]);
    await button(page, 'Replace the settings').click();
    await page.getByText('The service replaced the settings.').waitFor();
    const replaced = cardOf(page, 'Settings').locator('.exchange', { hasNotText: 'not sent yet' });
    expect(await shownIn(replaced)).toMatch(/204 No Content[\s\S]*If-Match: "/);
    expect(await valuesAt('sally')).toMatchObject(others);
  });
});
