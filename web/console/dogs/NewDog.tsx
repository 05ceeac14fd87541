import { useState } from 'preact/hooks';
import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { createDog } from '../../shared/http/requests.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { useAction } from '../actions.ts';
import { go, route } from '../router.ts';
import { dogAddress } from '../routes.ts';
import { succeeded } from '../succeeded.ts';
import { Card } from '../ui/Card.tsx';
import { Heading } from '../ui/Heading.tsx';
import { useFormErrors } from '../use-form-errors.ts';
import { SettingsFields } from './SettingsFields.tsx';
import { fieldNames, firstSettings, type Settings, withChanges } from './settings.ts';

/** @param id the form's initial ID. The view needs a different `key` for each one */
export function NewDog({ id: firstId }: { readonly id: string }) {
  const [id, setId] = useState(firstId);
  const [changes, setChanges] = useState<Settings>({});
  const { exchange, isSending, run } = useAction();
  const errors = useFormErrors(exchange, fieldNames);
  const request = createDog(id, withChanges(firstSettings, changes));
  const exists = exchange?.response?.status === 412;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const result = await run(request);
    // The user may have opened another view during the request.
    if (!result || !succeeded(result) || route.peek().view !== 'new') return;
    go(dogAddress(id), { title: `${id} was created`, exchange: result });
  };
  return (
    <div class="page">
      <Heading>New dog</Heading>
      <Card
        title="Settings"
        beside={<ExchangePanel request={request} exchange={exchange} isSending={isSending} />}
      >
        <form ref={errors.form} onSubmit={submit}>
          <TextField
            label="ID"
            hint="1 to 40 letters, digits, hyphens or underscores. The ID becomes part of the URL."
            required
            pattern="[\w\-]{1,40}"
            title="1 to 40 letters, digits, hyphens or underscores"
            value={id}
            onText={setId}
          />
          <SettingsFields
            settings={{ ...firstSettings, ...changes }}
            errors={errors}
            onChange={(name, value) => setChanges({ ...changes, [name]: value })}
          />
          <div class="row">
            <Button kind="main" type="submit" isBusy={isSending}>
              Create the dog
            </Button>
          </div>
          {errors.rest && (
            <Alert kind="bad">
              {exists ? 'This dog already exists. ' : errors.rest}
              {exists && <a href={exchange.request.path.replace(/^\/v1\/(.*)\/$/, '#$1')}>Open it.</a>}
            </Alert>
          )}
        </form>
      </Card>
    </div>
  );
}
