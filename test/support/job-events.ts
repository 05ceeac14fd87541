import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { Dog } from '../../lambdas/domain/dogs/dog.ts';
import { sampleEvent } from '../../tools/invocation.ts';

export function removalOf({ id, incarnation, schedule }: Dog): DynamoDBStreamEvent {
  const OldImage = {
    id: { S: id },
    incarnation: { S: incarnation },
    ...(schedule && { schedule: { M: { scheduleId: { S: schedule.scheduleId } } } }),
  };
  return { Records: [{ dynamodb: { OldImage } }] };
}

export function bounceOf({ id, incarnation }: Pick<Dog, 'id' | 'incarnation'>, emailAddress: string) {
  const { detail } = sampleEvent<{ detail: { bounce: { timestamp: string } } }>('SuspendAddress');
  const bounce = { ...detail.bounce, bouncedRecipients: [{ emailAddress }] };
  return { detail: { bounce, mail: { tags: { dog: [id], incarnation: [incarnation] } } } };
}
