import { report } from './activity.ts';

/** Reports a message as an activity. Without a listener, writes it to standard output. */
export function log(text: string): void {
  if (!report({ type: 'message', text })) console.log(text);
}
