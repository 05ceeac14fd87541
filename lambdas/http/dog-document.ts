import type * as v from 'valibot';
import { DogPutDocument, storedDogDocument } from '../domain/dogs/schema.ts';
import { validate } from './json-body.ts';

interface ParsedDog {
  readonly document: v.InferOutput<typeof DogPutDocument>;
  readonly invalid?: Error;
}

/**
 * Returns the problem for an address that only version 1.1.0 accepted, instead of throwing it, because a dog that has the address
 * may keep it.
 *
 * @throws Problem 422 with every error in the document
 */
export function parsedDog(body: unknown): ParsedDog {
  try {
    return { document: validate(DogPutDocument, body) };
  } catch (error) {
    try {
      return { document: validate(storedDogDocument(), body), invalid: error as Error };
    } catch {
      throw error;
    }
  }
}
