import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { DESCRIBED, registry } from '../../src/operations.ts'
import { readConfig } from '../../src/platform/config.ts'
import { openapiDocument } from '../../src/platform/http/openapi.ts'
import { listOperations, pathsOf } from '../../src/platform/operation.ts'

const operations = listOperations(registry)
const document = JSON.parse(JSON.stringify(openapiDocument(operations, { ...readConfig({}), ...DESCRIBED })))

test('the OpenAPI document is valid 3.1 by an independent validator', async () => {
  const { valid, errors } = await new Validator().validate(document)
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
})

test('every path of every operation is in the document, with its credentials, its example and its failure body', () => {
  for (const operation of operations) {
    for (const path of pathsOf(operation)) {
      const { post } = document.paths[path]
      expect(post.security.length, path).toBe(operation.declaration.auth === 'none' ? 0 : 1)
      expect(post.responses.default, path).toBeDefined()
      const { examples } = post.requestBody.content['application/json']
      expect(examples.typical.value, path).toEqual({ data: operation.declaration.example })
    }
  }
})

test('every area is described, and nothing else', () => {
  const areas = [...new Set(operations.map(({ area }) => area))]
  expect(document.tags.map(({ name }: { name: string }) => name)).toEqual(areas)
  for (const { name, description } of document.tags) expect(description, name).toMatch(/\.$/)
})

interface Described {
  description?: string
  anyOf?: Described[]
  items?: Described
  properties?: Record<string, Described>
}

/** The fields of a schema, at any depth, that are one value and are not described. */
function bareFields(schema: Described, path: string): string[] {
  const parts = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  const fields = Object.entries(schema.properties ?? {})
  // Lists and objects are described by their content.
  const hasContent = parts.length + fields.length > 0
  return [
    ...(hasContent || schema.description ? [] : [path]),
    ...parts.filter((part) => part.properties).flatMap((part) => bareFields(part, path)),
    ...fields.flatMap(([name, field]) => bareFields(field, `${path}.${name}`)),
  ]
}

test('every input field that is one value is described, at any depth', () => {
  const bare = operations.flatMap(({ name, declaration }) =>
    Object.entries(declaration.input.properties).flatMap(([field, schema]) => bareFields(schema, `${name}.${field}`)),
  )
  expect(bare).toEqual([])
})

test('an access role that a call may leave out tells which one then holds', () => {
  const roles = (node: unknown): string[] =>
    typeof node !== 'object' || node === null
      ? []
      : Object.entries(node).flatMap(([name, value]) => (name === 'accessRole' ? [value.description] : roles(value)))
  for (const path of ['/v2/auth/permissions/add', '/v2/auth/generate_token', '/v2/users/add', '/v2/users/update']) {
    const told = roles(document.paths[path].post.requestBody.content['application/json'].schema)
    expect(told, path).toEqual([expect.stringContaining('Default: ')])
  }
})
