/** One question of a form, as far as it can be asked here. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly required: boolean;
} & (
  | { readonly type: 'text' | 'number' | 'boolean' }
  | { readonly type: 'choice'; readonly options: readonly { readonly value: string; readonly label: string }[] }
);

/** What an agent's question becomes when its schema says nothing that can be shown. */
const PLAIN: readonly FormField[] = [{ name: 'answer', label: '', hint: undefined, required: true, type: 'text' }];

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** `enum` with `enumNames`, or `oneOf` with `const` and `title`. */
function choicesOf(property: Readonly<Record<string, unknown>>) {
  if (Array.isArray(property.oneOf)) {
    return property.oneOf.filter(isRecord).flatMap((option) => {
      const value = textOf(option.const);
      return value === undefined ? [] : [{ value, label: textOf(option.title) ?? value }];
    });
  }
  if (!Array.isArray(property.enum)) return [];
  const names: readonly unknown[] = Array.isArray(property.enumNames) ? property.enumNames : [];
  return property.enum
    .filter((value) => typeof value === 'string')
    .map((value, i) => ({ value, label: textOf(names[i]) ?? value }));
}

function fieldOf(name: string, property: unknown, required: boolean): FormField {
  const schema = isRecord(property) ? property : {};
  const base = { name, label: textOf(schema.title) ?? name, hint: textOf(schema.description), required };
  const options = choicesOf(schema);
  if (options.length > 0) return { ...base, type: 'choice', options };
  if (schema.type === 'boolean') return { ...base, type: 'boolean' };
  return { ...base, type: schema.type === 'number' || schema.type === 'integer' ? 'number' : 'text' };
}

export function fieldsOf(schema: unknown): readonly FormField[] {
  if (!isRecord(schema) || !isRecord(schema.properties)) return PLAIN;
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(schema.properties).map(([name, property]) =>
    fieldOf(name, property, required.includes(name)),
  );
  return fields.length > 0 ? fields : PLAIN;
}

export type Draft = Readonly<Record<string, string | boolean>>;

/** The answers as the schema wants them; what was left empty is left out. */
export function answersOf(fields: readonly FormField[], draft: Draft): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const value = draft[name];
    if (type === 'boolean') answers[name] = value === true;
    else if (typeof value === 'string' && value.trim() !== '')
      answers[name] = type === 'number' ? Number(value) : value;
  }
  return answers;
}

export function isComplete(fields: readonly FormField[], draft: Draft): boolean {
  const answers = answersOf(fields, draft);
  return fields.every(({ name, required }) => !required || answers[name] !== undefined);
}
