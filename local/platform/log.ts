import { report } from './activity.ts';

/** Reports a message as an activity. If no activity listener exists, writes the message to the standard output. */
export function log(text: string): void {
  if (!report({ type: 'message', text })) console.log(text);
}
