import { refusedRequests } from './refused/groups.ts';
import { testCases } from './refused/test-cases.ts';

testCases(refusedRequests);

test('Each refusal states its reason', () => {
  const cases = refusedRequests(0).flatMap((group) => group.cases);
  const unexplained = cases.filter(
    ({ request, detail, errors = {} }) =>
      !request.startsWith('HEAD ') && !detail && Object.keys(errors).length < 2,
  );
  expect(unexplained).toEqual([]);
});
