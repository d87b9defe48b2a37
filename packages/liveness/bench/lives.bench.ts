import { heap, print } from './measure.ts';
import { quiet, Story } from './story.ts';

const LIVES = 100_000;

/** Lives from the first prompt to the removal, with work that is still live when the execution ends. */
function live(story: Story, from: number, to: number): void {
  for (let index = from; index < to; index += 1) {
    const sessionId = `life${index}`;
    story.load(sessionId);
    story.prompt(sessionId);
    story.starts(sessionId, [`run:${index}`]);
    story.stop(sessionId);
    story.remove(sessionId);
  }
}

const story = new Story(quiet());
story.tracker.loadTask('t', []);
live(story, 0, 1000);
const before = heap();
live(story, 1000, LIVES + 1000);
const kept = heap() - before;
const [first, second] = [heap(), heap()];

print([
  ['', 'kept', 'a life'],
  [`heap after ${LIVES} lives`, `${(kept / 1024).toFixed(0)} KiB`, `${(kept / LIVES).toFixed(2)} B`],
  ['noise of the measurement', `${((second - first) / 1024).toFixed(0)} KiB`, ''],
]);
