import { refusedCredentials } from '../cases/credentials.ts';
import { testCases } from '../cases/driver.ts';
import { refusedRequests } from '../cases/groups.ts';
import { access, service, testDogs, timeOfService } from './support.ts';

testCases(
  {
    driver: 'over HTTP',
    baseUrl: service.baseUrl,
    send: (method, path, { fields, body } = {}) => service.send(method, path, { fields, body }),
    newPath: () => testDogs.newPath(),
    now: timeOfService,
  },
  (now) => [...refusedRequests(now), ...refusedCredentials(access)],
);
