import { formTexts, mapSettings, type SettingValues } from '../lambdas/contract/dog-settings.ts';
import { exampleUrl } from './example-url.ts';

/** Values that several examples in the API description share. All resources belong to the dog "rex". */

export const service = exampleUrl;

export const urls = {
  dog: `${service}/v1/dogs/rex/`,
  recorded: `${service}/v1/dogs/rex/barks/s01M7XTJQRGHZ3MM2X05VM3ARQN`,
  accepted: `${service}/v1/dogs/rex/barks/a01M7XTJQRGHZ3MM2X05VM3ARQN`,
};

export const settings = mapSettings((name) => formTexts[name].example) as SettingValues;
const { barkEffects, barkHandling, ...others } = settings;

const listed = { id: 'rex', ...others, barkCount: 2, barkEffects, barkHandling };

export const dogs = {
  listed,
  created: { ...listed, barkCount: 0, barking: false },
  /** A dog that has barked twice, and is scheduled to bark every ten minutes. */
  scheduled: {
    ...listed,
    barking: false,
    barks: { previous: [1795233776, 1795234376], next: 1795234976, frequency: 10 },
  },
};

/** The time in the ULIDs of the bark URLs above, in Unix seconds. */
const timestamp = 1795223543;

export const lastBark = { timestamp };

/** A time that is valid in requests until the year 2033. */
export const later = 2_000_000_000;

const bark = { dog: urls.dog, timestamp };
const recordedId = urls.recorded.split('/').at(-1);
const acceptedId = urls.accepted.split('/').at(-1);

export const barks = {
  recorded: { id: recordedId, ...bark, status: 'complete' },
  pending: { id: acceptedId, ...bark, timestamp: null, status: 'pending' },
  complete: { id: acceptedId, ...bark, status: 'complete' },
  unrecorded: { ...bark, status: 'complete' },
  cancelled: { id: acceptedId, ...bark, timestamp: null, status: 'cancelled' },
  failed: {
    id: acceptedId,
    ...bark,
    timestamp: null,
    status: 'failed',
    reason: 'The bark was not performed in time.',
  },
};

/** The body of a 202 response to a client that does not prefer JSON. */
export const acceptedPage = `<!doctype html>\n<title>Bark accepted</title>\n<p>The dog will bark. <a href="${urls.accepted}">Check the status of the bark</a>.</p>\n`;
