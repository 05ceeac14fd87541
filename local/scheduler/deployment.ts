import type { Properties, Resource } from '../template/resource.ts';
import type { Template } from '../template/template.ts';
import type { SchedulerApi } from './api.ts';
import type { ScheduleRequest } from './definition.ts';
import type { ScheduleStore } from './store.ts';

/**
 * Deploys the schedules of the template: deletes those that the template no longer has, and creates the new ones. If the
 * definition of a schedule has changed, deletes the schedule and creates it again. An unchanged schedule keeps the time of its
 * next occurrence. Call this in a transaction.
 *
 * @throws Error with the logical ID of the schedule if its definition is invalid, or if a schedule with its name exists
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

/** Returns the properties and the name of a schedule, as JSON. */
function definitionOf({ properties }: Resource, Name: string): string {
  return JSON.stringify({ GroupName: 'default', ...properties, Name });
}

/** Returns the request that creates a schedule. Converts the StartDate of the template from text to Unix seconds. */
function requestOf({ StartDate, ...request }: Properties): ScheduleRequest {
  return { ...request, ...(StartDate !== undefined && { StartDate: Date.parse(StartDate) / 1000 }) };
}
