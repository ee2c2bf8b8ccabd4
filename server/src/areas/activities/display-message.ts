import { fillIn } from '../../platform/template.ts'

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/**
 * Renders a message template: `{{a.b}}` stands for the value at that path. `{{actionUser.…}}` stands for the actor if
 * the data has no such value. A missing value is empty. Values are inserted as they are, never read as HTML or as a
 * template. A long message is cut.
 */
export function displayMessage(template: string, data: unknown, actor: unknown): string {
  return fillIn(template, PLACEHOLDER, (path) => {
    const steps = path.trim().split('.')
    const found = valueAt(data, steps) ?? (steps[0] === 'actionUser' ? valueAt(actor, steps.slice(1)) : undefined)
    return textOf(found)
  })
}

const valueAt = (value: unknown, steps: string[]): unknown =>
  steps.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Record<string, unknown>)[step]
        : undefined,
    value,
  )

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
