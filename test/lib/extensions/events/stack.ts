import { otherSettings } from '../../../support/other-settings.ts';
import { synthesizeWith } from '../../../support/stack-template.ts';

const other = synthesizeWith(otherSettings);

test('the events come from the streams of both tables', () => {
  const streams = other
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter(({ path }) => path.startsWith('Events/'))
    .map(({ properties }) => properties.EventSourceArn);
  expect(streams).toEqual(['<Tables/Dogs.StreamArn>', '<Tables/Barks.StreamArn>']);
});
