import { report } from './activity.ts';

/** Reports a message as an activity. Writes it to the terminal if nothing listens. */
export function log(text: string): void {
  if (!report({ type: 'message', text })) console.log(text);
}
