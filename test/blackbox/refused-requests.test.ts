import { refusedCredentials } from '../cases/credentials.ts';
import { testCases } from '../cases/driver.ts';
import { refusedRequests } from '../cases/groups.ts';
import { access, service, testDogs, timeOfService } from './support.ts';

testCases(
  {
    driver: 'over HTTP',
    baseUrl: service.baseUrl,
    send: (method, path, request) => service.send(method, path, request),
    newPath: () => testDogs.newPath(),
    now: timeOfService,
  },
  (now) => [...refusedRequests(now), ...refusedCredentials(access)],
);
