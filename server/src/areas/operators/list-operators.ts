import { sql } from '../../platform/db/db.ts'
import { operation } from '../../platform/operation.ts'
import { type Static, Type } from '../../platform/schema.ts'
import { ROLES } from './access/role.ts'
import { isOpen } from './access/session.ts'

const Listed = Type.Object({
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: Type.Enum([...ROLES]),
  workspaceId: Type.Union([Type.String(), Type.Null()], { description: 'Null: all workspaces.' }),
  hasPassword: Type.Boolean(),
  sessions: Type.Integer({ description: 'How many sessions are open.' }),
  createdAt: Type.Integer(),
})

/** Everybody who may sign in to the console, by address. At most 1,000 are listed. */
export const listOperators = operation({
  path: '/console/api/operators/list',
  auth: 'none',
  access: 'read',
  summary: 'List the operators',
  input: Type.Object({}),
  output: Type.Array(Listed),
  errors: ['UNAUTHENTICATED', 'PERMISSION_DENIED'],
  message: 'Operators retrieved.',
}).run(({ db }) =>
  db.query<Static<typeof Listed>>(sql`
    select o.id, o.email, o.name, o.role, o.workspace_id as "workspaceId", o.password is not null as "hasPassword",
      (select count(*) from operator_session s where s.operator_id = o.id and ${isOpen}) as sessions,
      o.created_at as "createdAt"
    from operator o
    order by lower(o.email)
    limit 1000`),
)
