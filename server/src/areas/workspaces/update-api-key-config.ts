import { operation } from '../../platform/operation.ts'
import { REFUSES_NULL, type Static, Type } from '../../platform/schema.ts'
import { Options, optionState, updateOptions } from './setting/api-key-options.ts'
import { MaskedModelKeys, ModelKey, updateModelKeys } from './setting/model-key.ts'

const { isPrivateCommentsEnabled, ...others } = Options.properties
const Changes = Type.Partial(Type.Object({ enablePrivateComments: isPrivateCommentsEnabled, ...others }))
const aiModelApiKey = Type.Array(ModelKey, { minItems: 1, description: 'Keys of your own for AI models.' })
const Input = Type.Object({ ...Changes.properties, aiModelApiKey: Type.Optional(aiModelApiKey) }, REFUSES_NULL)

/** Changes the options that are sent and returns them, with keys masked. */
export const updateApiKeyConfig = operation({
  path: '/v2/workspace/apikeyconfig/update',
  auth: 'apiKey',
  access: 'write',
  administers: optionState,
  summary: 'Update the options of the API key',
  input: Input,
  example: { enablePrivateComments: true },
  output: Type.Object({ ...Changes.properties, aiModelsConfig: Type.Optional(MaskedModelKeys) }),
  errors: [],
  message: 'API key metadata updated successfully.',
  check: (input) =>
    Object.keys(Input.properties).some((field) => Object.hasOwn(input, field))
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
  if (!input.aiModelApiKey) return given
  return { ...given, aiModelsConfig: await updateModelKeys(db, tenant, secrets, input.aiModelApiKey) }
})
