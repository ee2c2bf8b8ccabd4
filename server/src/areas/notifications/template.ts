import { valueAt } from '../../platform/json-value.ts'
import { fillIn } from '../../platform/template.ts'

const PLACEHOLDER = /\{([^{}]*)\}/g

/**
 * Renders a message template: `{a.b}` stands for the value at that path, and a user for its name. A missing value is
 * empty. Values are inserted as they are, never read as HTML or as a template. A long message is cut.
 */
export const render = (template: string, values: Record<string, unknown>): string =>
  fillIn(template, PLACEHOLDER, (path) => textOf(valueAt(values, path.trim().split('.'))))

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'object') return String(value)
  const { name, userId } = value as Record<string, unknown>
  const [first = JSON.stringify(value)] = [name, userId].filter((text) => typeof text === 'string')
  return first
}
