import { refusedRequests } from './refused/groups.ts';
import { testCases } from './refused/test-cases.ts';

testCases(refusedRequests);
