import { atMost, type Line } from '../support/line.js';
import { median } from '../support/measure.js';
import { OutsideWorld } from '../support/outside-world.js';
import { publishAtOnce, type Round } from '../support/publish-at-once.js';
import { Publishing } from '../support/publishing.js';

const POSTS = 10_000;
const ACCOUNTS = 2_000;
const ROUNDS = 3;

/** One worker, then two; the sandbox answers at once and without rate limits. All are processes of their own and share the machine. */
export const dueAtOnce: Line = {
  name: 'due-at-once',
  async run(bench) {
    const outside = await OutsideWorld.start();
    try {
      const accounts = await outside.accounts(ACCOUNTS * bench.scale);
      const publishing = await Publishing.open(bench, outside, accounts);
      try {
        const rounds = async () => {
          await publishing.startWorker();
          const all: Round[] = [];
          for (let n = 0; n < Math.min(ROUNDS, bench.repetitions); n += 1)
            all.push(await publishAtOnce(outside, publishing, POSTS * bench.scale));
          return all;
        };
        return resultsOf(await rounds(), await rounds());
      } finally {
        await publishing.close();
      }
    } finally {
      await outside.stop();
    }
  },
};

const last = ({ lastSeconds }: Round): number => lastSeconds;

function resultsOf(ofOne: readonly Round[], ofTwo: readonly Round[]) {
  const rounds = [...ofOne, ...ofTwo];
  const what = `${rounds[0]?.posts} posts due at one instant`;
  const seconds = (part: string, goal: number, value: (round: Round) => number) => {
    const values = ofOne.map(value);
    const note = values.map((each) => each.toFixed(2)).join(', ');
    return atMost(goal, 's', { what: `${what}, ${part}`, against: '-', value: median(values), note });
  };
  const none = (part: string, value: (round: Round) => number) =>
    atMost(0, 'posts', {
      what: `${what}, ${part}`,
      against: "the network's account",
      value: rounds.reduce((sum, round) => sum + value(round), 0),
    });
  return [
    seconds('first sent', 0.3, ({ firstSeconds }) => firstSeconds),
    seconds('last sent', 5, last),
    atMost(1.1, '', {
      what: `${what}, last sent by two workers`,
      against: 'one worker',
      value: median(ofTwo.map(last)) / median(ofOne.map(last)),
      note: ofTwo.map((each) => last(each).toFixed(2)).join(', '),
    }),
    none('early', ({ early }) => early),
    none('sent twice', ({ twice }) => twice),
    none('not sent', ({ lost }) => lost),
    none('not recorded as sent', ({ unrecorded }) => unrecorded),
  ];
}
