import { channel } from 'node:diagnostics_channel';

export interface RequestActivity {
  readonly type: 'request';
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The `X-Request-Id` of the response. */
  readonly requestId: string;
  /** The function that the route invoked. Undefined if the gateway responded without invoking a function. */
  readonly functionName?: string | undefined;
  /** The `principalId` that the authorizer returned. Undefined without an authorizer, or if the authorizer denied the request. */
  readonly user?: string | undefined;
  readonly location?: string | undefined;
  readonly detail?: string | undefined;
}

export interface LogActivity {
  readonly type: 'log';
  readonly functionName: string;
  /** The `requestId` of the `RequestActivity` that follows. Undefined if no pending request caused the invocation. */
  readonly requestId?: string | undefined;
  readonly text: string;
}

/** An event in the local cloud that `npm start` can show to a developer. */
export type Activity =
  | RequestActivity
  | LogActivity
  | { readonly type: 'coldStart'; readonly functionName: string; readonly durationMs: number }
  /** The scheduler delivered an occurrence. `scheduledAt` is in ISO 8601. `input` is the parsed input of the target. */
  | {
      readonly type: 'occurrence';
      readonly schedule: string;
      readonly scheduledAt: string;
      readonly input: unknown;
    }
  /** An asynchronous invocation ended. If it failed, `error` is the error message. The queue may try again. */
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
  /**
   * An execution entered a state, or ended with a status. `input` is the parsed input of the execution. If the execution
   * succeeded, `output` is its parsed output.
   */
  | {
      readonly type: 'workflow';
      readonly execution: string;
      readonly state: string;
      readonly input: unknown;
      readonly output?: unknown;
    }
  /** EventBridge accepted an event. `detail` is the parsed detail. */
  | {
      readonly type: 'event';
      readonly source: string;
      readonly detailType: string;
      readonly detail: unknown;
    }
  /** The service now runs the changed code. `changed` lists the names of the resources that changed. */
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
