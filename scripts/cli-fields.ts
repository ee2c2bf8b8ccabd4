import type { NamedOperation } from '../server/src/platform/operation.ts'
import type { JsonSchema } from './client-types.ts'

/** The source of cli/src/call/fields.ts: what the command line must know of the fields of each operation. */
export function fieldsSource(operations: NamedOperation[]): string {
  return [
    '// Generated from the operations by `npm run generate`. Do not edit.',
    "import type { OperationFields } from './field.ts'",
    '',
    '/** What each operation does and which fields it takes, with an example, by area and name. */',
    'export const FIELDS: Record<string, OperationFields> = {',
    ...operations.flatMap(({ area, name, declaration }) => [
      `  '${area}.${name}': {`,
      `    summary: ${JSON.stringify(declaration.summary)},`,
      '    fields: [',
      ...fieldsOf(declaration.input as JsonSchema).map((field) => `      ${JSON.stringify(field)},`),
      '    ],',
      `    example: ${JSON.stringify(declaration.example ?? {})},`,
      '  },',
    ]),
    '}',
    '',
  ].join('\n')
}

/** The fields of an object. An object within one is a field itself, and so are its own fields. */
function fieldsOf({ properties = {}, required = [] }: JsonSchema, parents: string[] = []): object[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = [...parents, name]
    // Of a list that says nothing itself: what each of its items is.
    const about = schema.description ?? schema.items?.description
    const field = {
      path,
      types: typesOf(schema),
      ...(schema.items && { items: typesOf(schema.items) }),
      ...valuesOf(schema.enum ?? schema.items?.enum),
      ...(required.includes(name) && parents.length === 0 && { required: true }),
      ...(about && { about }),
    }
    return [field, ...fieldsOf(schema, path)]
  })
}

function typesOf(schema: JsonSchema): string[] {
  if (schema.anyOf) return [...new Set(schema.anyOf.flatMap(typesOf))]
  const values = schema.const === undefined ? schema.enum : [schema.const]
  if (values) return [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  // What declares no type takes any.
  return [schema.type ?? ['string', 'number', 'boolean', 'null', 'object', 'array']].flat()
}

const valuesOf = (values: unknown[] | undefined) => (values ? { values: values.map(String) } : {})
