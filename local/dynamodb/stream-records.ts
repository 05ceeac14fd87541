import { DatabaseSync } from 'node:sqlite';

/** DynamoDB keeps stream records for a day. */
const retentionSeconds = 24 * 60 * 60;

/** Limited, because the deletion blocks the local cloud's process. */
const maximumDeletions = 10_000;

export interface StreamPosition {
  readonly tableName: string;
  readonly shardId: string;
  readonly sequenceNumber: string;
}

/** Without the index, each write to a table with a stream would read all previous stream records to number the next one. */
export function indexStreams(file: string): void {
  withStore(file, (store) =>
    store.exec(
      'CREATE INDEX IF NOT EXISTS _stream_records_in_order' +
        ' ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    ),
  );
}

/**
 * Deletes stream records that are before a position and older than a day, which the embedded database never does. Keeps the
 * record at the position, because the database derives the next record's sequence number from the last one.
 */
export function trimStream(file: string, { tableName, shardId, sequenceNumber }: StreamPosition): void {
  withStore(file, (store) =>
    store
      .prepare(
        `DELETE FROM _stream_records WHERE created_at < ? AND id IN (
          SELECT id FROM _stream_records
          WHERE table_name = ? AND shard_id = ? AND CAST(sequence_number AS INTEGER) < CAST(? AS INTEGER)
          ORDER BY CAST(sequence_number AS INTEGER) LIMIT ?)`,
      )
      .run(Date.now() / 1000 - retentionSeconds, tableName, shardId, sequenceNumber, maximumDeletions),
  );
}

function withStore(file: string, work: (store: DatabaseSync) => unknown): void {
  const store = new DatabaseSync(file, { timeout: 3_000 });
  try {
    work(store);
  } finally {
    store.close();
  }
}
