import { DatabaseSync } from 'node:sqlite';

/** DynamoDB keeps stream records for a day, and loses those that are not read by then. A stopped service cannot read them. */
const retentionSeconds = 7 * 24 * 60 * 60;

/** Limited, because the deletion blocks the local cloud's process. */
const maximumDeletions = 10_000;

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
 * Deletes old stream records, which the embedded database never does. Keeps each table's last record, because the database derives
 * the next record's sequence number from it.
 */
export function trimStreams(file: string): void {
  withStore(file, (store) =>
    store
      .prepare(
        `DELETE FROM _stream_records WHERE id IN (
          SELECT id FROM _stream_records
          WHERE id < (SELECT id FROM _stream_records WHERE created_at >= ? ORDER BY id LIMIT 1)
            AND id NOT IN (SELECT MAX(id) FROM _stream_records GROUP BY table_name)
          LIMIT ?)`,
      )
      .run(Date.now() / 1000 - retentionSeconds, maximumDeletions),
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
