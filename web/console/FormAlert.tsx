import type { ComponentChildren } from 'preact';
import { Alert } from '../shared/ui/Alert.tsx';

interface FormAlertProps {
  readonly reasons: readonly string[];
  readonly children?: ComponentChildren;
}

/** Shows the reasons for a failure that belong to no form field. */
export function FormAlert({ reasons, children }: FormAlertProps) {
  if (reasons.length === 0) return null;
  return (
    <Alert kind="bad">
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {children}
    </Alert>
  );
}
