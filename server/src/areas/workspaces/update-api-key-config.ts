import { operation } from '../../platform/operation.ts'
import { type Static, Type } from '../../platform/schema.ts'
import { Options, updateOptions } from './api-key-options.ts'

const { isPrivateCommentsEnabled, ...others } = Options.properties
const Changes = Type.Partial(Type.Object({ enablePrivateComments: isPrivateCommentsEnabled, ...others }))

/** Changes the options that are sent and answers those. */
export const updateApiKeyConfig = operation({
  path: '/v2/workspace/apikeyconfig/update',
  auth: 'apiKey',
  access: 'write',
  summary: 'Update the options of the API key',
  input: Changes,
  output: Changes,
  errors: [],
  message: 'API key metadata updated successfully.',
  check: (input) =>
    Object.keys(Changes.properties).some((field) => Object.hasOwn(input, field))
      ? []
      : [{ path: '', message: 'at least one field must be provided for update' }],
}).run(async ({ db, tenant, input, secrets }) => {
  const isOption = ([field]: [string, unknown]) => Object.hasOwn(Changes.properties, field)
  const given: Static<typeof Changes> = Object.fromEntries(Object.entries(input).filter(isOption))
  const { enablePrivateComments, ...options } = given
  await updateOptions(db, tenant, secrets, {
    ...options,
    ...(enablePrivateComments !== undefined && { isPrivateCommentsEnabled: enablePrivateComments }),
  })
  return given
})
