/** A process that counts events and hangs between writing its effect and committing it, waiting to be killed. */
import { DataSource } from 'typeorm';
import { Database, dataSourceOptions } from '../../dist/libs/database/src/index.js';
import { EventStore, Reactions } from '../../dist/libs/event-store/src/index.js';

const [settings, batchesBefore] = process.argv.slice(2);
const dataSource = await new DataSource(
  dataSourceOptions({ ...JSON.parse(settings), poolSize: 5 }, []),
).initialize();
const database = new Database(dataSource);
const reactions = new Reactions(database, new EventStore(database));
let batches = 0;
reactions.register(
  {
    name: 'tally',
    tables: ['public.tally'],
    async handle(transaction, events) {
      await transaction.query('UPDATE tally SET events = events + $1', [events.length]);
      batches += 1;
      if (batches > Number(batchesBefore)) {
        process.stdout.write('written');
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      }
    },
  },
  { batchSize: 10, leaseMs: 300 },
);
reactions.start();
