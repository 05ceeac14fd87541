/** The database without the rest of the local cloud, for tests. */
export { HttpDatabase } from '../testing/http-database.ts';
export { ItemReader, type ReadRequest } from './item-reader.ts';
export { createTables } from './tables.ts';
