import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseAst } from 'vitest/node'

/** A node of the syntax tree (ESTree with TypeScript's nodes). */
export type Node = { type: string; start: number; end: number; [property: string]: unknown }

/** One file as the rules see it: paths from the root of the repository, relative imports resolved. */
export type Source = {
  path: string
  text: string
  lines: number
  program: Node
  imports: { target: string; typeOnly: boolean; line: number }[]
  isTest: boolean
  isOperation: boolean
}

/** A rule returns its violations, each as `path:line what is wrong`; none if it is kept. */
export type Rule = (sources: Source[]) => string[]

export const repository = join(import.meta.dirname, '..', '..', '..')

/** Every TypeScript file of the repository's packages. */
export function readSources(): Source[] {
  return readdirSync(repository, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .flatMap(({ name }) =>
      readdirSync(join(repository, name), { recursive: true, encoding: 'utf8' }).map((file) => posix.join(name, file)),
    )
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => source(path, readFileSync(join(repository, path), 'utf8')))
}

/** Parses one file. */
export function source(path: string, text: string): Source {
  const program = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  return {
    path,
    text,
    lines: text.trimEnd().split('\n').length,
    program,
    imports: importsOf(path, text, program),
    isTest: path.endsWith('.test.ts') || /^(server|client|console|cli|mcp)\/test\//.test(path),
    isOperation: nodes(program).some((node) => isCall(node, 'operation')),
  }
}

/** The node and all below it, in the order of the text. */
export function nodes(node: Node): Node[] {
  return [node, ...childrenOf(node).flatMap(nodes)]
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** True for `name(…)`. */
export function isCall(node: Node, name: string): boolean {
  return node.type === 'CallExpression' && isIdentifier(node.callee, name)
}

/** True for `object.property` and `object['property']`; any object when none is named. */
export function isMember(value: unknown, property: string, object?: string): boolean {
  if (!isNode(value) || value.type !== 'MemberExpression') return false
  const named = isIdentifier(value.property, property) || (isNode(value.property) && value.property.value === property)
  return named && (object === undefined || isIdentifier(value.object, object))
}

export function isIdentifier(value: unknown, name: string): boolean {
  return isNode(value) && value.type === 'Identifier' && value.name === name
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode)
}

const importing = [
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]

function importsOf(path: string, text: string, program: Node): Source['imports'] {
  return nodes(program).flatMap((node) => {
    if (!importing.includes(node.type) || !isNode(node.source) || typeof node.source.value !== 'string') return []
    const typeOnly = node.type === 'TSImportType' || node.importKind === 'type' || node.exportKind === 'type'
    return [{ target: resolve(path, node.source.value), typeOnly, line: lineAt(text, node.start) }]
  })
}

/** A path from the root for a relative import, else the name of the package: `pg/lib/x` is `pg`. */
function resolve(path: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(dirname(path), specifier)
  if (specifier.startsWith('node:')) return specifier
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
