/** The part of JSON Schema that our specs use. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  'x-advanced'?: boolean;
  'x-hidden'?: boolean;
  'x-resource'?: string;
  'x-unit'?: string;
  'x-formats'?: readonly string[];
}

export type FieldKind =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'list'
  | 'group'
  | 'variant'
  | 'resource'
  | 'json';

/** One field of a form, with everything its widget needs. */
export interface Field {
  key: string;
  /** JSON pointer into the value the form edits. */
  pointer: string;
  kind: FieldKind;
  label: string;
  help: string;
  /** Shown behind a number: from `x-unit`, or from a name such as `step_s`. */
  unit: string;
  required: boolean;
  nullable: boolean;
  advanced: boolean;
  schema: JsonSchema;
  fallback: unknown;
  choices: readonly unknown[];
  fields: readonly Field[];
}

export type Value = Record<string, unknown>;

/** Follows `$ref` and a lone `allOf`, keeping what stands beside them. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, allOf, ...beside } = schema;
  if ($ref) {
    const name = $ref.split('/').at(-1) ?? '';
    const target = root.$defs?.[name] ?? root.properties?.[name];
    return target ? { ...resolve(target, root), ...beside } : beside;
  }
  if (allOf?.length === 1) return { ...resolve(allOf[0]!, root), ...beside };
  return schema;
}

/** `anyOf: [X, null]` is X that may be empty. */
function unwrapNullable(schema: JsonSchema, root: JsonSchema): { schema: JsonSchema; nullable: boolean } {
  const options = schema.anyOf ?? [];
  const real = options.filter((option) => option.type !== 'null');
  if (options.length === real.length || real.length !== 1) {
    const types = Array.isArray(schema.type) ? schema.type : [];
    if (!types.includes('null')) return { schema, nullable: false };
    return { schema: { ...schema, type: types.find((t) => t !== 'null') }, nullable: true };
  }
  const { anyOf: _, ...beside } = schema;
  return { schema: { ...resolve(real[0]!, root), ...beside }, nullable: true };
}

const SCALARS: Record<string, FieldKind> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

function kindOf(schema: JsonSchema, root: JsonSchema): FieldKind {
  if (schema['x-resource']) return 'resource';
  if (schema.enum) return 'choice';
  if (schema.oneOf ?? schema.anyOf) return isVariants(schema, root) ? 'variant' : 'json';
  if (schema.type === 'object' && schema.properties) return 'group';
  if (schema.type === 'array') return SCALARS[itemType(schema, root)] ? 'list' : 'json';
  return SCALARS[String(schema.type)] ?? 'json';
}

function itemType(schema: JsonSchema, root: JsonSchema): string {
  return schema.items ? String(resolve(schema.items, root).type) : '';
}

/** A union of objects, each with a constant that names it. */
function isVariants(schema: JsonSchema, root: JsonSchema): boolean {
  const options = schema.oneOf ?? schema.anyOf ?? [];
  return options.every((option) => variantName(resolve(option, root)) !== null);
}

export function variantKey(schema: JsonSchema): string | null {
  const found = Object.entries(schema.properties ?? {}).find(
    ([, s]) => s.const !== undefined || s.enum?.length === 1,
  );
  return found?.[0] ?? null;
}

export function variantName(schema: JsonSchema): string | null {
  const key = variantKey(schema);
  const property = key ? schema.properties?.[key] : undefined;
  return property ? String(property.const ?? property.enum?.[0]) : null;
}

export function variantsOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  return (schema.oneOf ?? schema.anyOf ?? []).map((option) => resolve(option, root));
}

const UNITS: readonly [RegExp, string][] = [
  [/_s$/, 's'],
  [/_ms$/, 'ms'],
  [/_bytes$/, 'bytes'],
];

/** A name without the unit at its end, and that unit. */
function splitUnit(key: string, schema: JsonSchema): { name: string; unit: string } {
  const [suffix, unit] = UNITS.find(([pattern]) => pattern.test(key)) ?? [null, ''];
  if (!suffix || typeof schema.type !== 'string' || !/number|integer/.test(schema.type)) {
    return { name: key, unit: schema['x-unit'] ?? '' };
  }
  return { name: key.replace(suffix, ''), unit: schema['x-unit'] ?? unit };
}

