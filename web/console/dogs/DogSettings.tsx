import { useState } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import type { SettingName } from '../../../lambdas/contract/dog-settings.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { useAction } from '../actions.ts';
import { openDog, readDog } from '../live/open-dog.ts';
import { replaceDog } from '../requests.ts';
import { succeeded } from '../succeeded.ts';
import { Card } from '../ui/Card.tsx';
import { useFormErrors } from '../use-form-errors.ts';
import { SettingsFields } from './SettingsFields.tsx';
import { fieldNames, type Settings, settingsOf, textOf, withChanges } from './settings.ts';
import { type Changes, change, conflictsOf, valuesOf, without } from './settings-changes.ts';

interface DogSettingsProps {
  readonly dog: Dog;
  /** The entity tag of `dog`. */
  readonly tag: string | undefined;
}

/** The fields that the user has changed are laid over the dog as the console last read it. */
export function DogSettings({ dog, tag }: DogSettingsProps) {
  const [changes, setChanges] = useState<Changes>({});
  const [isBusy, setBusy] = useState(false);
  const action = useAction();
  const { exchange, isSending } = action;
  const errors = useFormErrors(exchange, fieldNames);
  const stored = settingsOf(dog);
  const conflicts = conflictsOf(changes, stored);
  const values = valuesOf(changes);
  const request = (settings: Settings, current?: string) =>
    replaceDog(dog.id, withChanges(settings, values), current);
  const isChanged = Object.keys(changes).length > 0;

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    await replace();
    setBusy(false);
  };
  const replace = async () => {
    // Another client may have changed the dog since the last read.
    await readDog();
    const { dog: current = dog, tag: currentTag } = openDog.peek() ?? {};
    const settings = settingsOf(current);
    if (conflictsOf(changes, settings).length > 0) return;
    const result = await action.run(request(settings, currentTag));
    await readDog();
    // Keeps what the user has entered during the request.
    if (result && succeeded(result))
      setChanges((latest) => without(latest, (name) => latest[name] === changes[name]));
  };
  const set = (name: SettingName, value: unknown) => setChanges(change(changes, stored, name, value));
  const note = (name: SettingName) =>
    conflicts.includes(name) && (
      <Alert kind="info">
        <p>
          Another client has changed this field. The stored value is{' '}
          {stored[name] === undefined ? 'empty' : <code>{textOf(stored[name])}</code>}.
        </p>
        <div class="row">
          <Button
            kind="small"
            onClick={(event) => {
              focusField(event.currentTarget);
              setChanges(without(changes, (one) => one === name));
            }}
          >
            Use the stored value
          </Button>
          <Button
            kind="small"
            onClick={(event) => {
              focusField(event.currentTarget);
              setChanges({ ...changes, [name]: { from: stored[name], value: changes[name]?.value } });
            }}
          >
            Keep my value
          </Button>
        </div>
      </Alert>
    );
  return (
    <Card
      title="Settings"
      beside={<ExchangePanel request={request(stored, tag)} exchange={exchange} isSending={isSending} />}
    >
      <form ref={errors.form} onSubmit={submit}>
        <SettingsFields settings={{ ...stored, ...values }} errors={errors} onChange={set} note={note} />
        <div class="row">
          <Button kind="main" type="submit" isBusy={isBusy}>
            Replace the settings
          </Button>
          {isChanged && <Button onClick={() => setChanges({})}>Discard my changes</Button>}
        </div>
      </form>
      {conflicts.length > 0 && (
        <Alert kind="bad">Choose a value for each field that another client has changed.</Alert>
      )}
      {errors.rest && !isBusy && (
        <Alert kind="bad">
          {exchange?.response?.status === 412
            ? 'The dog has just changed. Replace the settings again.'
            : errors.rest}
        </Alert>
      )}
      {exchange && succeeded(exchange) && !isChanged && (
        <Alert kind="good">The service replaced the settings.</Alert>
      )}
    </Card>
  );
}

/** Focuses the field above a note whose button is about to disappear. */
function focusField(noteButton: HTMLElement): void {
  noteButton
    .closest('.alert')
    ?.previousElementSibling?.querySelector<HTMLElement>('input, textarea')
    ?.focus();
}
