import { describe, expect, it } from 'vitest';
import { answersOf, fieldsOf, isComplete } from './clarification-fields.ts';

const schema = {
  type: 'object',
  properties: {
    target: { type: 'string', title: 'Target', enum: ['a', 'b'], enumNames: ['First'] },
    mode: { oneOf: [{ const: 'x', title: 'X mode' }, { const: 'y' }] },
    count: { type: 'integer' },
    dry: { type: 'boolean' },
    note: { type: 'string', description: 'Any' },
  },
  required: ['target', 'count'],
};

describe('a clarification as a form', () => {
  it('asks what the schema asks', () => {
    expect(fieldsOf(schema)).toEqual([
      {
        name: 'target',
        label: 'Target',
        hint: undefined,
        required: true,
        type: 'choice',
        options: [
          { value: 'a', label: 'First' },
          { value: 'b', label: 'b' },
        ],
      },
      {
        name: 'mode',
        label: 'mode',
        hint: undefined,
        required: false,
        type: 'choice',
        options: [
          { value: 'x', label: 'X mode' },
          { value: 'y', label: 'y' },
        ],
      },
      { name: 'count', label: 'count', hint: undefined, required: true, type: 'number' },
      { name: 'dry', label: 'dry', hint: undefined, required: false, type: 'boolean' },
      { name: 'note', label: 'note', hint: 'Any', required: false, type: 'text' },
    ]);
  });

  it('answers with the types that the schema names, and leaves out what is empty', () => {
    const fields = fieldsOf(schema);
    expect(answersOf(fields, { target: 'a', count: '3', note: ' ' })).toEqual({ target: 'a', count: 3, dry: false });
    expect(isComplete(fields, { target: 'a' })).toBe(false);
    expect(isComplete(fields, { target: 'a', count: '3' })).toBe(true);
  });

  it.each([null, 'text', {}, { properties: {} }, { properties: [] }])('asks one plain question for %j', (odd) => {
    expect(fieldsOf(odd)).toEqual([{ name: 'answer', label: '', hint: undefined, required: true, type: 'text' }]);
  });
});
