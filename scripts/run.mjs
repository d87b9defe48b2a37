// The one entry of every root command: `node scripts/run.mjs <task> [arguments]`. Needs only Node and npm.
// It stays readable by old Node versions, so that they get a message and not a syntax error.

const NEEDED = [20, 19];
const TASKS = ['setup', 'start', 'test', 'build', 'dev', 'check', 'e2e', 'bench', 'recordings', 'fuzz', 'kill-tests'];

const [major, minor] = process.versions.node.split('.').map(Number);
const task = process.argv[2];

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  console.error(
    `Vigil needs Node ${NEEDED.join('.')} or newer, this is ${process.version}.\n` +
      'Install a newer one (https://nodejs.org, or `nvm install` in this folder) and run the command again.',
  );
  process.exitCode = 1;
} else if (TASKS.indexOf(task) < 0) {
  console.error(`Expected a task (${TASKS.join(', ')}), got ${task === undefined ? 'none' : `"${task}"`}.`);
  process.exitCode = 1;
} else {
  import('./tasks.mjs')
    .then((tasks) => tasks.run(task, process.argv.slice(3)))
    .then((code) => {
      process.exitCode = code;
    })
    .catch((error) => {
      console.error(error.expected ? error.message : error);
      process.exitCode = 1;
    });
}
