import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFrame } from './json.ts';
import { JsonRpcPeer, type RpcAnswer } from './json-rpc-peer.ts';
import { LineSplitter } from './line-splitter.ts';
import { PacedLines } from './paced-lines.ts';

function split(chunks: readonly Buffer[], limit = 1_000) {
  const lines: string[] = [];
  const dropped: string[] = [];
  const splitter = new LineSplitter({
    limit,
    onLine: (line) => lines.push(line),
    onDropped: (why) => dropped.push(why),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return { lines, dropped };
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

  it('[S123] passes over a line beyond the limit, and goes on', () => {
    const read = split([Buffer.from('a\n'), Buffer.alloc(600, 'x'), Buffer.alloc(600, 'x'), Buffer.from('\nb\n')]);

    expect(read).toEqual({ lines: ['a', 'b'], dropped: ['line_too_long'] });
  });

  it('[S123] keeps a line of exactly the limit, and drops one of a byte more', () => {
    expect(split([Buffer.from(`${'x'.repeat(10)}\n${'y'.repeat(11)}\n`)], 10)).toEqual({
      lines: ['x'.repeat(10)],
      dropped: ['line_too_long'],
    });
  });

  it('[S123] keeps to the limit also where a line comes in several pieces', () => {
    const pieces = ['xxxxx', 'xxxxx\nyyyyy', 'yyyyyy\nz\n'].map((one) => Buffer.from(one));

    expect(split(pieces, 10)).toEqual({ lines: ['x'.repeat(10), 'z'], dropped: ['line_too_long'] });
  });

  it('[S123] passes over a line that is no UTF-8, and goes on', () => {
    const torn = Buffer.concat([Buffer.from('{"text":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}\n')]);

    expect(split([Buffer.from('a\n'), torn, Buffer.from('b\n')])).toEqual({
      lines: ['a', 'b'],
      dropped: ['invalid_utf8'],
    });
  });

  it('[S123] keeps a character whole that was cut between two chunks', () => {
    const [first, second] = [Buffer.from('ä').subarray(0, 1), Buffer.from('ä').subarray(1)];

    expect(split([first, second])).toEqual({ lines: ['ä'], dropped: [] });
  });

  it('[S123] takes half a line at the end for a line, so that it is counted as none', () => {
    expect(split([Buffer.from('{"a":1}\n{"b":')]).lines.map((line) => parseFrame(line))).toEqual([{ a: 1 }, undefined]);
  });
});

describe('a flood of lines', () => {
  function flood(count: number, takesMs: number) {
    let clock = 0;
    const heard: number[] = [];
    const calls: string[] = [];
    const lines = new PacedLines({
      onLine: (line) => {
        clock += takesMs;
        heard.push(Number(line));
      },
      pause: () => calls.push('pause'),
      resume: () => calls.push('resume'),
      now: () => clock,
    });
    for (let nth = 0; nth < count; nth += 1) lines.push(String(nth));
    return { lines, heard, calls };
  }

  it('[S14] is handed on at once where it is short', () => {
    const { lines, heard, calls } = flood(100, 0.01);
    lines.drain();

    expect([heard.length, calls]).toEqual([100, []]);
  });

  it('[S123] is cut, so that others have their turn, and keeps its order', async () => {
    const { lines, heard, calls } = flood(1_000, 0.5);
    let turns = 0;
    const ended = new Promise<void>((resolve) => lines.end(resolve));
    const count = () => {
      turns += 1;
      if (heard.length < 1_000) setImmediate(count);
    };
    count();
    expect(heard.length).toBeLessThan(100);
    await ended;

    expect(heard).toEqual(Array.from({ length: 1_000 }, (_, nth) => nth));
    expect(turns).toBeGreaterThan(10);
    expect([calls[0], calls.at(-1)]).toEqual(['pause', 'resume']);
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

  it('[S123] counts the nesting of what is valid, and not the brackets in its texts', () => {
    const nested = (depth: number, inner: unknown) => {
      let value = inner;
      for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
      return JSON.stringify({ value });
    };
    fc.assert(
      fc.property(fc.integer({ min: 240, max: 270 }), fc.string(), (depth, text) => {
        const brackets = `${'['.repeat(300)}${text}${'{'.repeat(300)}`;

        expect(parseFrame(nested(depth, brackets)) !== undefined).toBe(depth < 256);
      }),
    );
    expect(parseFrame(JSON.stringify({ flat: Array.from({ length: 400 }, () => ({})) }))).toBeDefined();
  });

  it.each(['__proto__', '\\u005f_proto__', '__pr\\u006Fto__'])('[S23] leaves out the key %s', (key) => {
    expect(Object.keys(parseFrame(`{"a":{"${key}":{"isAsync":true}},"id":1}`)?.a ?? {})).toEqual([]);
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

    expect(heard).toEqual(['unknown_answer', 'unknown_answer']);
  });

  it('[S123] answers nothing twice, and nothing by an id of another type', () => {
    const { made, heard } = peer();
    made.request('a', {}, () => heard.push('answer'));

    for (const id of ['"0"', '[0]', '0.5', 'true', '{}', '-1', '0', '0']) made.read(`{"id":${id},"result":{}}`);

    expect(heard.filter((one) => one === 'answer')).toHaveLength(1);
    expect(heard.filter((one) => one === 'unknown_answer')).toHaveLength(7);
  });

  it.each([
    '{"id":0}',
    '{"id":0,"error":null}',
    '{"id":0,"result":"yes"}',
    '{"id":0,"result":[]}',
    '{"id":0,"Result":{}}',
  ])('[S123] fails a request that is answered by %s, and counts the answer', (line) => {
    const { made, heard } = peer();
    made.request('a', {}, (answer) => heard.push(answer.ok ? 'yes' : answer.message));

    made.read(line);

    expect(heard).toEqual(['malformed_answer', 'the agent answered with neither a result nor an error']);
  });

  it.each(['{"id":0,"result":null}', '{"id":0,"result":{},"error":null}'])('[S123] takes %s for a yes', (line) => {
    const { made, heard } = peer();
    made.request('a', {}, (answer) => heard.push(JSON.stringify(answer)));

    made.read(line);

    expect(heard).toEqual(['{"ok":true,"result":{}}']);
  });

  it.each(['{}', '[]', 'true', '1e999'])('[S123] drops a request with the id %s', (id) => {
    const { made, heard, written } = peer();

    made.read(`{"id":${id},"method":"a"}`);

    expect([heard, written]).toEqual([['bad_request_id'], []]);
  });

  it.each(['[{"method":"a"}]', '{"method":"a"', '"a"', '', '\u0000'])('[S123] drops %j as no frame', (line) => {
    const { made, heard } = peer();

    made.read(line);

    expect(heard).toEqual(['no_frame']);
  });

  it('[S110] fails what is open when the wire closes', () => {
    const { made } = peer();
    const answers: RpcAnswer[] = [];
    made.request('a', {}, (answer) => answers.push(answer));

    made.close('gone');

    expect(answers).toEqual([{ ok: false, code: 0, message: 'gone', data: null }]);
  });
});
