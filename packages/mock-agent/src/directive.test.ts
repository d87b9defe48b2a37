import { expect, test } from 'vitest';
import { parseDirective, parseScript } from './directive.ts';

test.each([
  ['/say hello there', { kind: 'say', text: 'hello there' }],
  ['/tool run the tests for 2s fails', { kind: 'tool', title: 'run the tests', milliseconds: 2000, fails: true }],
  ['/tool wait for it', { kind: 'invalid' }],
  ['/tool build', { kind: 'tool', title: 'build', milliseconds: 0, fails: false }],
  ['/shell build', { kind: 'shell', name: 'build', lifetime: { kind: 'gate' }, exitCode: 0 }],
  ['/shell build for 500ms exit 1', { kind: 'shell', lifetime: { kind: 'time', milliseconds: 500 }, exitCode: 1 }],
  ['/shell build until released', { kind: 'shell', lifetime: { kind: 'gate' } }],
  [
    '/subagent a for 1m foreground',
    { kind: 'subagent', lifetime: { kind: 'time', milliseconds: 60_000 }, foreground: true },
  ],
  ['/subagent a foreground', { kind: 'subagent', lifetime: { kind: 'time', milliseconds: 0 }, foreground: true }],
  ['/monitor log every 1s for 10s', { kind: 'monitor', every: 1000, lifetime: { kind: 'time', milliseconds: 10_000 } }],
  ['/plan a; b;', { kind: 'plan', entries: ['a', 'b'] }],
  ['/wait 2s', { kind: 'wait', milliseconds: 2000 }],
  ['/wait until released go', { kind: 'gate', name: 'go' }],
  ['/linger build', { kind: 'linger', name: 'build' }],
  ['/idle', { kind: 'idle' }],
])('[mock] reads %s', (line, expected) => {
  expect(parseDirective(line)).toMatchObject(expected);
});

test.each([
  ['/fly', 'a directive, one of /say'],
  ['hello', 'a directive'],
  ['/say', '/say TEXT'],
  ['/wait soon', '/wait 2s | until released NAME'],
  ['/shell', '/shell NAME'],
  ['/shell a for 5 minutes', '/shell NAME'],
  ['/shell a foreground', '/shell NAME'],
  ['/shell a for 1s for 2s', '/shell NAME'],
  ['/monitor log', '/monitor NAME every 1s'],
  ['/monitor log every 1ms', '/monitor NAME every 1s'],
  ['/lose ../x', '/lose NAME'],
  ['/idle now', '/idle'],
])('[mock] says what was expected instead of %s', (line, usage) => {
  const step = parseDirective(line);
  expect(step).toMatchObject({ kind: 'invalid', message: expect.stringContaining(`Expected ${usage}`) });
});

test('[mock] takes a prompt whose first line has no slash as text', () => {
  expect(parseScript('hello\n/say no')).toEqual({ kind: 'text' });
  expect(parseScript('\n  /say yes\n\n/end')).toMatchObject({
    kind: 'script',
    steps: [{ kind: 'say' }, { kind: 'end' }],
  });
});

test('[mock] lets the name of work have several words', () => {
  expect(parseDirective('/shell docker build for 2s')).toMatchObject({ kind: 'shell', name: 'docker build' });
  expect(parseDirective('/subagent reviewer of #41 until released')).toMatchObject({ name: 'reviewer of #41' });
});
