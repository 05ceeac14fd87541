import { dogId as domainDogId } from '../../../../lambdas/domain/dogs/dog.ts';
import { dogId } from '../../../../web/console/dogs/dog-id.ts';

test('dogId is the pattern of the service', () => {
  expect(dogId).toEqual(domainDogId);
});
