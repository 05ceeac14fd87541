import { channel } from 'node:diagnostics_channel';

export interface RequestActivity {
  readonly type: 'request';
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** API Gateway's extended request ID. */
  readonly requestId: string;
  /** Undefined if the gateway responded without invoking a function. */
  readonly functionName?: string | undefined;
  /** The authorizer's `principalId`. Undefined if no authorizer allowed the request. */
  readonly user?: string | undefined;
  readonly location?: string | undefined;
  readonly detail?: string | undefined;
}

export interface LogActivity {
  readonly type: 'log';
  readonly functionName: string;
  /** The `requestId` of the `RequestActivity` that follows. Undefined if the text does not belong to a pending request. */
  readonly requestId?: string | undefined;
  readonly text: string;
}

/** An event that `npm start` can show. */
export type Activity =
  | RequestActivity
  | LogActivity
  | { readonly type: 'coldStart'; readonly functionName: string; readonly durationMs: number }
  /** The scheduler delivered an occurrence. `scheduledAt` is in ISO 8601. `input` is the target's parsed input. */
  | {
      readonly type: 'occurrence';
      readonly schedule: string;
      readonly scheduledAt: string;
      readonly input: unknown;
    }
  /** An asynchronous invocation ended. If it failed, `error` is the message, and the queue may try again. */
  | {
      readonly type: 'invocation';
      readonly functionName: string;
      readonly event: unknown;
      readonly error?: string;
    }
  | {
      readonly type: 'mail';
      readonly messageId: string;
      readonly to: readonly string[];
      readonly subject: string;
    }
  /** An execution entered a state, or ended (`state` is then its status). `input` and `output` are the execution's, parsed. */
  | {
      readonly type: 'workflow';
      readonly execution: string;
      readonly state: string;
      readonly input: unknown;
      readonly output?: unknown;
    }
  /** PutEvents accepted an event. `detail` is parsed. */
  | {
      readonly type: 'event';
      readonly source: string;
      readonly detailType: string;
      readonly detail: unknown;
    }
  /** The service now runs the changed code. `changed` lists the names of the changed resources. */
  | { readonly type: 'reload'; readonly changed: readonly string[]; readonly durationMs: number }
  /** The changed code cannot run, so the service still runs the previous code. */
  | { readonly type: 'reloadError'; readonly text: string }
  | { readonly type: 'message'; readonly text: string };

const activities = channel('local-cloud:activity');

/** Returns true if there is a listener. */
export function report(activity: Activity): boolean {
  activities.publish(activity);
  return activities.hasSubscribers;
}

/** Returns a function that removes the listener. */
export function onActivity(listener: (activity: Activity) => void): () => void {
  const subscriber = (activity: unknown) => listener(activity as Activity);
  activities.subscribe(subscriber);
  return () => activities.unsubscribe(subscriber);
}
