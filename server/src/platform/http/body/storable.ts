import { invalidField } from '../../errors.ts'
import { fieldPath } from '../input-schema.ts'
import { MAX_DEPTH } from './scan-json.ts'

/**
 * Refuses what JSON allows but no store can keep: U+0000, lone surrogates (RFC 8259 §8.2), numbers beyond the double
 * range, nesting deeper than 100. This applies to keys too.
 */
export function checkStorable(value: unknown): void {
  if (!isStorable(value, 0)) reportUnstorable(value, '', 0)
}

/** Whether it can be stored. It makes no path: those of a large body would take longer than all else. */
function isStorable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1))
  for (const key of Object.keys(value)) {
    if (!isStorableText(key) || !isStorable((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}

const isStorableText = (value: string) => !value.includes('\u0000') && value.isWellFormed()

/** Throws for the first value that cannot be stored, naming its path. */
function reportUnstorable(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') reportText(value, path)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidField(path, 'must be a number within the double range')
  if (typeof value !== 'object' || value === null) return
  if (depth >= MAX_DEPTH) throw invalidField(path, `must not nest deeper than ${MAX_DEPTH} levels`)
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) reportText(key, path)
    const itemPath = Array.isArray(value) ? `${path}[${key}]` : fieldPath(path, key)
    // A path grows with every level; what is cut off it in the end need not be made.
    reportUnstorable(item, itemPath.slice(0, LONG_PATH), depth + 1)
  }
}

const LONG_PATH = 1_000

function reportText(value: string, path: string): void {
  if (value.includes('\u0000')) throw invalidField(path, 'must not contain U+0000')
  if (!value.isWellFormed()) throw invalidField(path, 'must not contain a lone surrogate')
}
