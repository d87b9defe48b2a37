import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFrame } from './json.ts';
import { JsonRpcPeer, type RpcAnswer } from './json-rpc-peer.ts';
import { LineSplitter } from './line-splitter.ts';

function split(chunks: readonly Buffer[], limit = 1_000) {
  const lines: string[] = [];
  let tooLong = 0;
  const splitter = new LineSplitter({ limit, onLine: (line) => lines.push(line), onTooLong: () => (tooLong += 1) });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return { lines, tooLong };
}

describe('lines', () => {
  it('[P9] are the same however the stream was cut', () => {
    const text = fc.array(
      fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => one.trim() === one && !/[\r\n]/.test(one)),
    );
    fc.assert(
      fc.property(text, fc.array(fc.nat(200)), (lines, cuts) => {
        const whole = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, at) => whole.subarray(places[at], end));

        expect(split(chunks, 100_000).lines).toEqual(lines.filter((line) => line !== ''));
      }),
    );
  });

  it('[S123] stops at a line beyond the limit, and says so once', () => {
    const read = split([Buffer.from('a\n'), Buffer.alloc(600, 'x'), Buffer.alloc(600, 'x'), Buffer.from('\nb\n')]);

    expect(read).toEqual({ lines: ['a'], tooLong: 1 });
  });
});

describe('frames', () => {
  it.each(['', 'text', '[]', '3', 'null', '{"a":', '"{}"'])('[S123] takes %j for no frame', (line) => {
    expect(parseFrame(line)).toBeUndefined();
  });

  it('[S123] refuses what nests too deep, without failing', () => {
    expect(parseFrame(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`)).toBeUndefined();
    expect(parseFrame('['.repeat(1_000_000))).toBeUndefined();
    expect(parseFrame(JSON.stringify({ text: `${'['.repeat(1_000)}"\\` }))).toEqual({
      text: `${'['.repeat(1_000)}"\\`,
    });
  });

  it('[S23] has no prototype of the agent’s making', () => {
    const frame = parseFrame('{"__proto__":{"method":"x"},"id":1}');

    expect(frame).toEqual({ id: 1 });
    expect(Object.getPrototypeOf(frame)).toBe(Object.prototype);
  });
});

describe('JSON-RPC', () => {
  function peer() {
    const written: unknown[] = [];
    const heard: string[] = [];
    const made = new JsonRpcPeer(
      (line) => {
        written.push(JSON.parse(line));
        return true;
      },
      {
        notified: (method) => heard.push(`note ${method}`),
        requested: (id, method) => heard.push(`ask ${method} ${id}`),
        dropped: (why) => heard.push(why),
      },
    );
    return { made, written, heard };
  }

  it('[S57] reads everything that came before an answer before the answer', () => {
    const { made, heard } = peer();
    made.request('a', {}, () => heard.push('answer'));

    made.read('{"method":"one"}');
    made.read('{"id":0,"result":{}}');
    made.read('{"method":"two"}');

    expect(heard).toEqual(['note one', 'answer', 'note two']);
  });

  it('[S58] keeps the ids of both sides apart', () => {
    const { made, heard } = peer();
    made.request('a', {}, () => heard.push('answer'));

    made.read('{"id":0,"method":"theirs"}');

    expect(heard).toEqual(['ask theirs 0']);
  });

  it('[S123] drops answers that nobody waits for', () => {
    const { made, heard } = peer();

    made.read('{"id":5,"result":{}}');
    made.read('{"id":null,"error":{"code":1,"message":"x"}}');

    expect(heard).toEqual(['an answer to no open request', 'an answer to no open request']);
  });

  it('[S110] fails what is open when the wire closes', () => {
    const { made } = peer();
    const answers: RpcAnswer[] = [];
    made.request('a', {}, (answer) => answers.push(answer));

    made.close('gone');

    expect(answers).toEqual([{ ok: false, code: 0, message: 'gone', data: null }]);
  });
});
