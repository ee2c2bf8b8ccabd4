import { Type } from '../schema.ts'
import { TOKEN } from '../setting-formats.ts'

/** The settings of the console and of those who run the installation. */
export const operatorSettings = {
  CONSOLE: Type.Enum(['on', 'read-only', 'off'], {
    default: 'on',
    description: 'Whether the console at `/console/` is served, and whether it may change anything.',
  }),
  OPERATOR_TOKEN: Type.Optional(
    Type.String({
      format: TOKEN,
      minLength: 16,
      maxLength: 200,
      orFile: true,
      unit: 'token',
      otherwise: 'required with `WORKSPACE_CREATE=token`',
      description:
        "The operator's token (16 to 200 characters). It creates workspaces, signs in to the console, and calls the console's operations as `Authorization: Bearer`. See `docs/operators.md`.",
    }),
  ),
}
