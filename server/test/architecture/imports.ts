import { isCall, isIdentifier, isMember, lineAt, nodes, type Rule, type Source } from './source.ts'

/** The areas in import order: each may import those before it. */
const areas = (
  'workspaces organizations folders documents permissions users user-groups locations comments reactions recordings ' +
  'activities notifications email webhooks memory insights knowledge user-data audit operators'
).split(' ')

/**
 * The rooms (sub-folders) of the areas that have any, in import order. Each may import those before it, and none the
 * area's root.
 */
const rooms: Record<string, string[]> = {
  workspaces: ['setting'],
  permissions: ['access', 'provider'],
  comments: ['comment', 'thread', 'change'],
  activities: ['log'],
  notifications: ['recipients'],
  webhooks: ['endpoint', 'delivery', 'sending'],
  memory: [
    'judgment',
    'words',
    'lexical',
    'indexing',
    'patterns',
    'knowledge',
    'vectors',
    'head',
    'search',
    'learning',
    'evaluation',
  ],
  insights: ['profile', 'answer', 'alert'],
  knowledge: ['reading', 'source'],
  operators: ['access', 'oidc', 'fence'],
}

/** Rooms that do not import one another. */
const apart: Record<string, string[]> = { webhooks: ['delivery', 'sending'] }

/**
 * Rule 1: the platform imports no area, an area imports nouns and events of earlier areas, clients import no server.
 */
export const layers: Rule = (sources) => {
  const byPath = new Map(sources.map((each) => [each.path, each]))
  return production(sources).flatMap((from) =>
    from.imports.flatMap(({ target, line }) => {
      const fault = layerFault(from, target, byPath.get(target))
      return fault ? [`${from.path}:${line} ${fault}: ${target}`] : []
    }),
  )
}

/** Rule 1: no cycles, type imports included. */
export const cycles: Rule = (sources) => {
  const imports = new Map(production(sources).map(({ path, imports }) => [path, imports.map(({ target }) => target)]))
  const done = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path))
      found.push(`${path}:1 imports itself: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`)
    if (done.has(path) || trail.includes(path)) return
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return found
}

const doorTo: { outside: RegExp; door: RegExp }[] = [
  { outside: /^(pg|pg-.+|@electric-sql\/.+)$/, door: /^server\/src\/platform\/db\// },
  {
    outside: /^(fastify|@fastify\/.+)$/,
    door: /^server\/src\/platform\/http\/(http|mount-operation|cors|probes|record-request|trace-requests|api-reference|errors\/send-error)\.ts$/,
  },
  { outside: /^(undici|node:https?|node:http2)$/, door: /^server\/src\/platform\/outbound\/outbound\.ts$/ },
  { outside: /^nodemailer$/, door: /^server\/src\/platform\/outbound\/mail\.ts$/ },
  { outside: /^(node:)?process$/, door: /^server\/src\/platform\/config\.ts$/ },
]

/** Rule 2: one door per outside thing. */
export const doors: Rule = (sources) =>
  production(sources)
    .filter(({ path }) => path.startsWith('server/src/'))
    .flatMap((source) => [
      ...source.imports
        .filter(({ target }) => doorTo.some(({ outside, door }) => outside.test(target) && !door.test(source.path)))
        .map(({ target, line }) => `${source.path}:${line} goes out past the door: ${target}`),
      ...globalsUsed(source).map(({ name, line }) => `${source.path}:${line} goes out past the door: ${name}`),
    ])

function production(sources: Source[]): Source[] {
  return sources.filter(({ isTest }) => !isTest)
}

function layerFault(from: Source, target: string, imported: Source | undefined): string | undefined {
  const own = from.path.split('/')[0]
  const inRepository = /^(server|client|console|cli|mcp|bench|scripts|demo)\//.test(target)
  if (own === 'client' && !target.startsWith('client/')) return 'the client stands alone'
  if (/^(console|cli|mcp)$/.test(own ?? '') && inRepository && !target.startsWith(`${own}/`)) {
    return target.startsWith('client/') ? undefined : 'the console, the cli and the mcp server know only the client'
  }
  if (own !== 'server') return undefined
  if (target === '@precedent/client' || (inRepository && own !== target.split('/')[0])) return 'the server stands alone'
  if (from.path.startsWith('server/src/platform/') && inRepository && !target.startsWith('server/src/platform/')) {
    return 'the platform imports only the platform'
  }
  if (from.path === 'server/src/main.ts' && areaOf(target)) return 'only app.ts wires'
  return areaOf(from.path) && inRepository ? areaFault(from, target, imported) : undefined
}

function areaFault(from: Source, target: string, imported: Source | undefined): string | undefined {
  const [own, other] = [areaOf(from.path) ?? '', areaOf(target)]
  if (!areas.includes(own)) return `${own} has no place in the order of the areas`
  if (target.startsWith('server/src/platform/')) return undefined
  if (!other) return 'an area imports only the platform and areas'
  if (other === own) {
    const fault = roomFault(own, from.path, target)
    if (fault) return fault
    const registers = from.path === `server/src/areas/${own}/index.ts`
    return imported?.isOperation && !registers ? 'no file imports an operation' : undefined
  }
  if (areas.indexOf(other) > areas.indexOf(own) || !areas.includes(other)) return `${other} is not earlier than ${own}`
  const isNounOrEvent = !imported?.isOperation && !/(\/index|\/on-event|\.job|\.worker|\.test)\.ts$/.test(target)
  return isNounOrEvent ? undefined : `of ${other} only nouns and events may be known`
}

/** An area keeps its door at its root; its rooms hold what operations are made with. */
function roomFault(area: string, from: string, target: string): string | undefined {
  const [own, other] = [roomOf(from), roomOf(target)]
  if (own === undefined || own === other) return undefined
  if (other === undefined) return `the room ${own} imports the root of ${area}`
  if (apart[area]?.includes(own) && apart[area].includes(other)) return `the rooms ${own} and ${other} are apart`
  const order = rooms[area] ?? []
  return order.indexOf(other) < order.indexOf(own) ? undefined : `the room ${other} is not earlier than ${own}`
}

/** Rule 1: operations, jobs, workers and subscribers are at the root of their area; its rooms are those listed. */
export const doorsOfAreas: Rule = (sources) =>
  production(sources).flatMap(({ path, isOperation }) => {
    const [area, room] = [areaOf(path) ?? '', roomOf(path)]
    if (room === undefined) return []
    if (!rooms[area]?.includes(room)) return [`${path}:1 is in the room ${room}, which ${area} does not list`]
    const isDoor = isOperation || /(\/index|\/on-[^/]+|\.job|\.worker)\.ts$/.test(path)
    return isDoor ? [`${path}:1 belongs to the root of ${area}`] : []
  })

function roomOf(path: string): string | undefined {
  return /^server\/src\/areas\/[^/]+\/([^/]+)\//.exec(path)?.[1]
}

function areaOf(path: string): string | undefined {
  return /^server\/src\/areas\/([^/]+)/.exec(path)?.[1]
}

function globalsUsed({ path, text, program }: Source): { name: string; line: number }[] {
  return nodes(program).flatMap((node) => {
    const readsEnvironment =
      isMember(node, 'env', 'process') || (node.type === 'VariableDeclarator' && isIdentifier(node.init, 'process'))
    const line = lineAt(text, node.start)
    if (readsEnvironment && path !== 'server/src/platform/config.ts') return [{ name: 'process.env', line }]
    return isCall(node, 'fetch') && path !== 'server/src/platform/outbound/outbound.ts' ? [{ name: 'fetch', line }] : []
  })
}
