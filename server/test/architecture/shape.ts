import { basename, dirname } from 'node:path'
import { isCall, isIdentifier, isMember, isNode, lineAt, type Node, nodes, type Rule, type Source } from './source.ts'

const runners =
  /^server\/src\/(platform\/(http\/execute|work\/job|work\/worker|migrate)|commands\/[\w-]+|operator-link)\.ts$|^server\/src\/platform\/db\//

/** Rule 3: the runners open the transaction; a function that needs it takes it as its required first parameter `db`. */
export const transactions: Rule = (sources) =>
  ofTheServer(sources).flatMap((source) => {
    const faults = nodes(source.program).flatMap((node) => [
      ...(isTransaction(node) && !runners.test(source.path) ? [fault(source, node, 'opens a transaction')] : []),
      ...parametersOf(node).flatMap((parameter, index) =>
        isDb(parameter) && (index > 0 || isOptional(parameter))
          ? [fault(source, parameter, 'takes db otherwise than as its required first parameter')]
          : [],
      ),
    ])
    return inAreas(source) || faults.length === 0 ? faults : faults.filter((text) => text.endsWith('transaction'))
  })

const later = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']

/** Rule 4: an area has no effect outside the transaction, and operations leave outbound calls to jobs. */
export const effects: Rule = (sources) =>
  ofTheServer(sources)
    .filter(inAreas)
    .flatMap((source) => [
      ...nodes(source.program)
        .filter((node) => later.some((name) => isCall(node, name)) || isMember(node, 'nextTick') || isVoid(node))
        .map((node) => fault(source, node, 'runs beside its transaction')),
      ...source.imports
        .filter(({ target }) => /^node:timers/.test(target))
        .map(({ line }) => `${source.path}:${line} runs beside its transaction`),
      ...(source.isOperation ? callsOutside(source) : []),
    ])

function callsOutside(source: Source): string[] {
  return [
    ...source.imports
      .filter(({ target, typeOnly }) => !typeOnly && /\/platform\/outbound\/(outbound|mail)\.ts$/.test(target))
      .map(({ line }) => `${source.path}:${line} calls the outside from an operation`),
    ...nodes(source.program)
      .filter((node) => isMember(node, 'request', 'outbound'))
      .map((node) => fault(source, node, 'calls the outside from an operation')),
  ]
}

/** Rule 6: one operation per file, named like the file. */
export const operationNames: Rule = (sources) =>
  ofTheServer(sources)
    .filter((source) => source.isOperation && source.path.startsWith('server/src/areas/'))
    .flatMap((source) => {
      const count = nodes(source.program).filter((node) => isCall(node, 'operation')).length
      const name = basename(source.path, '.ts').replace('.v1', '-v1')
      const exported = exportedNames(source.program).map(kebab)
      return [
        ...(count > 1 ? [`${source.path}:1 holds ${count} operations`] : []),
        ...(exported.some((each) => each === name || `${each}-v1` === name)
          ? []
          : [`${source.path}:1 exports no ${name}`]),
      ]
    })

/** Rule 6: no names without meaning. */
export const names: Rule = (sources) =>
  sources
    .filter(({ path }) => path.split('/').some((part) => forbiddenNames.test(part)))
    .map(({ path }) => `${path}:1 has a name that says nothing`)

const forbiddenNames = /^(utils?|helpers?|common|misc|base|manager|service|types)(\.(test\.)?tsx?)?$/

/** Rule 6: named exports only. */
export const namedExports: Rule = (sources) =>
  sources
    .filter(({ path }) => /^(server|client|cli|mcp|bench)\//.test(path) && !path.endsWith('.config.ts'))
    .flatMap((source) =>
      nodes(source.program)
        .filter(
          (node) =>
            node.type === 'ExportDefaultDeclaration' ||
            (node.type === 'ExportSpecifier' && isIdentifier(node.exported, 'default')),
        )
        .map((node) => fault(source, node, 'has a default export')),
    )

/** Rule 6: sizes. */
export const sizes: Rule = (sources) =>
  sources
    .filter(({ path, text }) => path !== 'client/src/api.ts' && !text.startsWith('// Generated'))
    .flatMap((source) => {
      const limit = source.isOperation && inAreas(source) && !source.isTest ? 120 : 300
      return [
        ...(source.lines > limit ? [`${source.path}:1 has ${source.lines} lines, at most ${limit}`] : []),
        ...(source.isTest ? [] : longFunctions(source)),
        ...longComments(source),
      ]
    })

/** Rule 6: no folder has more files than a reader can survey. */
export const crowded: Rule = (sources) => {
  const counts = new Map<string, number>()
  for (const { path } of sources.filter((each) => each.path.startsWith('server/src/')))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > 40)
    .map(([path, count]) => `${path}:1 holds ${count} files, at most 40`)
}

function longFunctions(source: Source): string[] {
  return nodes(source.program).flatMap((node) => {
    if (!isFunction(node)) return []
    const length = lineAt(source.text, node.end) - lineAt(source.text, node.start) + 1
    return length > 60 ? [fault(source, node, `is a function of ${length} lines, at most 60`)] : []
  })
}

/** The formatter breaks code at this width, but no comment. */
function longComments({ path, text }: Source): string[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      line.length > 120 && /^\s*(\/\*\*|\*|\/\/) /.test(line)
        ? [`${path}:${i + 1} is a comment of ${line.length} characters, at most 120`]
        : [],
    )
}

function fault({ path, text }: Source, node: Node, what: string): string {
  return `${path}:${lineAt(text, node.start)} ${what}`
}

function ofTheServer(sources: Source[]): Source[] {
  return sources.filter(({ isTest, path }) => !isTest && path.startsWith('server/src/'))
}

function inAreas({ path }: Source): boolean {
  return path.startsWith('server/src/areas/')
}

function isTransaction(node: Node): boolean {
  if (node.type === 'CallExpression') return isMember(node.callee, 'transaction')
  const isSql = node.type === 'TaggedTemplateExpression' && isIdentifier(node.tag, 'sql')
  return (
    isSql &&
    isNode(node.quasi) &&
    /^(begin|start transaction|commit|rollback|savepoint)\b/i.test(templateText(node.quasi).trim())
  )
}

/** The text of a template with `?` for its values. */
export function templateText(template: Node): string {
  const parts = Array.isArray(template.quasis) ? template.quasis : []
  return parts.map((part: { value: { raw: string } }) => part.value.raw).join('?')
}

function isFunction({ type }: Node): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)
}

function parametersOf(node: Node): Node[] {
  return isFunction(node) && Array.isArray(node.params) ? node.params.filter(isNode) : []
}

function isDb(parameter: Node): boolean {
  return isIdentifier(parameter, 'db') || isIdentifier(parameter.left, 'db')
}

function isOptional(parameter: Node): boolean {
  return parameter.optional === true || parameter.type === 'AssignmentPattern'
}

function isVoid(node: Node): boolean {
  return node.type === 'UnaryExpression' && node.operator === 'void'
}

function exportedNames(program: Node): string[] {
  return nodes(program)
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ declaration }) =>
      isNode(declaration) && Array.isArray(declaration.declarations) ? declaration.declarations : [],
    )
    .map(({ id }: { id: { name: string } }) => id.name)
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
