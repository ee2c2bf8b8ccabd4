import { fillIn } from '../../platform/template.ts'

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/**
 * The message of a template: `{{a.b}}` stands for the value at that path, `{{actionUser.…}}` for the actor where the
 * data has none. What is missing is empty. Values are inserted as they are: nothing is read as HTML or as a template. The message is cut
 * where it gets too long.
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
