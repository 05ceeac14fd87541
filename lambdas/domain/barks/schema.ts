import * as v from 'valibot';
import { documentOf, unicodeText } from '../platform/document.ts';

export const BarkDocument = documentOf({
  message: v.optional(
    unicodeText(1000, {
      description: 'The text of the mail that the bark sends: Unicode without unpaired surrogates.',
    }),
  ),
});
