// Preloaded into a child process: stops it, in its own orderly way, when its parent is gone.
const parent = process.ppid;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, 500).unref();