function label(key: string, schema: JsonSchema): string {
  const title = schema.title && !/^[A-Z][a-zA-Z]*[a-z][A-Z]/.test(schema.title) ? schema.title : key;
  const text = title.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function fieldOf(key: string, raw: JsonSchema, parent: JsonSchema, root: JsonSchema, base: string): Field {
  const { schema, nullable } = unwrapNullable(resolve(raw, root), root);
  const kind = kindOf(schema, root);
  const { name, unit } = splitUnit(key, schema);
  const titled = kind === 'group' || kind === 'variant' || kind === 'resource' || name !== key ? {} : schema;
  const pointer = `${base}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return {
    key,
    pointer,
    kind,
    label: label(name, titled),
    unit,
    help: schema.description ?? '',
    required: parent.required?.includes(key) ?? false,
    nullable,
    advanced: schema['x-advanced'] ?? false,
    schema,
    fallback: schema.default,
    choices: schema.enum ?? [],
    fields: kind === 'group' ? fieldsOf(schema, root, pointer) : [],
  };
}

/** The visible fields of an object schema, in its order. Constants and hidden ones are left out. */
export function fieldsOf(schema: JsonSchema, root: JsonSchema = schema, base = ''): Field[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, property]) => property.const === undefined && !property['x-hidden'])
    .filter(([, property]) => !resolve(property, root)['x-hidden'])
    .map(([key, property]) => fieldOf(key, property, schema, root, base));
}

/** The value a form starts with: constants and defaults; what has neither stays absent. */
export function defaultsOf(schema: JsonSchema, root: JsonSchema = schema): Value {
  const value: Value = {};
  for (const [key, raw] of Object.entries(schema.properties ?? {})) {
    const property = resolve(raw, root);
    if (property.const !== undefined) value[key] = property.const;
    else if (property.default !== undefined) value[key] = structuredClone(property.default);
    else if (property.type === 'object' && property.properties) value[key] = defaultsOf(property, root);
    else if (property.type === 'array' && schema.required?.includes(key)) value[key] = [];
    else if (property.oneOf && isVariants(property, root))
      value[key] = defaultsOf(variantsOf(property, root)[0]!, root);
  }
  return value;
}

type Rule = (field: Field, value: number) => string | null;

const NUMBER_RULES: readonly Rule[] = [
  ({ schema }, v) =>
    schema.minimum !== undefined && v < schema.minimum ? `At least ${schema.minimum}` : null,
  ({ schema }, v) =>
    schema.maximum !== undefined && v > schema.maximum ? `At most ${schema.maximum}` : null,
  ({ schema }, v) =>
    schema.exclusiveMinimum !== undefined && v <= schema.exclusiveMinimum
      ? `More than ${schema.exclusiveMinimum}`
      : null,
  ({ schema }, v) =>
    schema.exclusiveMaximum !== undefined && v >= schema.exclusiveMaximum
      ? `Less than ${schema.exclusiveMaximum}`
      : null,
  ({ kind }, v) => (kind === 'integer' && !Number.isInteger(v) ? 'A whole number' : null),
];

function textProblem({ schema, required }: Field, value: string): string | null {
  if (required && value === '') return 'Required';
  if (schema.maxLength !== undefined && value.length > schema.maxLength)
    return `At most ${schema.maxLength} characters`;
  if (schema.minLength !== undefined && value.length < schema.minLength)
    return `At least ${schema.minLength} characters`;
  if (schema.pattern && value !== '' && !new RegExp(schema.pattern).test(value))
    return `Must match ${schema.pattern}`;
  return null;
}

/** What is wrong with one field's value, or null. */
export function problemOf(field: Field, value: unknown): string | null {
  if (value === undefined || value === null || value === '')
    return field.required && !field.nullable ? 'Required' : null;
  if (field.kind === 'integer' || field.kind === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'A number';
    return NUMBER_RULES.map((rule) => rule(field, value)).find((problem) => problem !== null) ?? null;
  }
  if (field.kind === 'text') return textProblem(field, String(value));
  if (field.kind === 'json' && typeof value === 'string') return 'Not valid JSON';
  return null;
}

/** Every problem of a form's value, by pointer. */
export function problemsOf(fields: readonly Field[], value: Value): Record<string, string> {
  const found: Record<string, string> = {};
  for (const field of fields) {
    const inner = value[field.key];
    if (field.kind === 'group') Object.assign(found, problemsOf(field.fields, (inner ?? {}) as Value));
    const problem = problemOf(field, inner);
    if (problem) found[field.pointer] = problem;
  }
  return found;
}
