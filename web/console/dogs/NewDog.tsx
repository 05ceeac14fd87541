import { ExchangePanel } from '../../shared/http/ExchangePanel.tsx';
import { succeeded } from '../../shared/http/exchange.ts';
import { createDog } from '../../shared/http/requests.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { Heading } from '../../shared/ui/Heading.tsx';
import { useAction } from '../actions.ts';
import { useDraft } from '../drafts.ts';
import { FormAlert } from '../FormAlert.tsx';
import { notify } from '../notice.ts';
import { go, route } from '../router.ts';
import { dogAddress } from '../routes.ts';
import { useFormErrors } from '../use-form-errors.ts';
import { SettingsFields } from './SettingsFields.tsx';
import { fieldNames, firstSettings, idError, newDogOf, settingsErrors } from './settings.ts';
import { withFields } from './settings-merge.ts';

interface NewDogProps {
  /** The form's initial ID, which also names its draft. The view therefore needs a different `key` for each ID. */
  readonly id: string;
}

export function NewDog({ id }: NewDogProps) {
  return (
    <>
      <Heading>New dog</Heading>
      <NewDogForm id={id} />
    </>
  );
}

function NewDogForm({ id: firstId }: NewDogProps) {
  const { fields, set, clear } = useDraft(`new dog ${firstId}`, { ...firstSettings, id: firstId });
  const { id } = fields;
  const action = useAction();
  const errors = useFormErrors(['id', ...fieldNames], { id: idError(id), ...settingsErrors(fields) });
  const request = createDog(id, newDogOf(withFields(firstSettings, fields, fieldNames)));
  const existing = action.exchange?.response?.status === 412 ? action.exchange.request.path : undefined;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!errors.check()) return;
    const exchange = await action.run(request);
    if (!exchange) return;
    if (!succeeded(exchange)) return errors.show(exchange);
    clear();
    // The user may have opened another view during the request.
    if (route.peek().view !== 'new') return;
    notify(`${id} was created`, exchange);
    go(dogAddress(id));
  };
  return (
    <Card
      title="Settings"
      beside={<ExchangePanel request={request} exchange={action.exchange} isSending={action.isSending} />}
    >
      <form ref={errors.form} noValidate onSubmit={submit}>
        <Field
          label="ID"
          hint="1 to 40 letters, digits, hyphens or underscores. The ID becomes part of the URL."
          error={errors.errors.id}
        >
          {(attributes) => (
            <input
              {...attributes}
              value={id}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              onInput={({ currentTarget }) => {
                set({ id: currentTarget.value });
                errors.changed('id');
              }}
              onBlur={(event) => errors.left('id', event)}
            />
          )}
        </Field>
        <SettingsFields settings={fields} errors={errors} onChange={set} />
        <div class="row">
          <Button kind="main" type="submit" isBusy={action.isSending}>
            Create the dog
          </Button>
        </div>
        {existing === undefined ? (
          <FormAlert reasons={errors.rest} />
        ) : (
          existing === request.path && (
            <Alert kind="bad">
              A dog named {id} already exists. <a href={dogAddress(id)}>Open it.</a>
            </Alert>
          )
        )}
      </form>
    </Card>
  );
}
