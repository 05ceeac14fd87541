import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Dog } from '../../../client/index.ts';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { succeeded } from '../../shared/http/exchange.ts';
import { replaceDog } from '../../shared/http/requests.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { useAction } from '../actions.ts';
import { FormAlert } from '../FormAlert.tsx';
import { useFormErrors } from '../use-form-errors.ts';
import { MergeForm, type Sides } from './MergeForm.tsx';
import { SettingsFields } from './SettingsFields.tsx';
import { fieldNames, newDogOf, type Settings, settingsErrors, textOf } from './settings.ts';
import { isSameSettings, withFields } from './settings-merge.ts';
import { useSettings } from './use-settings.ts';

interface DogSettingsProps {
  readonly dog: Dog;
  /** The entity tag of `dog`. */
  readonly tag: string | undefined;
  readonly reload: () => void;
}

/** A request that the service refused because the dog had changed. */
interface Refusal {
  /** The settings on which the request was based. */
  readonly basis: Settings;
  readonly tag: string | undefined;
}

export function DogSettings({ dog, tag, reload }: DogSettingsProps) {
  const edited = useSettings(dog, tag);
  const { merged, conflicts, theirs } = edited;
  const [isGuarded, setGuarded] = useState(true);
  const [refusal, setRefusal] = useState<Refusal>();
  const [sides, setSides] = useState<Sides>();
  const action = useAction();
  const errors = useFormErrors(fieldNames, settingsErrors(merged, theirs));
  const settings = sides
    ? withFields(
        merged,
        theirs,
        conflicts.filter((name) => sides[name] === 'theirs'),
      )
    : merged;
  const matched = sides ? tag : edited.tag;
  const request = replaceDog(dog.id, newDogOf(settings), isGuarded ? matched : undefined);
  const isBusy = action.isSending || edited.isStale;
  const send = async () => {
    if (edited.isStale) return;
    const exchange = await action.run(request);
    if (!exchange) return;
    setRefusal(undefined);
    setSides(undefined);
    if (exchange.response?.status === 412)
      setRefusal({ basis: conflicts.length > 0 && !sides ? edited.base : theirs, tag: matched });
    else errors.show(exchange);
    if (succeeded(exchange)) edited.saved(settings);
    reload();
  };
  const forget = () => {
    edited.reset();
    setRefusal(undefined);
    setSides(undefined);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!sides && errors.check()) void send();
  };
  // The focused button can disappear along with the refusal.
  const wasRefused = useRef(false);
  useLayoutEffect(() => {
    if (wasRefused.current && document.activeElement === document.body)
      errors.form.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
    wasRefused.current = refusal !== undefined;
  }, [refusal]);
  const resolve = (name: string, side: 'mine' | 'theirs', button: HTMLElement) => {
    // The button is about to disappear, so focus moves to the field above it.
    button.closest('.alert')?.previousElementSibling?.querySelector('input')?.focus();
    edited.resolve(name, side);
  };
  const note = (name: string) => (
    <Alert kind="info">
      <p>
        Current value: <code>{textOf(theirs, name)}</code>
      </p>
      <div class="row">
        <Button kind="small" onClick={({ currentTarget }) => resolve(name, 'theirs', currentTarget)}>
          Use this value
        </Button>
        <Button kind="small" onClick={({ currentTarget }) => resolve(name, 'mine', currentTarget)}>
          Keep my value
        </Button>
      </div>
    </Alert>
  );
  return (
    <Card
      title="Settings"
      beside={<ExchangePanel request={request} exchange={action.exchange} isSending={action.isSending} />}
    >
      <form ref={errors.form} noValidate onSubmit={submit}>
        <SettingsFields
          settings={merged}
          errors={errors}
          onChange={edited.set}
          notes={sides ? {} : Object.fromEntries(conflicts.map((name) => [name, note(name)]))}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={isGuarded}
            onChange={({ currentTarget }) => setGuarded(currentTarget.checked)}
          />
          <span>
            Replace only if the dog has not changed
            <small>Adds an If-Match header, so the request cannot overwrite another client’s change.</small>
          </span>
        </label>
        {!sides && (
          <div class="row">
            <Button kind="main" type="submit" isBusy={isBusy}>
              Replace the settings
            </Button>
            {edited.isChanged && !refusal && <Button onClick={forget}>Discard my changes</Button>}
          </div>
        )}
      </form>
      {refusal ? (
        <RefusalAlert
          isRead={tag !== refusal.tag}
          hasSameSettings={isSameSettings(refusal.basis, theirs)}
          isMerging={sides !== undefined}
          sendAgain={send}
          reload={forget}
          merge={() => setSides({})}
        />
      ) : (
        <FormAlert reasons={errors.rest} />
      )}
      {sides && <MergeForm edited={edited} sides={sides} isBusy={isBusy} onChange={setSides} send={send} />}
      {action.exchange && succeeded(action.exchange) && !edited.isChanged && (
        <Alert kind="good">The service replaced the settings.</Alert>
      )}
    </Card>
  );
}

interface RefusalAlertProps {
  /** True if the page has read the dog since the service refused the request. */
  readonly isRead: boolean;
  /** True if the dog's settings are still those on which the request was based. */
  readonly hasSameSettings: boolean;
  readonly isMerging: boolean;
  readonly sendAgain: () => void;
  readonly reload: () => void;
  readonly merge: () => void;
}

function RefusalAlert(props: RefusalAlertProps) {
  const { isRead, hasSameSettings, isMerging, sendAgain, reload, merge } = props;
  if (!isRead) return <Alert kind="bad">The dog has changed. Loading the new version …</Alert>;
  if (hasSameSettings)
    return (
      <Alert kind="bad">
        <p>The dog has changed, for example because it has barked. Its settings are the same.</p>
        <div class="row">
          <Button onClick={sendAgain}>Send again with the new version</Button>
        </div>
      </Alert>
    );
  return (
    <Alert kind="bad">
      <p>Another client has changed the dog’s settings, so the service rejected your request.</p>
      <div class="row">
        {!isMerging && <Button onClick={merge}>Merge both changes</Button>}
        <Button onClick={reload}>Discard my changes and reload</Button>
      </div>
    </Alert>
  );
}
