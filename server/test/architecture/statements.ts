import { templateText } from './shape.ts'
import { isIdentifier, isNode, lineAt, nodes, type Rule } from './source.ts'

// Workspaces and their keys are above the tenant: a look-up by token or by workspace finds the tenant. So are
// operators, and the processes of the installation.
const tablesAboveTenants = [
  'workspace',
  'api_key',
  'operator',
  'operator_link',
  'operator_session',
  'audit_record',
  'refused_sign_in',
  'service_process',
]

/** Statements of areas that need no tenant, as `path: first words`. The list only shrinks. */
const statementsWithoutTenant = [
  // A preflight request carries no credentials, so no tenant is known yet.
  'server/src/areas/workspaces/allowed-domain.ts: select exists (select from allowed_domain where domain = any(?',
  // The catalogue of the database: it lists the partitions.
  "server/src/areas/webhooks/prune.worker.ts: select p.relname as table, substring(c.relname from 'w([0-9]+)$')",
]

/** Rule 5: every statement of an area names its tenant: as a column to insert, else in a comparison. */
export const tenantStatements: Rule = (sources) =>
  sources
    .filter(({ path, isTest }) => path.startsWith('server/src/areas/') && !isTest)
    .flatMap(({ path, text, program }) =>
      nodes(program).flatMap((node) => {
        if (node.type !== 'TaggedTemplateExpression' || !isIdentifier(node.tag, 'sql') || !isNode(node.quasi)) return []
        const statement = templateText(node.quasi).replace(/--.*/g, '').replace(/\s+/g, ' ').trim().toLowerCase()
        const allowed = statementsWithoutTenant.some((each) => `${path}: ${statement}`.startsWith(each))
        const fault = allowed ? undefined : tenantFault(statement)
        return fault ? [`${path}:${lineAt(text, node.start)} ${fault}: ${statement.slice(0, 60)}`] : []
      }),
    )

function tenantFault(statement: string): string | undefined {
  if (!/^(with|select|insert|update|delete|merge)\b/.test(statement)) return undefined
  // `do update set` and `for update skip locked` name no table.
  const tables = [...statement.matchAll(/\b(?:from|join|into|(?<!do |for |key )update) ([a-z_]+)/g)].map(
    ([, table]) => table ?? '',
  )
  if (tables.every((table) => tablesAboveTenants.includes(table))) return undefined
  const compares =
    /\bapi_key (=|in\b)|= ([a-z_]+\.)?api_key\b|\([a-z_., ]*\bapi_key\b[^()]*\) (=|in|<|>|<=|>=) |using \([a-z_, ]*api_key/
  const inserts = /insert into [a-z_]+( as [a-z_]+)? \(([^)]*)\)/.exec(statement)?.[2]?.includes('api_key')
  return compares.test(statement) || inserts ? undefined : 'does not name the tenant'
}

/** Files that need the usual key of an organization, whichever key it has. The list only shrinks. */
const usualKeys = [
  'server/src/areas/organizations/organization-key.ts',
  'server/src/areas/organizations/delete-organizations.ts',
  'server/src/areas/organizations/renewed-keys.ts',
  'server/src/areas/user-data/delete-user-data.ts',
  'server/src/areas/user-data/erase-events.ts',
]

/**
 * The key of an organization depends on its tenant (docs/decisions/deleting-places.md): `organizationKeyOf` makes it.
 */
export const organizationKeys: Rule = (sources) =>
  sources
    .filter(({ path, isTest }) => path.startsWith('server/src/areas/') && !isTest && !usualKeys.includes(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bkeyOf\((?:\w+\.)*organizationId\b|organization\w*\.map\(keyOf\)/gi)].map(
        ({ index, 0: call }) => `${path}:${lineAt(text, index)} makes the key of an organization by ${call}`,
      ),
    )
