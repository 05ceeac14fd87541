import type { Properties, Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import type { SchedulerApi } from './api.ts';
import type { ScheduleRequest } from './definition.ts';
import type { ScheduleStore } from './store.ts';

/**
 * Deletes the schedules that are no longer in the template, creates new ones, and replaces those whose definition has changed. An
 * unchanged schedule keeps the time of its next occurrence. Call this in a transaction.
 *
 * @throws Error with the logical ID of the schedule if its definition is invalid, or if its name is taken
 */
export function deploySchedules(template: Template, store: ScheduleStore, api: SchedulerApi): void {
  const deployed = new Set(store.deployedDefinitions());
  const current = new Map(
    template
      .ofType('AWS::Scheduler::Schedule')
      .map((resource) => [definitionOf(resource, template.idOf(resource)), resource.logicalId]),
  );
  for (const definition of deployed) if (!current.has(definition)) remove(definition, store);
  for (const [definition, logicalId] of current)
    if (!deployed.has(definition)) {
      create(definition, logicalId, api);
      store.addDeployedDefinition(definition);
    }
}

function remove(definition: string, store: ScheduleStore): void {
  const { GroupName: groupName, Name: name } = JSON.parse(definition);
  store.remove({ groupName, name });
  store.removeDeployedDefinition(definition);
}

function create(definition: string, logicalId: string, api: SchedulerApi): void {
  const { Name, ...properties } = JSON.parse(definition);
  try {
    api.create(Name, requestOf(properties));
  } catch (cause) {
    throw new Error(`${logicalId}: ${(cause as Error).message}`, { cause });
  }
}

/** The schedule's properties and name, as JSON. */
function definitionOf({ properties }: Resource, Name: string): string {
  return JSON.stringify({ GroupName: 'default', ...properties, Name });
}

/** Converts the template's StartDate from text to Unix seconds. */
function requestOf({ StartDate, ...request }: Properties): ScheduleRequest {
  return { ...request, ...(StartDate !== undefined && { StartDate: Date.parse(StartDate) / 1000 }) };
}
