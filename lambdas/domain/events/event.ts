import type { DogSettings } from '../../contract/dog-settings.ts';

interface BarkData {
  readonly dog: string;
  readonly bark: string;
}

/** The times are in Unix seconds, the frequency in minutes. */
interface ScheduleData {
  readonly dog: string;
  readonly schedule: string;
  readonly start: number;
  readonly frequency: number | null;
}

/** Omits the settings that contain email addresses. */
export type SettingsData = { readonly dog: string } & Pick<DogSettings, 'barkEffects' | 'barkHandling'>;

/** The data of each event type. It contains no email addresses and no messages. */
export interface EventData {
  'dogs.bark.completed': BarkData & { readonly recorded: boolean; readonly timestamp: number };
  'dogs.bark.failed': BarkData & { readonly reason: string };
  'dogs.bark.cancelled': BarkData;
  'dogs.bark.mail-failed': BarkData & {
    readonly timestamp: number;
    readonly reason: 'not-sent' | 'limit-reached';
  };
  'dogs.schedule.set': ScheduleData;
  'dogs.schedule.replaced': ScheduleData & { readonly replaced: string };
  'dogs.schedule.ended': {
    readonly dog: string;
    readonly schedule: string;
    readonly reason: 'request' | 'last-occurrence' | 'dog-deleted';
  };
  'dogs.dog.created': SettingsData;
  'dogs.dog.changed': SettingsData;
  'dogs.dog.deleted': { readonly dog: string; readonly barkCount: number };
}

export type DomainEvent = {
  [Type in keyof EventData]: {
    readonly id: string;
    readonly type: Type;
    /** The ID of the bark that the event concerns, if the bark is or was a resource. */
    readonly resource?: string;
    readonly data: EventData[Type];
  };
}[keyof EventData];

/** The structured form of CloudEvents. `eventSchema` in `openapi/events.ts` describes it. */
export interface CloudEvent extends Pick<DomainEvent, 'id' | 'type' | 'data'> {
  readonly specversion: '1.0';
  readonly source: string;
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly dataschema: string;
  readonly sequence: string;
}
