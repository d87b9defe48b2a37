// The floor: a WebSocket server that sends each client the time of the write, at the same pace and of a like size.
import { WebSocketServer } from 'ws';

const [count, everyMs, padding] = process.argv.slice(2).map(Number);
const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () => console.log(server.address().port));
const pad = 'x'.repeat(padding);

function talk(left) {
  const text = JSON.stringify({ at: String(process.hrtime.bigint()), pad });
  for (const client of server.clients) client.send(text);
  if (left > 1) setTimeout(talk, everyMs, left - 1);
}

process.stdin.on('data', () => talk(count)).on('end', () => process.exit(0));
