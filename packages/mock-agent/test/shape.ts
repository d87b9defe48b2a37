import { type Fields, isFields, type Json, pickString } from '../src/json.ts';

/** The paths of a frame with the types of their values; lists count by their first item. */
export function shape(value: Json | undefined, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? [`${path}[]`] : shape(value[0], `${path}[]`);
  if (!isFields(value)) return [`${path}: ${value === null ? 'null' : typeof value}`];
  const fields = Object.entries(value);
  return fields.length === 0 ? [`${path}{}`] : fields.flatMap(([name, field]) => shape(field, `${path}.${name}`));
}

/** What a frame is: its method, with the kind of its update or of its raw message; answers are of one kind. */
export function kindOf(frame: Fields): string {
  const update = pickString(frame, 'params', 'update', 'sessionUpdate');
  const raw = [pickString(frame, 'params', 'message', 'type'), pickString(frame, 'params', 'message', 'subtype')];
  const words = [typeof frame.method === 'string' ? frame.method : 'answer', update, ...raw];
  return words.filter((word) => word !== undefined).join(' ');
}
