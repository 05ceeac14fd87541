import type { Dog } from '../dogs/dog.ts';
import { isLive, type Schedule } from '../dogs/schedule.ts';
import type { DomainEvent, EventData, SettingsData } from './event.ts';
import type { ItemChange } from './item-change.ts';

/** A bark changes the dog, but the bark's event comes from the barks table. */
export function dogEventsOf({ before, after }: ItemChange): DomainEvent[] {
  const [old, current] = [before, after] as unknown as [Dog | undefined, Dog | undefined];
  if (old && current && old.incarnation === current.incarnation)
    return [...settingsEvents(old, current), ...scheduleEvents(old, current)];
  return [...(old ? removalEvents(old) : []), ...(current ? creationEvents(current) : [])];
}

function creationEvents(dog: Dog): DomainEvent[] {
  const created = {
    id: `${dog.incarnation}.created`,
    type: 'dogs.dog.created',
    data: settingsOf(dog),
  } as const;
  // A dog that a restore brings back can have a schedule.
  return [created, ...scheduleEvents(undefined, dog)];
}

function removalEvents(dog: Dog): DomainEvent[] {
  const { id, incarnation, barkCount } = dog;
  const deleted = {
    id: `${incarnation}.deleted`,
    type: 'dogs.dog.deleted',
    data: { dog: id, barkCount },
  } as const;
  const ended = dog.schedule && isLive(dog) ? [endOf(dog, dog.schedule, 'dog-deleted')] : [];
  return [...ended, deleted];
}

function settingsEvents(old: Dog, current: Dog): DomainEvent[] {
  if (old.settingsChange === current.settingsChange) return [];
  return [{ id: `${current.settingsChange}.changed`, type: 'dogs.dog.changed', data: settingsOf(current) }];
}

/** The type makes the compiler ask for optional settings, too. */
function settingsOf({ id, settings }: Dog): SettingsData {
  const { barkEffects, barkHandling } = settings;
  const data: { [Name in keyof Required<SettingsData>]: SettingsData[Name] } = {
    dog: id,
    barkEffects,
    barkHandling,
  };
  return data;
}

function scheduleEvents(old: Dog | undefined, current: Dog): DomainEvent[] {
  const { schedule } = current;
  if (!schedule) return [];
  const isNew = schedule.scheduleId !== old?.schedule?.scheduleId;
  const wasLive = isNew || (old !== undefined && isLive(old));
  const ended =
    wasLive && !isLive(current)
      ? [endOf(current, schedule, schedule.ended ? 'request' : 'last-occurrence')]
      : [];
  return [...(isNew ? [startOf(current, schedule, old)] : []), ...ended];
}

function startOf({ id }: Dog, { scheduleId, start, frequency }: Schedule, old: Dog | undefined): DomainEvent {
  const data = { dog: id, schedule: scheduleId, start, frequency };
  const event = `${scheduleId}.set`;
  return old?.schedule && isLive(old)
    ? { id: event, type: 'dogs.schedule.replaced', data: { ...data, replaced: old.schedule.scheduleId } }
    : { id: event, type: 'dogs.schedule.set', data };
}

function endOf(
  { id }: Dog,
  { scheduleId }: Schedule,
  reason: EventData['dogs.schedule.ended']['reason'],
): DomainEvent {
  return {
    id: `${scheduleId}.ended`,
    type: 'dogs.schedule.ended',
    data: { dog: id, schedule: scheduleId, reason },
  };
}
