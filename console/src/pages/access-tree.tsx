import type { Api, CallOptions, PermissionDecision } from '../../../client/src/index.ts'
import { useRead } from '../door/tenant.tsx'
import { t } from '../strings.ts'
import { Badge } from '../ui/show.tsx'
import { Loaded } from '../ui/states.tsx'
import { timeText } from '../ui/text.ts'

export interface Question {
  organizationId: string
  userId: string
  kind: 'document' | 'folder'
  id: string
}

/** The grant that decides about the place which is asked about; null: none does. */
type Grant = PermissionDecision['via']

/** A level between the organization and the place that is asked about. */
interface Level {
  type: 'organization' | 'folder' | 'document'
  id: string
  name: string
  disabled?: boolean
  inherits?: boolean
  checked: PermissionDecision | undefined
  /** The role that was given at this level itself. */
  role: string | undefined
}

/**
 * The levels from the organization down to the place: what each admits, what was given there, and which one decides.
 */
export function AccessTree({ question }: { question: Question }) {
  const query = useRead(['access-tree', question], (api, options) => readLevels(api, question, options))
  return (
    <Loaded query={query}>
      {(levels) => <Branch levels={levels} decisive={levels.at(-1)?.checked?.via ?? null} />}
    </Loaded>
  )
}

function Branch({ levels: [level, ...below], decisive }: { levels: Level[]; decisive: Grant }) {
  if (!level) return null
  const isLast = below.length === 0
  return (
    <ul className="tree">
      <li>
        <LevelLine level={level} decisive={decisive} isAsked={isLast} />
        <Branch levels={below} decisive={decisive} />
      </li>
    </ul>
  )
}

function LevelLine({ level, decisive, isAsked }: { level: Level; decisive: Grant; isAsked: boolean }) {
  const { type, id, name, disabled, inherits, checked, role } = level
  const { accessType = null, allowed = false } = checked ?? {}
  const decides = decisive?.type === type && decisive.id === id
  return (
    <div>
      <p className="verdict">
        <strong>{name}</strong>
        <span className="muted">{t.access.levels[type]}</span>
        <Badge tone={allowed ? 'good' : 'bad'}>{allowed ? t.access.opens : t.access.closed}</Badge>
        {isAsked && <Badge>{t.access.asked}</Badge>}
      </p>
      <ul className="muted">
        {disabled && <li className="bad">{t.access.reasons.disabled}</li>}
        {accessType !== null && (
          <li>
            {t.access.types[accessType]} {inherits && t.access.inherits}
          </li>
        )}
        <li>{role ? t.access.given(role) : t.access.nothingGiven}</li>
        {decides && <li className="good">{t.access.decides}</li>}
        {decides && decisive.expiresAt !== null && <li>{t.access.ends(timeText(decisive.expiresAt))}</li>}
        {checked && isAsked && <li>{t.access.reasons[checked.reason]}</li>}
      </ul>
    </div>
  )
}

async function readLevels(api: Api, question: Question, options: CallOptions): Promise<Level[]> {
  const { organizationId, userId } = question
  const places = await readPlaces(api, question, options)
  const checks = places.map(({ type, id }) => ({ userId, resource: { type, id }, action: 'view' as const }))
  const [{ data: checked }, roles] = await Promise.all([
    api.permissions.checkPermissions({ organizationId, checks }, options),
    Promise.all(places.map((place) => readRole(api, question, place, options))),
  ])
  return places.map((place, index) => ({ ...place, checked: checked[index], role: roles[index] }))
}

type Place = Pick<Level, 'type' | 'id' | 'name' | 'disabled' | 'inherits'>

/** The organization, the folders above the place from the top down, and the place itself. */
async function readPlaces(api: Api, { organizationId, kind, id }: Question, options: CallOptions): Promise<Place[]> {
  const [organizations, documents] = await Promise.all([
    api.organizations.getOrganizations({ organizationIds: [organizationId] }, options),
    kind === 'document'
      ? api.documents.getDocuments({ organizationId, documentIds: [id] }, options)
      : Promise.resolve(undefined),
  ])
  const [organization] = organizations.data
  const document = documents?.data[0]
  const folderId = kind === 'folder' ? id : document?.folderId
  const folders = folderId === undefined ? [] : await readFolders(api, organizationId, folderId, options)
  return [
    {
      type: 'organization',
      id: organizationId,
      name: organization?.organizationName || organizationId,
      disabled: organization?.disabled ?? false,
    },
    ...folders,
    ...(kind === 'document'
      ? [{ type: 'document' as const, id, name: document?.documentName || id, disabled: document?.disabled ?? false }]
      : []),
  ]
}

/**
 * A folder and those above it, from the top down. While advanced queries are off, or for an unknown one, its id alone.
 */
async function readFolders(api: Api, organizationId: string, folderId: string, options: CallOptions): Promise<Place[]> {
  const read = async (id: string) => {
    const { data } = await api.folders.getFolders({ organizationId, folderId: id, maxDepth: 0 }, options)
    return data[0]
  }
  const { data: config } = await api.workspaces.getApiKeyConfig({}, options)
  const folder = config.advancedQueries ? await read(folderId) : undefined
  if (!folder) return [{ type: 'folder', id: folderId, name: folderId }]
  const above = await Promise.all(folder.ancestors.slice(1).map(read))
  return [...above, folder].flatMap((each) =>
    each
      ? [
          {
            type: 'folder' as const,
            id: each.folderId,
            name: each.folderName || each.folderId,
            inherits: each.inheritAccessFromParent,
          },
        ]
      : [],
  )
}

/** The role that somebody was given at a level itself, not above it. */
async function readRole(
  api: Api,
  { organizationId, userId }: Question,
  { type, id }: Place,
  options: CallOptions,
): Promise<string | undefined> {
  const level = type === 'document' ? { documentId: id } : type === 'folder' ? { folderId: id } : {}
  try {
    const { data } = await api.users.getUsers({ organizationId, ...level, userIds: [userId] }, options)
    return Array.isArray(data) ? data[0]?.accessRole : undefined
  } catch {
    // The place does not exist; the check says so.
    return undefined
  }
}
